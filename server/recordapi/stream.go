// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package recordapi

import (
	"context"
	"errors"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/internal/export"
	"github.com/uproar-db/uproar/server/streaming"
)

// listing is records in an order, which are read while they are sent.
type listing struct {
	*values
	sorting *uproar.Sorting
	header  []export.Column // that of the key, and the others in the order of the fields
	isTable bool            // rows are sent, else lines of JSON
	some    []uint64        // the records that come next
	keys    []string        // of them
	ahead   int             // how many come next
	unread  []uint64        // those of them that were not read yet
	sorted  bool            // by more than their IDs
	ended   bool            // nothing comes behind some
	atOnce  int             // how many are read at a time
	cells   []export.Cell   // of the rows that are being written
	texts   []string        // of cells
}

// mostRead is about how many bytes of values are read at a time, unless they are of one record.
const mostRead = 4 << 20

// Records in an order lie anywhere, and a page takes some time to be unpacked: it is to serve many.
// So more of them are read at a time, and keys, whose pages take the longest, further ahead.
const (
	mostSorted   = 8 * streaming.AtOnce
	mostAhead    = 8 * mostSorted
	mostKeyBytes = 2 << 20 // about, of keys that are read ahead
)

// errMuch ends the reading of records that have more.
var errMuch = errors.New("recordapi: too much to be read at a time")

// list returns the records that a request wants, one after the other.
func (req *findRequest) list(ctx context.Context, s uproar.Snapshot, of *uproar.Selection, columns []column,
	after *uproar.Place) (streaming.List, error) {
	l, err := newListing(ctx, s, columns)
	if err != nil {
		return streaming.List{}, err
	}
	if l.sorting, err = of.Sort(ctx, req.by, after, req.Limit); err != nil {
		return streaming.List{}, err
	}
	l.sorted = len(req.by) > 0
	l.sorting.Carry(l.carry)
	return streaming.List{Columns: l.header, Next: l.next, Late: l.sorted,
		End: func() { _ = l.sorting.Close() }}, nil
}

// newListing returns a listing of no records yet.
func newListing(ctx context.Context, s uproar.Snapshot, columns []column) (*listing, error) {
	v, err := newValues(ctx, s, columns)
	if err != nil {
		return nil, err
	}
	l := &listing{values: v, atOnce: streaming.AtOnce, ahead: streaming.AtOnce, header: []export.Column{{Name: "key"}}}
	v.ctx = uproar.WithGrow(ctx, func(bytes int) error {
		if bytes > mostRead && l.atOnce > 1 {
			return errMuch
		}
		return nil
	})
	for _, c := range columns {
		l.header = append(l.header, streaming.ColumnOf(c.Field, c.Name, false))
	}
	return l, nil
}

// next writes the next records.
func (l *listing) next(out *streaming.Out) (more bool, err error) {
	l.isTable = out.IsTable()
	if len(l.unread) == 0 {
		if err := l.fetch(); err != nil {
			return false, err
		}
	}
	if err := l.carried(out); err != nil {
		return false, err
	}
	write := l.lines
	if l.isTable {
		write = l.rows
	}
	most := streaming.AtOnce
	if l.sorted {
		most = mostSorted
	}
	l.atOnce = min(2*l.atOnce, most)
	n, err := l.fitting(l.notCarried(), func(n int) error {
		return write(out, l.unread[:n], l.keys[len(l.some)-len(l.unread):])
	})
	l.unread = l.unread[n:]
	return len(l.unread) > 0 || !l.ended, err
}

// fitting calls read with how many records are to be read, at most so many, and again with fewer as
// long as there is too much to them. It returns how many were read.
func (l *listing) fitting(most int, read func(n int) error) (n int, err error) {
	if most == 0 {
		return 0, nil
	}
	for {
		l.atOnce, l.bytes, l.told = min(l.atOnce, most), 0, 0
		n = l.atOnce
		if err = read(n); !errors.Is(err, errMuch) { // of which nothing was told
			return n, err
		}
		l.atOnce = max(1, l.atOnce/8)
	}
}

// fetch finds the records that come next, and the keys of those that are not carried.
func (l *listing) fetch() (err error) {
	if l.some, err = l.sorting.Next(l.some[:0], l.ahead); err != nil {
		return err
	}
	if err = l.readKeys(); err != nil {
		return err
	}
	l.unread, l.ended = l.some, len(l.some) < l.ahead
	if size := 1; l.sorted && len(l.keys) > 0 && len(l.sorting.Carried()) == 0 {
		for _, key := range l.keys {
			size += len(key)
		}
		l.ahead = min(max(streaming.AtOnce, mostKeyBytes*len(l.keys)/size), 2*l.ahead, mostAhead)
	}
	return nil
}

// readKeys reads the keys of the records that come next and are not carried.
func (l *listing) readKeys() (err error) {
	of := l.sorting.Carried()
	if len(of) == 0 {
		l.keys, err = l.s.KeysOf(l.some)
		return err
	}
	var places []int
	var ids []uint64
	for i, one := range of {
		if len(one) == 0 {
			places, ids = append(places, i), append(ids, l.some[i])
		}
	}
	l.keys = make([]string, len(l.some))
	keys, err := l.s.KeysOf(ids)
	for i := range keys {
		l.keys[places[i]] = keys[i]
	}
	return err
}

// lines writes records as JSON.
func (l *listing) lines(out *streaming.Out, ids []uint64, keys []string) error {
	l.count(keys[:len(ids)])
	err := l.read(ids)
	for i := 0; i < len(ids) && err == nil; i++ {
		out.Append(func(dst []byte) []byte { return l.append(dst, keys[i], i) })
	}
	return err
}

// rows writes records as rows of a table.
func (l *listing) rows(out *streaming.Out, ids []uint64, keys []string) error {
	if err := l.readCells(ids, keys[:len(ids)]); err != nil {
		return err
	}
	for cells := l.cells; len(cells) > 0; cells = cells[len(l.header):] {
		if err := out.Row(cells[:len(l.header)]...); err != nil {
			return err
		}
	}
	return nil
}

// readCells reads records as the cells of their rows.
func (l *listing) readCells(ids []uint64, keys []string) error {
	width := len(l.header)
	l.cells, l.texts = append(l.cells[:0], make([]export.Cell, width*len(ids))...), l.texts[:0]
	for i, key := range keys {
		row := l.cells[i*width : (i+1)*width]
		row[0].Text = key
		for k := range row[1:] {
			row[1+k].Null = true
		}
	}
	l.count(keys)
	l.arrange(ids)
	for at := range l.columns {
		if err := l.fill(at, width); err != nil {
			return err
		}
	}
	return nil
}

// count counts keys as text that is read.
func (l *listing) count(keys []string) {
	for _, key := range keys {
		l.bytes += len(key)
	}
}

// fill reads the values of the records in a field into the cells of its column.
func (l *listing) fill(at, width int) error {
	cell := func(i int) *export.Cell { return &l.cells[l.at[i]*width+1+at] }
	if l.columns[at].Type == uproar.Integer {
		return l.readers[at].Integers(l.ids, func(i int, x int64) error {
			*cell(i) = export.Cell{Integer: x}
			return l.grown(0)
		})
	}
	last, from := -1, 0
	return l.readers[at].Texts(l.ids, func(i int, text string) error {
		if !l.columns[at].many {
			*cell(i) = export.Cell{Text: text}
			return l.grown(len(text))
		}
		if i != last {
			last, from = i, len(l.texts)
		}
		l.texts = append(l.texts, text)
		*cell(i) = export.Cell{Texts: l.texts[from:len(l.texts):len(l.texts)]}
		return l.grown(len(text))
	})
}
