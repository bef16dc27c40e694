// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package recordapi

import (
	"context"
	"fmt"
	"io"
	"iter"
	"maps"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/server/call"
	"github.com/uproar-db/uproar/server/streaming"
	"github.com/uproar-db/uproar/store/memstore"
)

// formOf returns the form of a media type.
func formOf(t *testing.T, media string) streaming.Form {
	t.Helper()
	form, err := streaming.Accepted(&call.Request{Transport: accepts(media)})
	if err != nil {
		t.Fatal(err)
	}
	return form
}

// TestStreamOfLargeRecords: records with many values each are read a few at a time, and all come.
func TestStreamOfLargeRecords(t *testing.T) {
	ctx := t.Context()
	db, err := uproar.Open(ctx, memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	ix, err := db.CreateIndex(ctx, "people", uproar.Field{Name: "likes", Type: uproar.Set, Column: uproar.FastColumn})
	if err != nil {
		t.Fatal(err)
	}
	const records, values = 50, 1000
	long := strings.Repeat("x", 2000)
	for i := range records {
		var b uproar.Batch
		for v := range values {
			b.Set("likes", fmt.Sprint("p", i), fmt.Sprint("value", v, long))
		}
		b.Set("likes", fmt.Sprint("small", i), "x")
		if _, err := ix.Write(ctx, &b); err != nil {
			t.Fatal(err)
		}
	}
	columns, err := shown(ix, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, sorted := range []bool{false, true} {
		var most uint64
		req := findRequest{}
		if sorted {
			req.by = []uproar.Order{{Descending: true}}
		}
		form := formOf(t, "text/csv")
		r, err := streaming.New(1).Send(ctx, ix, query.All{}, form, func(ctx context.Context, s uproar.Snapshot,
			of *uproar.Selection) (streaming.List, error) {
			l, err := req.list(ctx, s, of, columns, nil)
			next := l.Next
			l.Next = func(out *streaming.Out) (bool, error) {
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				defer func() { runtime.ReadMemStats(&after); most = max(most, after.TotalAlloc-before.TotalAlloc) }()
				return next(out)
			}
			return l, err
		})
		if err != nil {
			t.Fatal(err)
		}
		table, err := io.ReadAll(r.(call.Streamed).Stream)
		if err != nil {
			t.Fatal(err)
		}
		text := string(table)
		if lines, got := strings.Count(text, "\n"), strings.Count(text, "value"); lines != 1+2*records ||
			got != records*values || sorted && !strings.HasPrefix(text, "key,likes\nsmall9,x\n") {
			t.Errorf("sorted %v: got %d lines and %d values, want %d and %d", sorted, lines, got, 1+2*records, records*values)
		}
		if most > 64<<20 {
			t.Errorf("sorted %v: %d bytes were taken at a time", sorted, most)
		}
	}
}

// TestLongSortedStream: records in an order come each once with their keys and values, however long
// keys are, and however many are read ahead.
func TestLongSortedStream(t *testing.T) {
	ctx := t.Context()
	db, err := uproar.Open(ctx, memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	ix, err := db.CreateIndex(ctx, "people", uproar.Field{Name: "n", Type: uproar.Integer})
	if err != nil {
		t.Fatal(err)
	}
	const records = 40_000
	keyOf := func(n int) string { // of the record that is the n-th
		if n%5000 < 200 {
			return fmt.Sprint(n, strings.Repeat("x", 3000+n%3*3000)) // some are too long to be carried
		}
		return fmt.Sprint("p", n)
	}
	order := rand.New(rand.NewPCG(5, 5)).Perm(records)
	for len(order) > 0 {
		var b uproar.Batch
		for _, n := range order[:500] {
			b.SetInt("n", keyOf(n), int64(n))
		}
		if _, err := ix.Write(ctx, &b); err != nil {
			t.Fatal(err)
		}
		order = order[500:]
	}
	columns, err := shown(ix, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, media := range []string{"text/csv", "application/x-ndjson"} {
		for _, limit := range []int{0, 1, 10_001, 31_000} {
			req := findRequest{by: []uproar.Order{{Field: "n"}}}
			req.Limit = limit
			form := formOf(t, media)
			r, err := streaming.New(1).Send(ctx, ix, query.All{}, form, func(ctx context.Context, s uproar.Snapshot,
				of *uproar.Selection) (streaming.List, error) {
				return req.list(ctx, s, of, columns, nil)
			})
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(r.(call.Streamed).Stream)
			if err != nil {
				t.Fatal(err)
			}
			lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
			if media == "text/csv" {
				lines = lines[1:]
			}
			want := records
			if limit > 0 {
				want = limit
			}
			if len(lines) != want {
				t.Fatalf("%s, limit %d: got %d records, want %d", media, limit, len(lines), want)
			}
			for n, line := range lines {
				want := fmt.Sprintf("%s,%d", keyOf(n), n)
				if media != "text/csv" {
					want = fmt.Sprintf(`{"key":"%s","values":{"n":%d}}`, keyOf(n), n)
				}
				if line != want {
					t.Fatalf("%s, limit %d: record %d is %.100s, want %.100s", media, limit, n, line, want)
				}
			}
		}
	}
}

// accepts is a request of nothing but a media type that is wanted.
type accepts string

func (accepts) Read([]byte) (int, error)    { return 0, io.EOF }
func (accepts) ReadUntil(time.Time)         {}
func (accepts) Remote() string              { return "" }
func (a accepts) Header(name string) string { return map[string]string{"Accept": string(a)}[name] }
func (a accepts) Has(name string) bool      { return name == "Accept" }
func (a accepts) Fields() iter.Seq2[string, string] {
	return maps.All(map[string]string{"Accept": string(a)})
}
