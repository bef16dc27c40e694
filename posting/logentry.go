// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/uproar-db/uproar/internal/seal"
)

// Sections of a log entry (docs/format/log.md).
const (
	sectionKeys      = 1
	sectionSet       = 2
	sectionClear     = 3
	sectionInstalled = 4
	sectionDelete    = 6
	sectionEmpty     = 7
	sectionForward   = 8
)

// maxEntry is the greatest size of a log entry, and so of a commit.
const maxEntry = 16 << 20

// keyRun is a run of keys of one space that are given consecutive IDs.
type keyRun struct {
	space uint32
	first uint64
	keys  []string
}

// logEntry is one commit.
type logEntry struct {
	time      uint64 // milliseconds since 1970
	keys      []keyRun
	emptied   []rowName
	deleted   []deletion // ascending
	edits     []edit     // ascending by field, row, set, record; relations in their declared direction only
	forward   []forward  // ascending, each record of a field once
	installed uint64     // number of the manifest record that a bulk load made current, 0: none

	assigned []assignment // what forward follows from; not kept
	lists    []edit       // edits, and those that follow from forward; not kept
}

// deletion is a record that was deleted, and the key that it had.
type deletion struct {
	record uint64
	key    string
}

func compareForLog(a, b edit) int {
	set := func(e edit) int {
		if e.set {
			return 0
		}
		return 1
	}
	return cmp.Or(cmp.Compare(a.field, b.field), cmp.Compare(a.row, b.row), cmp.Compare(set(a), set(b)), cmp.Compare(a.record, b.record))
}

// encode returns the entry sealed for its key. The edits must name each record of a list once; encode sorts them.
func (l *logEntry) encode(key []byte) []byte {
	b := []byte{magicLog, formatVersion, 0, 0, 0, 0, 0, 0}
	b = binary.AppendUvarint(b, l.time)
	for _, run := range l.keys {
		b = append(b, sectionKeys)
		b = binary.AppendUvarint(b, uint64(run.space))
		b = binary.AppendUvarint(b, run.first)
		b = binary.AppendUvarint(b, uint64(len(run.keys)))
		for _, k := range run.keys {
			b = binary.AppendUvarint(b, uint64(len(k)))
			b = append(b, k...)
		}
	}
	for _, e := range l.emptied {
		b = binary.AppendUvarint(append(b, sectionEmpty), uint64(e.field))
		b = binary.AppendUvarint(b, e.row)
	}
	if len(l.deleted) > 0 {
		b = binary.AppendUvarint(append(b, sectionDelete), uint64(len(l.deleted)))
		for i, d := range l.deleted {
			last := uint64(0)
			if i > 0 {
				last = l.deleted[i-1].record + 1
			}
			b = binary.AppendUvarint(b, d.record-last)
			b = append(binary.AppendUvarint(b, uint64(len(d.key))), d.key...)
		}
	}
	slices.SortFunc(l.edits, compareForLog)
	for start := 0; start < len(l.edits); {
		e := l.edits[start]
		end := start
		for end < len(l.edits) && l.edits[end].field == e.field && l.edits[end].row == e.row && l.edits[end].set == e.set {
			end++
		}
		b = appendSection(b, l.edits[start:end])
		start = end
	}
	for start := 0; start < len(l.forward); {
		end := start
		for end < len(l.forward) && l.forward[end].field == l.forward[start].field {
			end++
		}
		b = appendForward(b, l.forward[start:end])
		start = end
	}
	if l.installed > 0 {
		b = binary.AppendUvarint(append(b, sectionInstalled), l.installed)
	}
	seal.Write(key, b)
	return b
}

func appendSection(b []byte, edits []edit) []byte {
	tag := byte(sectionClear)
	if edits[0].set {
		tag = sectionSet
	}
	b = binary.AppendUvarint(append(b, tag), uint64(edits[0].field))
	b = binary.AppendUvarint(b, edits[0].row)
	b = binary.AppendUvarint(b, uint64(len(edits)))
	for i, e := range edits {
		if i == 0 {
			b = binary.AppendUvarint(b, e.record)
		} else {
			b = binary.AppendUvarint(b, e.record-edits[i-1].record-1)
		}
	}
	return b
}

// appendForward appends the assignments to one field.
func appendForward(b []byte, assigned []forward) []byte {
	b = binary.AppendUvarint(append(b, sectionForward), uint64(assigned[0].field))
	b = binary.AppendUvarint(b, uint64(len(assigned)))
	for i, f := range assigned {
		last := uint64(0)
		if i > 0 {
			last = assigned[i-1].record + 1
		}
		b = binary.AppendUvarint(binary.AppendUvarint(b, f.record-last), f.word)
	}
	return b
}

// decodeLogEntry checks and reads an entry.
func decodeLogEntry(key, value []byte) (*logEntry, error) {
	where := fmt.Sprintf("log entry %d", numberOf(key))
	if err := checkHead(where, magicLog, key, value); err != nil {
		return nil, err
	}
	if value[2] != 0 || value[3] != 0 {
		return nil, errVersion(where+": flags", value[2])
	}
	r := newReader(value[headLen:])
	l := &logEntry{time: r.varint()}
	for r.ok && len(r.b) > 0 {
		tag := r.b[0]
		r.b = r.b[1:]
		switch tag {
		case sectionKeys:
			l.keys = append(l.keys, readKeyRun(r))
		case sectionSet, sectionClear:
			l.edits = readSection(r, l.edits, tag == sectionSet)
		case sectionInstalled:
			l.installed = r.varint()
		case sectionDelete:
			if len(l.deleted) > 0 {
				r.ok = false // each record once
			}
			l.deleted = readDeleted(r)
		case sectionEmpty:
			l.emptied = append(l.emptied, rowName{r.varint32(), r.varint()})
		case sectionForward:
			l.forward = readForward(r, l.forward)
		default:
			return nil, errVersion(where+": section", tag)
		}
	}
	if !r.ok {
		return nil, corrupt(where, "the checksum is right but a section is not: %d bytes left", len(r.b))
	}
	return l, nil
}

func readKeyRun(r *reader) keyRun {
	run := keyRun{space: r.varint32(), first: r.varint()}
	for range r.count() {
		k := r.bytes()
		if len(k) > MaxKey {
			r.ok = false
		}
		run.keys = append(run.keys, string(k))
	}
	return run
}

func readSection(r *reader, edits []edit, set bool) []edit {
	e := edit{field: r.varint32(), row: r.varint(), set: set}
	var ids ascending
	for range r.count() {
		e.record = ids.read(r)
		edits = append(edits, e)
	}
	return edits
}

// readDeleted reads the records that were deleted.
func readDeleted(r *reader) (deleted []deletion) {
	var ids ascending
	for range r.count() {
		d := deletion{record: ids.read(r)}
		d.key = string(r.bytes())
		if len(d.key) > MaxKey {
			r.ok = false
		}
		deleted = append(deleted, d)
	}
	return deleted
}

func readForward(r *reader, assigned []forward) []forward {
	field := r.varint32()
	var ids ascending
	for range r.count() {
		f := forward{field: field, record: ids.read(r)}
		f.word = r.varint()
		if n := len(assigned); n > 0 && !assigned[n-1].less(f) {
			r.ok = false
		}
		assigned = append(assigned, f)
	}
	return assigned
}

// ascending reads IDs that are written as their distance from the one before, minus 1.
type ascending struct {
	last  uint64
	begun bool
}

func (a *ascending) read(r *reader) uint64 {
	gap := r.varint()
	if !a.begun {
		a.last, a.begun = gap, true
		return gap
	}
	next := a.last + gap + 1
	if next <= a.last {
		r.ok = false
	}
	a.last = next
	return next
}
