// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package recordapi

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/server/call"
	"github.com/uproar-db/uproar/server/streaming"
	"github.com/uproar-db/uproar/store/memstore"
)

// TestGetStreams: records by their keys are the same as lines and as rows as in one JSON text, also
// large ones, those that are missing, and those that are asked for twice.
func TestGetStreams(t *testing.T) {
	ctx := t.Context()
	db, err := uproar.Open(ctx, memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	ix, err := db.CreateIndex(ctx, "people", uproar.Field{Name: "n", Type: uproar.Integer},
		uproar.Field{Name: "likes", Type: uproar.Set, Column: uproar.FastColumn})
	if err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("x", 2000)
	for some := 0; some < 3000; some += 500 {
		var b uproar.Batch
		for n := some; n < some+500; n++ {
			key := fmt.Sprint("p", n)
			b.SetInt("n", key, int64(n))
			for v := 0; n%100 == 0 && v < 500; v++ { // more than are read at a time
				b.Set("likes", key, fmt.Sprint("v", v, long))
			}
		}
		if _, err := ix.Write(ctx, &b); err != nil {
			t.Fatal(err)
		}
	}
	r := rand.New(rand.NewPCG(2, 7))
	h := New(db, streaming.New(1))
	ask := func(media string, keys []string) string {
		t.Helper()
		req := getRequest{RecordsGetRequest: api.RecordsGetRequest{Index: "people", Keys: keys}}
		if media != "" {
			req.form = formOf(t, media)
		}
		reply, err := h.get(ctx, req)
		if err != nil {
			t.Fatal(err)
		}
		if media == "" {
			return string(reply.(*gotten).AppendJSON(nil))
		}
		stream := reply.(call.Streamed).Stream
		text, err := io.ReadAll(stream)
		if err != nil {
			t.Fatal(err)
		}
		if err := stream.(io.Closer).Close(); err != nil {
			t.Error(err)
		}
		return string(text)
	}
	for _, n := range []int{1, 2500} {
		keys := make([]string, n)
		for i := range keys {
			keys[i] = fmt.Sprint("p", r.IntN(4000)) // of which one in four is missing
		}
		var whole struct{ Records []json.RawMessage }
		if err := json.Unmarshal([]byte(ask("", keys)), &whole); err != nil || len(whole.Records) != n {
			t.Fatalf("got %d records, %v, want %d", len(whole.Records), err, n)
		}
		lines := strings.SplitAfter(ask("application/x-ndjson", keys), "\n")
		rows := strings.SplitAfter(ask("text/csv", keys), "\n")
		if rows[0] != "key,n,likes\n" || len(lines) != n+1 {
			t.Fatalf("got the columns %q and %d lines, want key, n, likes and %d", rows[0], len(lines)-1, n)
		}
		rows = rows[1:]
		for i, record := range whole.Records {
			if want := string(record) + "\n"; lines[i] != want {
				t.Fatalf("line %d is %.100q, want %.100q", i, lines[i], want)
			}
			var values struct {
				Values struct {
					N     *int
					Likes []string
				}
			}
			if err := json.Unmarshal(record, &values); err != nil {
				t.Fatal(err)
			}
			if values.Values.N == nil {
				continue
			}
			want := fmt.Sprintf("%s,%d,%s\n", keys[i], *values.Values.N, strings.Join(values.Values.Likes, "|"))
			if rows[0] != want {
				t.Fatalf("the row of %s is %.100q, want %.100q", keys[i], rows[0], want)
			}
			rows = rows[1:]
		}
		if len(rows) != 1 || rows[0] != "" {
			t.Errorf("got %.100q behind the last row", rows)
		}
		for media, end := range map[string]string{"application/vnd.apache.parquet": "PAR1",
			"application/vnd.apache.arrow.stream": "\xff\xff\xff\xff\x00\x00\x00\x00"} {
			if got := ask(media, keys); !strings.HasSuffix(got, end) {
				t.Errorf("%s: got %d bytes without an end", media, len(got))
			}
		}
	}
}
