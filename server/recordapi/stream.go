// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package recordapi

import (
	"bytes"
	"context"
	"encoding/json"
	"io"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/internal/export"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/server/call"
)

// pageRecords is how many records of a listing are read at a time.
const pageRecords = 1000

// listing is records as a table or NDJSON, which are read while they are sent: its memory does not
// grow with their number. All are of one snapshot, which stays open until it is closed.
type listing struct {
	values
	of    *uproar.Selection
	req   *findRequest
	after *uproar.Place
	left  int // records that are still wanted; -1: all
	end   context.CancelFunc
	text  bytes.Buffer  // what is not sent yet
	table export.Writer // nil: NDJSON
	done  bool
}

// newListing selects the records, and returns a reply that is sent while they are read. The limit
// of time is for the selection: the rest takes as long as the client takes it.
func newListing(ctx context.Context, ix *uproar.Index, expr query.Expr, columns []column, req *findRequest,
	after *uproar.Place) (call.Reply, error) {
	s := ix.Snapshot()
	of, err := s.Select(ctx, expr)
	if err != nil {
		s.Close()
		return nil, err
	}
	own, end := context.WithCancel(context.Background())
	l := &listing{values: values{ctx: own, s: s, columns: columns}, of: of, req: req, after: after, left: -1, end: end}
	if req.Limit > 0 {
		l.left = req.Limit
	}
	if req.table != "" {
		header := []export.Column{{Name: "key"}}
		for _, c := range columns {
			header = append(header, export.Column{Name: c.Name, Kind: kindOf(c.Field), Scale: c.Scale})
		}
		l.table, err = export.NewWriter(&l.text, req.table, header)
	}
	if err == nil {
		err = l.next() // so that what cannot be sorted so is an error, and not a broken answer
	}
	if err != nil {
		_ = l.Close()
		return nil, err
	}
	return call.Streamed{ContentType: req.media, Stream: l}, nil
}

// Read reads the text of the next records.
func (l *listing) Read(b []byte) (int, error) {
	for l.text.Len() == 0 {
		if l.done {
			return 0, io.EOF
		}
		if err := l.next(); err != nil {
			return 0, err
		}
	}
	return l.text.Read(b)
}

// Close ends the listing.
func (l *listing) Close() error {
	l.end()
	l.s.Close()
	return nil
}

// next writes the next records.
func (l *listing) next() error {
	n := pageRecords
	if l.left >= 0 {
		n = min(n, l.left)
	}
	places, err := l.of.Sorted(l.ctx, l.req.by, l.after, n)
	if err != nil {
		return err
	}
	if l.left >= 0 {
		l.left -= len(places)
	}
	l.done = len(places) < n || l.left == 0
	if len(places) > 0 {
		l.after = &places[len(places)-1]
	}
	if l.table != nil {
		return l.rows(places)
	}
	records, err := l.records(places)
	if err != nil {
		return err
	}
	e := json.NewEncoder(&l.text)
	e.SetEscapeHTML(false)
	for i := range records {
		if err := e.Encode(&records[i]); err != nil {
			return err
		}
	}
	return nil
}

// rows writes records as rows of a table, and its end behind the last ones.
func (l *listing) rows(places []uproar.Place) error {
	ids, rows := make([]uint64, len(places)), make([][]export.Cell, len(places))
	for i, p := range places {
		ids[i] = p.Record
	}
	keys, err := l.s.KeysOf(ids)
	if err != nil {
		return err
	}
	for i, key := range keys {
		rows[i] = append(make([]export.Cell, 0, 1+len(l.columns)), export.Cell{Text: key})
	}
	for at := range l.columns {
		c := &l.columns[at]
		of, err := l.texts(c, ids)
		if err != nil {
			return err
		}
		for i := range rows {
			cell, err := cellOf(c.Field, of[i])
			if err != nil {
				return err
			}
			rows[i] = append(rows[i], cell)
		}
	}
	for _, row := range rows {
		if err := l.table.Write(row); err != nil {
			return call.Invalid("%s", err)
		}
	}
	if l.done {
		return l.table.Close()
	}
	return nil
}

// kindOf returns what the cells of a field hold.
func kindOf(f uproar.Field) export.Kind {
	switch {
	case f.Type == uproar.Single:
		return export.Text
	case f.Type != uproar.Integer:
		return export.Texts
	case f.Format == uproar.Date:
		return export.Date
	case f.Format == uproar.Time:
		return export.Time
	case f.Scale > 0:
		return export.Decimal
	}
	return export.Integer
}

// cellOf returns the cell of a record's values in a field.
func cellOf(f uproar.Field, values []string) (cell export.Cell, err error) {
	switch kind := kindOf(f); {
	case kind == export.Texts:
		cell.Texts, cell.Null = values, len(values) == 0
	case len(values) == 0:
		cell.Null = true
	case kind == export.Text:
		cell.Text = values[0]
	default:
		cell.Integer, err = f.Parse(values[0])
	}
	return cell, err
}
