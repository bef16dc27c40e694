// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"fmt"
	"unsafe"

	"github.com/uproar-db/uproar/internal/posting/model"
)

// Keys appends the Refs of keys of a space to dst: many at a time, as Key does for each, but the
// processor waits for many of them at once. Records exist from then on. A Ref holds for this load
// or until Trim. Errors: ErrInvalid, for an empty key; those of Set.
func (l *Loader) Keys(dst []model.Ref, space uint32, keys []string) ([]model.Ref, error) {
	switch {
	case l.ended:
		return dst, model.ErrClosed
	case l.clusters:
		return dst, fmt.Errorf("%w: got keys for a load that clusters", model.ErrInvalid)
	}
	l.assignByCommits()
	var room [lookGroup][]byte
	for len(keys) > 0 && l.err == nil {
		group := room[:min(len(keys), len(room))]
		for i := range group {
			if keys[i] == "" {
				return dst, fmt.Errorf("%w: got an empty key", model.ErrInvalid)
			}
			group[i] = unsafe.Slice(unsafe.StringData(keys[i]), len(keys[i])) // which the table only reads, and copies
		}
		l.numbers = l.known.addAll(l.numbers[:0], space, group, func(i, number int) {
			l.Naming.await(space, group[i])
			if space == model.RecordSpace {
				l.Edits.set(model.Exists, 0, model.KeyRef|model.Ref(number))
			}
		})
		for _, n := range l.numbers {
			dst = append(dst, model.KeyRef|model.Ref(n))
		}
		keys = keys[len(group):]
		l.err = l.makeRoom()
	}
	return dst, l.err
}

// manyGroup is how many writes are gathered between two looks whether there is room.
const manyGroup = 2 << 10

// SetMany puts records into lists: each into that of the row at its place. Errors as of Set; those
// before a Ref of no key are set.
func (l *Loader) SetMany(field uint32, rows, records []model.Ref) error {
	for len(rows) > 0 {
		n := min(len(rows), manyGroup)
		if err := l.setGroup(field, rows[:n], records[:n]); err != nil {
			return err
		}
		rows, records = rows[n:], records[n:]
	}
	return nil
}

func (l *Loader) setGroup(field uint32, rows, records []model.Ref) error {
	for l.Pairs.Fields[field] == nil || field == model.Exists { // until there are pairs, writes are edits
		if len(rows) == 0 {
			return nil
		}
		if err := l.Set(field, rows[0], records[0]); err != nil {
			return err
		}
		rows, records = rows[1:], records[1:]
	}
	if err := l.checkMany(field, model.Lists, rows, records); err != nil {
		return err
	}
	p := l.Pairs.Fields[field]
	p.reserve(len(rows))
	before := len(p.Words)
	records = records[:len(rows)]
	for i := range rows {
		row, ok := refHalf(rows[i])
		record, ok2 := refHalf(records[i])
		if ok && ok2 {
			p.Words = append(p.Words, row<<32|record)
		} else {
			l.Edits.set(field, rows[i], records[i])
		}
	}
	l.Pairs.gathered += len(p.Words) - before
	return l.makeRoom()
}

// AssignMany gives records rows in a single-valued field, as Assign does for each. Errors as of
// SetMany.
func (l *Loader) AssignMany(field uint32, records, rows []model.Ref) error {
	for len(rows) > 0 {
		n := min(len(rows), manyGroup)
		if err := l.checkMany(field, model.Rows, rows[:n], records[:n]); err != nil {
			return err
		}
		if l.err = l.Pairs.assign(field, records[:n], rows[:n]); l.err != nil {
			return l.err
		}
		if err := l.makeRoom(); err != nil {
			return err
		}
		rows, records = rows[n:], records[n:]
	}
	return nil
}

// checkMany is check for many writes.
func (l *Loader) checkMany(field uint32, kind model.Kind, rows, records []model.Ref) error {
	if err := l.check(field, kind); err != nil {
		return err
	}
	if l.clusters {
		return l.check(field, kind, records[0])
	}
	known := model.KeyRef | model.Ref(len(l.Naming.ids)+l.Naming.unnamed())
	for i := range rows {
		if rows[i] >= known || records[i] >= known {
			return fmt.Errorf("%w: got an ID above %d, or a Ref of another load", model.ErrInvalid, uint64(model.MaxID))
		}
	}
	return nil
}
