// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package standing

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
)

const (
	// partChanges is how many records one commit of results has, at most.
	partChanges = 10_000

	// quietCommits is after how many commits of an index their number is kept, if they changed no
	// result.
	quietCommits = 1_000

	// mostLeftovers is how many records that are in no query are looked at together.
	mostLeftovers = 100_000

	// sweepPause is the time between two looks for them.
	sweepPause = time.Minute
)

// write is a record that enters a query, or leaves it, with a commit; 0: the newest.
type write struct {
	commit uint64
	name   string
	id     uint64
	key    string
	left   bool
}

// name finds the keys of the records that are to be written.
func (k *rounds) name(s uproar.Snapshot, c *changes) error {
	var ids []uint64
	for i := range k.writes {
		w := &k.writes[i]
		if w.commit == 0 {
			w.commit = c.last
		}
		if w.key == "" {
			if w.key = c.deleted[w.id]; w.key == "" {
				ids = append(ids, w.id)
			}
		}
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	keys := make(map[uint64]string, len(ids))
	for part := range slices.Chunk(ids, partChanges) {
		of, err := s.KeysOf(part)
		if err != nil {
			return err
		}
		for i, id := range part {
			keys[id] = of[i]
		}
	}
	for i := range k.writes {
		if w := &k.writes[i]; w.key == "" {
			w.key = keys[w.id]
		}
	}
	return nil
}

// write commits what entered and left, the changes of each commit of the index by themselves.
func (k *rounds) write(ctx context.Context, s uproar.Snapshot, c *changes) error {
	if err := k.name(s, c); err != nil {
		return err
	}
	k.cancelOut()
	if len(k.writes) == 0 && c.last >= k.kept+quietCommits {
		if err := k.commit(ctx, c.last, nil); err != nil {
			return err
		}
	}
	slices.SortStableFunc(k.writes, func(a, b write) int { return cmp.Compare(a.commit, b.commit) })
	for rest := k.writes; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].commit == rest[0].commit {
			n++
		}
		if err := k.commit(ctx, rest[0].commit, rest[:n]); err != nil {
			return err
		}
		rest = rest[n:]
	}
	k.writes = k.writes[:0]
	return nil
}

// commit commits what entered and left with a commit of the index. If that is much, it comes in
// parts, and the last says of which commit all of it is.
func (k *rounds) commit(ctx context.Context, sequence uint64, writes []write) error {
	var b uproar.Batch
	for i, w := range writes {
		if i > 0 && i%partChanges == 0 {
			if _, err := k.members.Write(ctx, &b); err != nil {
				return err
			}
			b.Reset()
		}
		if w.left {
			b.Clear(inField, recordMark+w.key, w.name)
		} else {
			b.Set(inField, recordMark+w.key, w.name)
		}
		delete(k.leftovers.keys, recordMark+w.key)
	}
	at := k.at
	if sequence == k.kept {
		b.Unset(asOfField, positionRecords[at])
		at = 1 - at
	}
	b.SetInt(asOfField, positionRecords[at], int64(sequence))
	_, err := k.members.Write(ctx, &b)
	if err == nil {
		k.kept, k.at = sequence, at
	}
	return err
}

// cancelOut takes out records that left and entered with the same commit: they were deleted, and
// made anew under the same key.
func (k *rounds) cancelOut() {
	type at struct {
		commit    uint64
		name, key string
	}
	left := make(map[at]bool)
	for _, w := range k.writes {
		if w.left {
			left[at{w.commit, w.name, w.key}] = true
		}
	}
	both := make(map[at]bool)
	for _, w := range k.writes {
		if at := (at{w.commit, w.name, w.key}); !w.left && left[at] {
			both[at] = true
		}
	}
	if len(both) > 0 {
		k.writes = slices.DeleteFunc(k.writes, func(w write) bool { return both[at{w.commit, w.name, w.key}] })
	}
}

// leftovers deletes the keys of records that are in no query any more. A follower may still read
// that they left, and what is deleted has no key: so a key stays as long as the commit is kept with
// which its record left.
type leftovers struct {
	keys   map[string]bool // in no query when looked for, and not written since; nil: look again
	asOf   uint64          // the commit of the results at that time
	looked time.Time
}

// sweep looks for such keys, or deletes those that it has found.
func (l *leftovers) sweep(ctx context.Context, members *uproar.Index) error {
	if time.Since(l.looked) < sweepPause {
		return nil
	}
	l.looked = time.Now()
	if len(l.keys) == 0 {
		return l.look(ctx, members)
	}
	for _, err := range members.Changes(ctx, l.asOf) {
		if errors.Is(err, uproar.ErrSequenceTrimmed) {
			return l.delete(ctx, members)
		}
		return err
	}
	return nil
}

// look looks for keys of records that are in no query.
func (l *leftovers) look(ctx context.Context, members *uproar.Index) error {
	s := members.Snapshot()
	defer s.Close()
	l.keys, l.asOf = make(map[string]bool), s.Sequence()
	keys, err := s.Keys(ctx, query.Not{Of: query.Any{Field: inField}}, uproar.Page{Limit: mostLeftovers})
	for _, key := range keys.Keys {
		if strings.HasPrefix(key, recordMark) {
			l.keys[key] = true
		}
	}
	return err
}

// delete deletes what was found.
func (l *leftovers) delete(ctx context.Context, members *uproar.Index) error {
	var b uproar.Batch
	for key := range l.keys {
		b.DeleteRecord(key)
		delete(l.keys, key)
		if b.Len() == partChanges || len(l.keys) == 0 {
			if _, err := members.Write(ctx, &b); err != nil {
				return err
			}
			b.Reset()
		}
	}
	return nil
}
