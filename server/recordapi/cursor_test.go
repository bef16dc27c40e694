// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package recordapi

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
)

// TestCursorOfAnyBytes: pages in the order of keys that are no UTF-8 go on behind the last record,
// and end.
func TestCursorOfAnyBytes(t *testing.T) {
	d := newDesk(t)
	ix, err := d.db.Index("people")
	if err != nil {
		t.Fatal(err)
	}
	var b uproar.Batch
	for i := range 40 {
		b.AddRecord(string([]byte{0xf0 + byte(i%16), 0xfe, byte(i)}))
	}
	if _, err := ix.Write(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	for _, order := range []string{"key", "-key"} {
		req := api.RecordsFindRequest{Index: "people", Query: json.RawMessage(`"all"`), Sort: []string{order}, Limit: 3}
		records := 0
		for pages := 0; ; pages++ {
			var reply api.RecordsFindReply
			if err := d.ask(findPath, req, &reply); err != nil {
				t.Fatal(err)
			}
			records += len(reply.Records)
			if req.Cursor = reply.Cursor; req.Cursor == "" || pages > 40 {
				break
			}
		}
		if records != 40 {
			t.Errorf("by %s: got %d records on all pages, want 40", order, records)
		}
	}
}

// TestCursorUnderWrites reads pages while other records are written, deleted, made again and sorted
// anew, those at the ends of pages among them: each record that stays as it is comes once, in its
// order.
func TestCursorUnderWrites(t *testing.T) {
	for seed := range uint64(6) {
		d := newDesk(t)
		r := rand.New(rand.NewPCG(seed, 77))
		put := func(key string, age int) {
			d.must(writePath, fmt.Sprintf(`{"index":"people","puts":[{"key":%q,"values":{"age":%d}}]}`, key, age))
		}
		var want []string // in the order of ages, which differ
		for i := range 60 {
			want = append(want, fmt.Sprint("stays", i))
		}
		for _, i := range r.Perm(60) {
			put(want[i], 10*i)
			put(fmt.Sprint("moves", i), 10*r.IntN(60)+r.IntN(3)-1)
		}
		sort := []string{"age", "key"}
		if seed%2 == 1 {
			sort = []string{"-age"}
			slices.Reverse(want)
		}
		req := api.RecordsFindRequest{Index: "people", Query: json.RawMessage(`"all"`), Sort: sort,
			Limit: 1 + r.IntN(7)}
		var got []string
		for {
			var reply api.RecordsFindReply
			if err := d.ask(findPath, req, &reply); err != nil {
				t.Fatal(err)
			}
			for _, record := range reply.Records {
				if record.Key[:5] == "stays" {
					got = append(got, record.Key)
				} else {
					d.must(writePath, fmt.Sprintf(`{"index":"people","deletes":[%q]}`, record.Key))
				}
			}
			if req.Cursor = reply.Cursor; req.Cursor == "" {
				break
			}
			for range 5 {
				put(fmt.Sprint("moves", r.IntN(60)), 10*r.IntN(60)+r.IntN(3)-1)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("seed %d: got %v\nwant %v", seed, got, want)
		}
	}
}
