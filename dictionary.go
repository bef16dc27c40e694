// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"errors"

	"github.com/uproar-db/uproar/internal/binding"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/schema"
)

// Dictionary is texts that a load names by number: the keys of records, or values of one field. The
// load looks up each text once instead of at each occurrence. A Dictionary is not safe for
// concurrent use.
type Dictionary struct{ texts schema.Dictionary }

// NewDictionary returns a dictionary of texts, numbered from 0. It owns texts from then on.
func NewDictionary(texts []string) *Dictionary {
	d := new(Dictionary)
	d.Reset(texts)
	return d
}

// Reset gives the dictionary other texts, and uses its memory again.
func (d *Dictionary) Reset(texts []string) { d.texts.Reset(texts) }

// Len returns how many texts there are.
func (d *Dictionary) Len() int { return d.texts.Len() }

// Text returns the text of a number below Len.
func (d *Dictionary) Text(number uint32) string { return d.texts.Text(number) }

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
	if f.Type != schema.Set && f.Type != schema.Single {
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
	records.texts.Bind(l.round, model.RecordSpace)
	values.texts.Bind(l.round, model.KeySpace(f.ID))
	for i, p := range pairs {
		if records.texts.Asked(p.Record) && values.texts.Asked(p.Value) {
			continue
		}
		if bad := errors.Join(binding.CheckKey("record", "", records.Text(p.Record)),
			binding.CheckKey("value", field, values.Text(p.Value))); bad != nil {
			pairs, err = pairs[:i], bad
			break
		}
		records.texts.Ask(p.Record)
		values.texts.Ask(p.Value)
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
	records.texts.Bind(l.round, model.RecordSpace)
	for i, n := range numbers {
		if int(n) >= records.Len() {
			err = invalid("records: got number %d, want it below %d", n, records.Len())
		} else if !records.texts.Asked(n) {
			err = binding.CheckKey("record", "", records.Text(n))
		}
		if err != nil {
			numbers = numbers[:i]
			break
		}
		records.texts.Ask(n)
	}
	if failed := records.texts.Look(l.load.Keys); failed != nil {
		return 0, failed
	}
	return len(numbers), err
}

// setPairs is SetPairs for pairs that can be.
func (l *Loader) setPairs(f *schema.Bound, records, values *Dictionary, pairs []Pair) error {
	if f.Type == schema.Set {
		values.texts.Order(len(pairs), func(i int) uint32 { return pairs[i].Value })
	}
	if err := errors.Join(records.texts.Look(l.load.Keys), values.texts.Look(l.load.Keys)); err != nil {
		return err
	}
	of, rows := l.refs[0][:0], l.refs[1][:0]
	for _, p := range pairs {
		of, rows = append(of, records.texts.Ref(p.Record)), append(rows, values.texts.Ref(p.Value))
	}
	l.refs = [2][]model.Ref{of, rows}
	if f.Type == schema.Single {
		return l.load.AssignMany(f.ID, of, rows)
	}
	return l.load.SetMany(f.ID, rows, of)
}
