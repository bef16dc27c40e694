// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"cmp"
	"errors"
	"slices"

	"github.com/uproar-db/uproar/internal/posting/model"
)

// Dictionary is texts that a load names by their numbers, so that each is looked up once and not
// wherever it occurs: the keys of records, or values of one field. Not for concurrent use.
type Dictionary struct {
	texts []string

	load  *Loader // that the references are of; nil: there are none
	space uint32
	round int         // of the load
	refs  []model.Ref // of the texts, as far as they have been looked up
	asked []bool      // which are looked up, or wait for it
	wait  []uint32    // which wait
	keys  []string    // their texts
	found []model.Ref
	times []uint32 // of the texts: how often pairs name those that wait, while these are ordered
}

// NewDictionary returns a dictionary of texts, the first of which has number 0. The texts belong to
// it from then on.
func NewDictionary(texts []string) *Dictionary { return &Dictionary{texts: texts} }

// Reset gives the dictionary other texts, and uses its memory again.
func (d *Dictionary) Reset(texts []string) { d.texts, d.load = texts, nil }

// Len returns how many texts there are.
func (d *Dictionary) Len() int { return len(d.texts) }

// Text returns the text of a number below Len.
func (d *Dictionary) Text(number uint32) string { return d.texts[number] }

// of has the references be those of a load and a space of keys.
func (d *Dictionary) of(l *Loader, space uint32) {
	if d.load == l && d.space == space && d.round == l.round {
		return
	}
	d.load, d.space, d.round = l, space, l.round
	d.wait, d.keys = d.wait[:0], d.keys[:0]
	d.refs = slices.Grow(d.refs[:0], len(d.texts))[:len(d.texts)]
	d.asked = slices.Grow(d.asked[:0], len(d.texts))[:len(d.texts)]
	clear(d.asked)
}

// ask has a text be looked up.
func (d *Dictionary) ask(number uint32) {
	if !d.asked[number] {
		d.asked[number] = true
		d.wait, d.keys = append(d.wait, number), append(d.keys, d.texts[number])
	}
}

// mostCommon is how many pairs there may be for each text that waits: where most are known, those
// that are new are rare, and their order does not matter.
const mostCommon = 16

// order has the texts that wait be looked up in the order of how many of some pairs name them as
// values, the most frequent first: those that are new get IDs in that order, and the IDs of
// frequent values, which most of a value column consists of, are then near each other.
func (d *Dictionary) order(pairs []Pair) {
	if len(d.wait) < 2 || len(pairs) > mostCommon*len(d.wait) {
		return
	}
	d.times = slices.Grow(d.times[:0], len(d.texts))[:len(d.texts)]
	for _, number := range d.wait {
		d.times[number] = 0
	}
	for _, p := range pairs {
		d.times[p.Value]++
	}
	slices.SortStableFunc(d.wait, func(a, b uint32) int { return cmp.Compare(d.times[b], d.times[a]) })
	for i, number := range d.wait {
		d.keys[i] = d.texts[number]
	}
}

// look looks the texts up that wait for it.
func (d *Dictionary) look() (err error) {
	if len(d.wait) == 0 {
		return nil
	}
	if d.found, err = d.load.load.Keys(d.found[:0], d.space, d.keys); err != nil {
		return err
	}
	for i, number := range d.wait {
		d.refs[number] = d.found[i]
	}
	clear(d.keys)
	d.wait, d.keys = d.wait[:0], d.keys[:0]
	return nil
}

// Pair is a record and its value, by their numbers in two dictionaries.
type Pair struct{ Record, Value uint32 }

// SetPairs gives records values in a field, as Set does for each pair. It is made for some
// thousands at a time, of a Set or Single field, whose dictionaries are used again: then a pair
// costs some 10 ns. done is how many of the pairs are set: after ErrInvalid those before the one
// that cannot be. Errors as of Set; ErrInvalid also for a number that a dictionary does not have.
func (l *Loader) SetPairs(field string, records, values *Dictionary, pairs []Pair) (done int, err error) {
	f, err := l.ix.field(field)
	if err != nil {
		return 0, err
	}
	for i, p := range pairs {
		if int(p.Record) >= records.Len() || int(p.Value) >= values.Len() {
			pairs = pairs[:i]
			err = invalid("%s: got numbers %d and %d, want them below %d and %d", field, p.Record, p.Value,
				records.Len(), values.Len())
			break
		}
	}
	if f.Type != Set && f.Type != Single {
		for i, p := range pairs {
			if err := l.Set(field, records.Text(p.Record), values.Text(p.Value)); err != nil {
				return i, err
			}
		}
		return len(pairs), err
	}
	if err := l.trim(); err != nil {
		return 0, err
	}
	records.of(l, model.RecordSpace)
	values.of(l, model.KeySpace(f.id))
	for i, p := range pairs {
		if records.asked[p.Record] && values.asked[p.Value] {
			continue
		}
		if bad := errors.Join(checkKey("record", "", records.Text(p.Record)),
			checkKey("value", field, values.Text(p.Value))); bad != nil {
			pairs, err = pairs[:i], bad
			break
		}
		records.ask(p.Record)
		values.ask(p.Value)
	}
	if failed := l.setPairs(f, records, values, pairs); failed != nil {
		return 0, failed
	}
	return len(pairs), err
}

// AddRecords makes records exist that a dictionary has, by their numbers, as AddRecord does for
// each. done is how many of them: after ErrInvalid those before the one that cannot be. Errors as
// of Set.
func (l *Loader) AddRecords(records *Dictionary, numbers []uint32) (done int, err error) {
	if err := l.trim(); err != nil {
		return 0, err
	}
	records.of(l, model.RecordSpace)
	for i, n := range numbers {
		if int(n) >= records.Len() {
			err = invalid("records: got number %d, want it below %d", n, records.Len())
		} else if !records.asked[n] {
			err = checkKey("record", "", records.Text(n))
		}
		if err != nil {
			numbers = numbers[:i]
			break
		}
		records.ask(n)
	}
	if failed := records.look(); failed != nil {
		return 0, failed
	}
	return len(numbers), err
}

// setPairs is SetPairs for pairs that can be.
func (l *Loader) setPairs(f *boundField, records, values *Dictionary, pairs []Pair) error {
	if f.Type == Set {
		values.order(pairs)
	}
	if err := errors.Join(records.look(), values.look()); err != nil {
		return err
	}
	of, rows := l.refs[0][:0], l.refs[1][:0]
	for _, p := range pairs {
		of, rows = append(of, records.refs[p.Record]), append(rows, values.refs[p.Value])
	}
	l.refs = [2][]model.Ref{of, rows}
	if f.Type == Single {
		return l.load.AssignMany(f.id, of, rows)
	}
	return l.load.SetMany(f.id, rows, of)
}
