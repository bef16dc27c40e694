// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/store/memstore"
)

// TestChangesRebuild follows random writes, deletions among them, and rebuilds from the changes
// alone what the index answers.
func TestChangesRebuild(t *testing.T) {
	db, ix := people(t)
	defer db.Close()
	rng := rand.New(rand.NewPCG(3, 4))
	name := func(kind string, n int) string { return fmt.Sprint(kind, rng.IntN(n)) }
	have := map[string]bool{} // "field record value"
	drop := func(match func(field, record, value string) bool) {
		maps.DeleteFunc(have, func(k string, _ bool) bool {
			p := strings.Split(k, " ")
			return match(p[0], p[1], p[2])
		})
	}
	after, commits, nameless := uint64(0), 0, 0
	for range 200 {
		put(t, ix, func(b *uproar.Batch) {
			for range 1 + rng.IntN(6) {
				r := name("r", 9)
				switch rng.IntN(9) {
				case 0:
					b.DeleteRecord(r)
				case 1:
					b.DeleteRow([]string{"tag", "city"}[rng.IntN(2)], name("v", 4))
				case 2:
					b.DeleteRow("follows", r)
				case 3:
					b.Clear("tag", r, name("v", 4))
				case 4:
					b.Unset("city", r)
				case 5:
					b.Set("city", r, name("v", 4))
				case 6:
					b.SetInt("age", r, rng.Int64N(90))
				case 7:
					b.Set("follows", r, name("r", 9))
				default:
					b.Set("tag", r, name("v", 4))
				}
			}
		})
		if rng.IntN(6) == 0 {
			if err := ix.Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
			continue // the follower is behind, and the keys of what was deleted are gone
		}
		for c, err := range ix.Changes(t.Context(), after) {
			if err != nil {
				t.Fatal(err)
			}
			if c.Sequence != after+1 {
				t.Fatalf("got commit %d after %d", c.Sequence, after)
			}
			after = c.Sequence
			commits++
			for _, x := range c.Changes {
				if x.Kind != uproar.ChangeDeleteRow && x.Kind != uproar.ChangeUnset &&
					x.Kind != uproar.ChangeDeleteRecord && (x.Record == "" || x.Value == "") {
					nameless++
					continue // of a record that a later commit deletes
				}
				switch x.Kind {
				case uproar.ChangeSet:
					if x.Field == "city" || x.Field == "age" {
						drop(func(f, r, _ string) bool { return f == x.Field && r == x.Record })
					}
					have[x.Field+" "+x.Record+" "+x.Value] = true
				case uproar.ChangeClear:
					delete(have, x.Field+" "+x.Record+" "+x.Value)
				case uproar.ChangeUnset:
					drop(func(f, r, _ string) bool { return f == x.Field && r == x.Record })
				case uproar.ChangeDeleteRecord:
					drop(func(f, r, v string) bool { return r == x.Record || f == "follows" && v == x.Record })
				case uproar.ChangeDeleteRow:
					drop(func(f, r, v string) bool {
						return f == x.Field && (f != "follows" && v == x.Value || f == "follows" && r == x.Value)
					})
				}
			}
		}
		snap := ix.Snapshot()
		got := map[string]bool{}
		for r := range 9 {
			r := fmt.Sprint("r", r)
			values := map[string][]string{"follows": nil, "tag": nil, "city": nil}
			for v := range 9 {
				values["follows"] = append(values["follows"], fmt.Sprint("r", v))
				values["tag"], values["city"] = append(values["tag"], fmt.Sprint("v", v)),
					append(values["city"], fmt.Sprint("v", v))
			}
			for field, all := range values {
				for _, v := range all {
					ok, err := snap.Has(field, r, v)
					if err != nil && !errors.Is(err, uproar.ErrUnknownRecord) {
						t.Fatal(err)
					}
					if ok {
						got[field+" "+r+" "+v] = true
					}
				}
			}
			if x, ok, err := snap.Int("age", r); ok && err == nil {
				got[fmt.Sprint("age ", r, " ", x)] = true
			}
		}
		snap.Close()
		if !maps.Equal(got, have) {
			t.Fatalf("after commit %d: got %v, the changes say %v", after, slices.Sorted(maps.Keys(got)),
				slices.Sorted(maps.Keys(have)))
		}
	}
	if commits < 150 || nameless == 0 {
		t.Errorf("got %d commits and %d changes of records that are gone, want most of 200, and some", commits,
			nameless)
	}
}

// TestChangesToCome asks for what comes after a commit that is yet to come: the error is the
// database's own.
func TestChangesToCome(t *testing.T) {
	db, ix := people(t)
	defer db.Close()
	put(t, ix, func(b *uproar.Batch) { b.AddRecord("ann") })
	for after, want := range map[uint64]error{1: nil, 2: uproar.ErrInvalid} {
		var got error
		for _, err := range ix.Changes(t.Context(), after) {
			got = err
		}
		if !errors.Is(got, want) {
			t.Errorf("after %d: got %v, want %v", after, got, want)
		}
	}
}

func ExampleIndex_Changes() {
	ctx := context.Background()
	db, err := uproar.Open(ctx, memstore.New(), nil)
	if err != nil {
		panic(err)
	}
	defer db.Close()
	accounts, err := db.CreateIndex(ctx, "accounts", uproar.Field{Name: "follows", Type: uproar.Relation,
		Inverse: "followers"})
	if err != nil {
		panic(err)
	}
	var b uproar.Batch
	b.Set("follows", "ann", "bob")
	seen, err := accounts.Write(ctx, &b)
	if err != nil {
		panic(err)
	}
	b.Reset()
	b.Clear("follows", "ann", "bob")
	b.DeleteRecord("bob")
	if _, err := accounts.Write(ctx, &b); err != nil {
		panic(err)
	}
	for c, err := range accounts.Changes(ctx, seen) { // go on after what was seen
		if err != nil {
			panic(err)
		}
		for _, x := range c.Changes {
			fmt.Println(c.Sequence, x.Kind, x.Field, x.Record, x.Value)
		}
	}
	// Output:
	// 2 deleteRecord  bob
}
