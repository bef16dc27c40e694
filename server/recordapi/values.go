// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package recordapi

import (
	"cmp"
	"context"
	"slices"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/server/call"
)

// values reads the values of some records at a time, field by field, in the order of their IDs.
type values struct {
	ctx     context.Context
	s       uproar.Snapshot
	columns []column
	readers []*uproar.Values // of the columns
	members []member         // of the columns, by name

	ids   []uint64 // of the records that are read, ascending
	at    []int    // their places among those that were asked for
	text  []byte   // values as JSON
	parts []part   // of the values of each record in each field, in text
	bytes int      // of all that was read, about
	told  int      // values
}

// member is a column as it stands in JSON.
type member struct {
	name   []byte // with quotes and a colon
	column int
}

// part is one of a text; an empty one: there is no value.
type part struct{ from, to int }

func newValues(ctx context.Context, s uproar.Snapshot, columns []column) (*values, error) {
	v := &values{ctx: ctx, s: s, columns: columns}
	for at, c := range columns {
		reader, err := s.Values(ctx, c.Name)
		if err != nil {
			return nil, err
		}
		v.readers = append(v.readers, reader)
		v.members = append(v.members, member{append(api.AppendString(nil, c.Name), ':'), at})
	}
	slices.SortFunc(v.members, func(a, b member) int {
		return cmp.Compare(columns[a.column].Name, columns[b.column].Name)
	})
	return v, nil
}

// arrange says which records are to be read.
func (v *values) arrange(ids []uint64) {
	v.at = v.at[:0]
	for i := range ids {
		v.at = append(v.at, i)
	}
	if !slices.IsSorted(ids) {
		slices.SortFunc(v.at, func(a, b int) int { return cmp.Compare(ids[a], ids[b]) })
	}
	v.ids = v.ids[:0]
	for _, i := range v.at {
		v.ids = append(v.ids, ids[i])
	}
}

// grown counts a value, and asks from time to time whether there is room for more.
func (v *values) grown(bytes int) error {
	v.bytes += bytes + call.EntryBytes/2
	if v.told++; v.told%256 == 0 {
		return uproar.Grow(v.ctx, v.bytes)
	}
	return nil
}

// read reads the values of records as JSON, for append.
func (v *values) read(ids []uint64) error {
	v.bytes += call.EntryBytes * len(ids)
	if err := uproar.Grow(v.ctx, v.bytes); err != nil {
		return err
	}
	v.arrange(ids)
	v.text, v.parts = v.text[:0], append(v.parts[:0], make([]part, len(ids)*len(v.columns))...)
	for at := range v.columns {
		if err := v.readColumn(at); err != nil {
			return err
		}
	}
	return uproar.Grow(v.ctx, v.bytes)
}

// readColumn reads the values of the records in a field.
func (v *values) readColumn(at int) error {
	c := &v.columns[at]
	if c.Type == uproar.Integer {
		return v.readers[at].Integers(v.ids, func(i int, x int64) error {
			from := len(v.text)
			if c.Format == uproar.Number {
				v.text = c.AppendText(v.text, x)
			} else {
				v.text = append(c.AppendText(append(v.text, '"'), x), '"')
			}
			return v.put(i, at, from)
		})
	}
	last, from := -1, 0
	return v.readers[at].Texts(v.ids, func(i int, text string) error {
		switch {
		case i == last: // one more of a list
			v.text[len(v.text)-1] = ','
		case c.many:
			last, from = i, len(v.text)
			v.text = append(v.text, '[')
		default:
			from = len(v.text)
		}
		if v.text = api.AppendString(v.text, text); c.many {
			v.text = append(v.text, ']')
		}
		return v.put(i, at, from)
	})
}

// put says that the values of a record in a field are the text from there on.
func (v *values) put(i, column, from int) error {
	s := &v.parts[v.at[i]*len(v.columns)+column]
	before := s.to
	s.from, s.to = from, len(v.text)
	return v.grown(s.to - max(from, before))
}

// append appends a record that was read, by its place among them, as an api.Record.
func (v *values) append(dst []byte, key string, i int) []byte {
	dst = append(api.AppendString(append(dst, `{"key":`...), key), `,"values":{`...)
	first := true
	for _, m := range v.members {
		s := v.parts[i*len(v.columns)+m.column]
		if s.from == s.to {
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = append(append(dst, m.name...), v.text[s.from:s.to]...)
	}
	return append(dst, "}}"...)
}
