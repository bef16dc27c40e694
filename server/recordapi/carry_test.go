// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package recordapi

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/internal/export"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/server/call"
	"github.com/uproar-db/uproar/server/streaming"
	"github.com/uproar-db/uproar/store/memstore"
)

// TestSortedStreamsAreCarried: records of every type of field, some too large to be carried, are
// the same lines and rows in an order as they are one by one.
func TestSortedStreamsAreCarried(t *testing.T) {
	ctx := t.Context()
	db, err := uproar.Open(ctx, memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	ix, err := db.CreateIndex(ctx, "people", uproar.Field{Name: "n", Type: uproar.Integer},
		uproar.Field{Name: "paid", Type: uproar.Integer, Scale: 2}, uproar.Field{Name: "city", Type: uproar.Single},
		uproar.Field{Name: "born", Type: uproar.Integer, Format: uproar.Date},
		uproar.Field{Name: "likes", Type: uproar.Set},
		uproar.Field{Name: "tags", Type: uproar.Set, Column: uproar.FastColumn},
		uproar.Field{Name: "knows", Type: uproar.Relation, Inverse: "known"})
	if err != nil {
		t.Fatal(err)
	}
	const records = 9000 // more than are read together to be sorted
	r := rand.New(rand.NewPCG(8, 8))
	for _, some := range slices.Collect(slices.Chunk(r.Perm(records), 500)) {
		var b uproar.Batch
		for _, n := range some {
			key := fmt.Sprint("p", n)
			b.SetInt("n", key, int64(n))
			if r.IntN(3) > 0 {
				b.SetInt("paid", key, r.Int64()-1<<62)
			}
			if r.IntN(3) > 0 {
				cities := []string{"Łódź, \"PL\"", "a\nb", strings.Repeat("c", 5000)}
				b.Set("city", key, cities[min(2, r.IntN(50))])
			}
			if r.IntN(3) == 0 {
				b.SetInt("born", key, r.Int64N(20_000))
			}
			for range r.IntN(3) {
				b.Set("tags", key, fmt.Sprint("tag", r.IntN(20)))
				b.Set("likes", key, fmt.Sprint("like", r.IntN(5)))
				b.Set("knows", key, fmt.Sprint("p", r.IntN(records)))
			}
		}
		if _, err := ix.Write(ctx, &b); err != nil {
			t.Fatal(err)
		}
	}
	columns, err := shown(ix, nil)
	if err != nil {
		t.Fatal(err)
	}
	send := func(media string, req findRequest) []string {
		t.Helper()
		stream, err := streaming.New(1).Send(ctx, ix, query.All{}, formOf(t, media), func(ctx context.Context,
			s uproar.Snapshot, of *uproar.Selection) (streaming.List, error) {
			return req.list(ctx, s, of, columns, nil)
		})
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(stream.(call.Streamed).Stream)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Split(string(text), "\n")
	}
	for _, media := range []string{"text/tab-separated-values", "application/x-ndjson"} {
		plain := send(media, findRequest{})
		sorted := send(media, findRequest{by: []uproar.Order{{Field: "n", Descending: true}}})
		if len(plain) < records || len(plain) != len(sorted) {
			t.Fatalf("%s: got %d lines, want %d", media, len(sorted), len(plain))
		}
		slices.Sort(plain)
		again := slices.Sorted(slices.Values(sorted))
		if !slices.Equal(plain, again) {
			t.Errorf("%s: sorted rows differ from those as they lie", media)
		}
		if !strings.Contains(sorted[1]+sorted[0], fmt.Sprint("p", records-1)) {
			t.Errorf("%s: got %.200q first, want the record of the greatest number", media, sorted[:2])
		}
	}
}

// TestCellReader: what is no row is told, and read without a panic; what was appended is read.
func TestCellReader(t *testing.T) {
	columns := []export.Column{{}, {Kind: export.Texts}, {Kind: export.Date}}
	row := []export.Cell{{Text: "k"}, {Texts: []string{"", "two"}}, {Integer: -7}}
	whole := appendCells(nil, columns, row)
	read := func(b []byte) ([]export.Cell, bool) {
		cells := make([]export.Cell, len(columns))
		r := cellReader{whole: string(b), bytes: b}
		_, ok := r.cells(cells, columns, nil)
		return cells, ok
	}
	if got, ok := read(whole); !ok || fmt.Sprint(got) != fmt.Sprint(row) {
		t.Errorf("got %v, %v, want %v", got, ok, row)
	}
	for n := range whole {
		if got, ok := read(whole[:n]); ok {
			t.Errorf("%d bytes of %d: got %v", n, len(whole), got)
		}
	}
	r := rand.New(rand.NewPCG(1, 9))
	for range 10_000 {
		b := make([]byte, r.IntN(20))
		for i := range b {
			b[i] = byte(r.Uint32() >> r.IntN(8))
		}
		read(b)
	}
}
