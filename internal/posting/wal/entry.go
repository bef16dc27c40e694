// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package wal

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
)

// Sections of a commit in the log (docs/format/log.md).
const (
	sectionKeys       = 1
	sectionSet        = 2
	sectionClear      = 3
	sectionInstalled  = 4
	sectionDelete     = 6
	sectionEmpty      = 7
	sectionValues     = 8
	sectionPrefixKeys = 10
	sectionLeast      = 11
)

const (
	// maxEntry is the greatest size of a log entry, and so of a commit.
	maxEntry = 16 << 20
)

// Entry is one commit of the log.
type Entry struct {
	Time      uint64 // milliseconds since 1970
	Keys      []KeyRun
	Emptied   []model.RowName
	Deleted   []Deletion        // ascending
	Edits     []model.Edit      // ascending by field, row, set, record; relations in their declared direction only
	Values    []model.ValueEdit // ascending, each record of a field once
	Installed uint64            // number of the manifest record that a bulk load made current, 0: none

	Assigned []model.Assignment // what values follow from; not kept
	Lists    []model.Edit       // edits, and ones that follow from values; not kept
}

// Deletion is a record that was deleted, and the key that it had.
type Deletion struct {
	Record uint64
	Key    string
}

// IsVoid reports whether the commit has no effect.
func (l *Entry) IsVoid() bool {
	return len(l.Keys)+len(l.Emptied)+len(l.Deleted)+len(l.Edits)+len(l.Values) == 0 && l.Installed == 0
}

// Made returns the first ID of the records that the commit makes: all from there on are new.
func (l *Entry) Made() uint64 {
	for i := range l.Keys {
		if l.Keys[i].Space == model.RecordSpace {
			return l.Keys[i].First
		}
	}
	return math.MaxUint64
}

// Changed returns the records that the commit changes, ascending, beside those that it makes. all:
// it may be any, as what it deletes or empties may have named them. inverse returns the inverse of
// a relation, 0 of other fields.
func (l *Entry) Changed(inverse func(field uint32) uint32) (records []uint64, all bool) {
	if len(l.Deleted)+len(l.Emptied) > 0 {
		return nil, true
	}
	made, related := l.Made(), false
	add := func(record uint64) {
		if record < made {
			records = append(records, record)
		}
	}
	for i, e := range l.Edits {
		if format.KindOf(e.Field) == format.Values {
			record, target := model.EdgeOf(e.Row)
			add(record)
			add(target)
			continue
		}
		if i == 0 || e.Field != l.Edits[i-1].Field {
			related = inverse(e.Field) != 0
		}
		if add(e.Record); related {
			add(e.Row)
		}
	}
	for _, f := range l.Values {
		add(f.Record)
	}
	slices.Sort(records)
	return slices.Compact(records), false
}

func compareForLog(a, b model.Edit) int {
	set := func(e model.Edit) int {
		if e.Set {
			return 0
		}
		return 1
	}
	return cmp.Or(cmp.Compare(a.Field, b.Field), cmp.Compare(a.Row, b.Row), cmp.Compare(set(a), set(b)),
		cmp.Compare(a.Record, b.Record))
}

// listsAscend reports whether the section of b's list may follow that of a's.
func listsAscend(a, b model.Edit) bool {
	a.Record, b.Record = 0, 0
	return compareForLog(a, b) < 0
}

// AppendSections appends the commit as the log has it, without its time. The edits must name each
// record of a list once; they are sorted.
func (l *Entry) AppendSections(b []byte) []byte {
	spelt := 0
	for i := range l.Keys {
		b, spelt = l.Keys[i].appendTo(b, spelt)
	}
	for _, e := range l.Emptied {
		b = binary.AppendUvarint(append(b, sectionEmpty), uint64(e.Field))
		b = binary.AppendUvarint(b, e.Row)
	}
	if len(l.Deleted) > 0 {
		b = binary.AppendUvarint(append(b, sectionDelete), uint64(len(l.Deleted)))
		for i, d := range l.Deleted {
			last := uint64(0)
			if i > 0 {
				last = l.Deleted[i-1].Record + 1
			}
			b = binary.AppendUvarint(b, d.Record-last)
			b = append(binary.AppendUvarint(b, uint64(len(d.Key))), d.Key...)
		}
	}
	slices.SortFunc(l.Edits, compareForLog)
	for start := 0; start < len(l.Edits); {
		e := l.Edits[start]
		end := start
		for end < len(l.Edits) && l.Edits[end].Field == e.Field && l.Edits[end].Row == e.Row &&
			l.Edits[end].Set == e.Set {
			end++
		}
		b = appendSection(b, l.Edits[start:end])
		start = end
	}
	for start := 0; start < len(l.Values); {
		end := start
		for end < len(l.Values) && l.Values[end].Field == l.Values[start].Field {
			end++
		}
		b = appendValues(b, l.Values[start:end])
		start = end
	}
	if l.Installed > 0 {
		b = binary.AppendUvarint(append(b, sectionInstalled), l.Installed)
	}
	return b
}

func appendSection(b []byte, edits []model.Edit) []byte {
	tag := byte(sectionClear)
	if edits[0].Set {
		tag = sectionSet
	}
	b = binary.AppendUvarint(append(b, tag), uint64(edits[0].Field))
	b = binary.AppendUvarint(b, edits[0].Row)
	b = binary.AppendUvarint(b, uint64(len(edits)))
	for i, e := range edits {
		if i == 0 {
			b = binary.AppendUvarint(b, e.Record)
		} else {
			b = binary.AppendUvarint(b, e.Record-edits[i-1].Record-1)
		}
	}
	return b
}

// appendValues appends the assignments to one field: first those with a word of their own, then
// the records that have the least int64.
func appendValues(b []byte, assigned []model.ValueEdit) []byte {
	for _, least := range []bool{false, true} {
		some := assigned
		if slices.ContainsFunc(assigned, func(f model.ValueEdit) bool { return f.Least != least }) {
			some = slices.DeleteFunc(slices.Clone(assigned), func(f model.ValueEdit) bool { return f.Least != least })
		}
		if len(some) == 0 {
			continue
		}
		tag := byte(sectionValues)
		if least {
			tag = sectionLeast
		}
		b = binary.AppendUvarint(append(b, tag), uint64(some[0].Field))
		b = binary.AppendUvarint(b, uint64(len(some)))
		last := uint64(0)
		for _, f := range some {
			b = binary.AppendUvarint(b, f.Record-last)
			if last = f.Record + 1; !least {
				b = binary.AppendUvarint(b, f.Word)
			}
		}
	}
	return b
}

// decodeSections reads a commit. What it takes is in proportion to what a commit may have: bytes
// that claim more are refused before there is room for it.
func decodeSections(where string, sections []byte) (*Entry, error) {
	d := sectionReader{Reader: format.Reader{B: sections, Ok: true}, entry: new(Entry)}
	for d.Ok && len(d.B) > 0 {
		tag := d.B[0]
		d.B = d.B[1:]
		switch tag {
		case sectionKeys, sectionPrefixKeys:
			d.keys(tag == sectionPrefixKeys)
		case sectionSet, sectionClear:
			d.edits(tag == sectionSet)
		case sectionInstalled:
			d.entry.Installed = d.Varint()
		case sectionDelete:
			d.deleted()
		case sectionEmpty:
			d.take(1)
			d.entry.Emptied = append(d.entry.Emptied, model.RowName{Field: d.Varint32(), Row: d.Varint()})
		case sectionValues:
			d.values()
		case sectionLeast:
			d.least()
		default:
			return nil, format.UnknownVersion(where+": section", tag)
		}
	}
	d.mixValues()
	if !d.Ok {
		return nil, model.Corrupt(where, "the checksum is right but a section is not: %d bytes left", len(d.B))
	}
	return d.entry, nil
}

// sectionReader reads the sections of a commit.
type sectionReader struct {
	format.Reader
	entry  *Entry
	writes int // so far
	named  int // keys, so far
	leasts []model.ValueEdit
	spelt  int // bytes of prefix-coded keys so far, spelled out
}

// take counts writes. A commit has at most as many as a batch.
func (d *sectionReader) take(n int) int {
	if d.writes += n; d.writes > model.MaxEdits {
		d.Ok = false
	}
	if !d.Ok {
		return 0
	}
	return n
}

func (d *sectionReader) edits(set bool) {
	e := model.Edit{Field: d.Varint32(), Row: d.Varint(), Set: set}
	n := d.take(d.Count())
	if last := len(d.entry.Edits) - 1; last >= 0 && !listsAscend(d.entry.Edits[last], e) {
		d.Ok = false // a list that is named twice could name a record twice
		return
	}
	edits := slices.Grow(d.entry.Edits, n)
	var ids ascending
	for range n {
		e.Record = ids.read(&d.Reader)
		edits = append(edits, e)
	}
	d.entry.Edits = edits
}

// deleted reads the records that were deleted, each once.
func (d *sectionReader) deleted() {
	if len(d.entry.Deleted) > 0 {
		d.Ok = false
	}
	var ids ascending
	for range d.take(d.Count()) {
		record := ids.read(&d.Reader)
		key := d.Bytes()
		if len(key) > format.MaxKey {
			d.Ok = false
		}
		d.entry.Deleted = append(d.entry.Deleted, Deletion{record, string(key)})
	}
}

func (d *sectionReader) values() {
	field := d.Varint32()
	n := d.take(d.Count())
	assigned := slices.Grow(d.entry.Values, n)
	var ids ascending
	for range n {
		f := model.ValueEdit{Field: field, Record: ids.read(&d.Reader)}
		f.Word = d.Varint()
		if n := len(assigned); n > 0 && !assigned[n-1].Less(f) {
			d.Ok = false
		}
		assigned = append(assigned, f)
	}
	d.entry.Values = assigned
}

// least reads records that are assigned the least int64.
func (d *sectionReader) least() {
	field := d.Varint32()
	var ids ascending
	for range d.take(d.Count()) {
		d.leasts = append(d.leasts, model.AssignInt(field, ids.read(&d.Reader), math.MinInt64))
	}
}

// mixValues puts the assignments of the least int64 among the others, each record of a field once.
func (d *sectionReader) mixValues() {
	if len(d.leasts) == 0 {
		return
	}
	all := append(d.entry.Values, d.leasts...)
	slices.SortFunc(all, model.CompareValueEdits)
	for i := 1; i < len(all); i++ {
		d.Ok = d.Ok && all[i-1].Less(all[i])
	}
	d.entry.Values = all
}

// ascending reads IDs that are written as their distance from the one before, minus 1.
type ascending struct {
	last  uint64
	begun bool
}

func (a *ascending) read(r *format.Reader) uint64 {
	gap := r.Varint()
	if !a.begun {
		a.last, a.begun = gap, true
		return gap
	}
	next := a.last + gap + 1
	if next <= a.last {
		r.Ok = false
	}
	a.last = next
	return next
}
