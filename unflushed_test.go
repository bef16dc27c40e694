// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strconv"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/store/memstore"
)

// TestUnflushedWork: a question before a flush allocates at most twice what it does after it. What
// it allocates is what overlaying takes. This holds however many writes are not flushed, and after
// a deletion. The first readers of a state may have more to do: they merge for later readers.
func TestUnflushedWork(t *testing.T) {
	if raceEnabled {
		t.Skip("under the race detector pools let go of memory at random")
	}
	writes := 20_000
	if testing.Short() {
		writes = 2_000
	}
	ctx := t.Context()
	db, err := uproar.Open(ctx, memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	ix, err := db.CreateIndex(ctx, "people", uproar.Field{Name: "city", Type: uproar.Single},
		uproar.Field{Name: "likes", Type: uproar.Set},
		uproar.Field{Name: "age", Type: uproar.Integer}, uproar.Field{Name: "follows", Type: uproar.Relation,
			Inverse: "followers"})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(30, 4))
	people := 0
	write := func(n int) {
		var b uproar.Batch
		for i := range n {
			key := "u" + strconv.Itoa(r.IntN(people+1))
			if i%10 == 0 {
				people++
				key = "u" + strconv.Itoa(people)
			}
			b.Set("city", key, "c"+strconv.Itoa(r.IntN(50)))
			b.Set("likes", key, "l"+strconv.Itoa(r.IntN(200)))
			b.SetInt("age", key, r.Int64N(100))
			b.Set("follows", key, "u"+strconv.Itoa(1+r.IntN(10)))
			if b.Len() > 4000 || i == n-1 {
				if _, err := ix.Write(ctx, &b); err != nil {
					t.Fatal(err)
				}
				b.Reset()
			}
		}
	}
	people = 20_000
	write(60_000)
	if err := ix.Flush(ctx); err != nil {
		t.Fatal(err)
	}
	flushed := allocated(t, ctx, ix, nil)
	for _, n := range []int{1, 200, writes} {
		write(n)
		t.Run(fmt.Sprint(n), func(t *testing.T) { allocated(t, ctx, ix, flushed) })
	}
	if err := ix.Flush(ctx); err != nil {
		t.Fatal(err)
	}
	var b uproar.Batch
	b.DeleteRecord("u1")
	if _, err := ix.Write(ctx, &b); err != nil {
		t.Fatal(err)
	}
	t.Run("deletion", func(t *testing.T) { allocated(t, ctx, ix, flushed) })
}

// allocated returns the bytes that each question allocates, once it has been asked some times. They
// must be at most twice those given, and some for larger answers.
func allocated(t *testing.T, ctx context.Context, ix *uproar.Index, flushed map[string]uint64) map[string]uint64 {
	t.Helper()
	const warm, asked, slack = 40, 20, 24 << 10
	bytes := make(map[string]uint64)
	snap := ix.Snapshot()
	defer snap.Close()
	measure := func(name string, ask func() error) {
		for range warm {
			if err := ask(); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range asked {
			_ = ask()
		}
		runtime.ReadMemStats(&after)
		bytes[name] = (after.TotalAlloc - before.TotalAlloc) / asked
		if most, known := flushed[name]; known && bytes[name] > 2*most+slack {
			t.Errorf("%s: got %d bytes allocated, want at most twice the %d of flushed", name, bytes[name], most)
		}
	}
	for _, text := range []string{"city = c1", "city in (c1, c2, c3)", "likes = l1 and city = c2",
		"age between 10 and 20", "not likes = l1", "any(age)",
		`city prefix "c1"`, "followers(u2) and followers(u3)", "at least 2 of (likes = l1, likes = l2, likes = l3)"} {
		q, err := query.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		measure(text, func() error { _, err := snap.Count(ctx, q); return err })
		measure("keys: "+text, func() error { _, err := snap.Keys(ctx, q, uproar.Page{Limit: 10}); return err })
	}
	young, err := snap.Select(ctx, query.Field("age").Less("40"))
	if err != nil {
		t.Fatal(err)
	}
	measure("numbers", func() error { _, err := young.Numbers(ctx, "age", 0.5); return err })
	measure("top of likes", func() error { _, err := young.Top(ctx, "likes", uproar.TopOptions{Limit: 5}); return err })
	measure("top of cities by lift", func() error {
		_, err := young.Top(ctx, "city", uproar.TopOptions{By: uproar.ByLift, Limit: 5})
		return err
	})
	measure("groups", func() error { _, err := young.Groups(ctx, 100, "city"); return err })
	measure("cross-tab", func() error { _, err := young.Groups(ctx, 100, "city", "likes"); return err })
	return bytes
}
