// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package recordapi

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"io"
	"strings"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/server/call"
)

// pageRecords is how many records of a listing are read at a time.
const pageRecords = 1000

// between stands between the values of a record in one field, in CSV.
const between = "|"

// listing is records as CSV or NDJSON, which are read while they are sent: its memory does not grow
// with their number. All are of one snapshot, which stays open until it is closed.
type listing struct {
	values
	of    *uproar.Selection
	req   *findRequest
	after *uproar.Place
	left  int // records that are still wanted; -1: all
	end   context.CancelFunc
	text  bytes.Buffer // what is not sent yet
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
	if req.media == mediaCSV {
		header := []string{"key"}
		for _, c := range columns {
			header = append(header, c.Name)
		}
		err = l.writeCSV([][]string{header})
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
	if l.done = len(places) < n || l.left == 0; len(places) == 0 {
		return nil
	}
	l.after = &places[len(places)-1]
	if l.req.media == mediaCSV {
		return l.csv(places)
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

// csv writes records as lines of CSV.
func (l *listing) csv(places []uproar.Place) error {
	ids, lines := make([]uint64, len(places)), make([][]string, len(places))
	for i, p := range places {
		ids[i] = p.Record
	}
	keys, err := l.s.KeysOf(ids)
	if err != nil {
		return err
	}
	for i, key := range keys {
		lines[i] = make([]string, 1, 1+len(l.columns))
		lines[i][0] = key
	}
	for at := range l.columns {
		of, err := l.texts(&l.columns[at], ids)
		if err != nil {
			return err
		}
		for i := range lines {
			lines[i] = append(lines[i], strings.Join(of[i], between))
		}
	}
	return l.writeCSV(lines)
}

func (l *listing) writeCSV(lines [][]string) error {
	w := csv.NewWriter(&l.text)
	if err := w.WriteAll(lines); err != nil {
		return err
	}
	return w.Error()
}
