// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"bufio"
	"compress/gzip"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/store/pebblestore"
)

// epinions is the network that the demo embeds: 75 879 accounts, 508 837 follows.
const epinions = "cmd/uproar/epinions/soc-Epinions1.txt.gz"

// network is the plain reference: who follows whom, both ways.
type network struct {
	following, followers map[string]map[string]bool
	accounts             []string // in order of first appearance
	seen                 map[string]bool
}

func newNetwork() *network {
	return &network{following: map[string]map[string]bool{}, followers: map[string]map[string]bool{},
		seen: map[string]bool{}}
}

func (n *network) follow(a, b string) {
	for _, x := range [...]string{a, b} {
		if !n.seen[x] {
			n.seen[x] = true
			n.accounts = append(n.accounts, x)
			n.following[x], n.followers[x] = map[string]bool{}, map[string]bool{}
		}
	}
	n.following[a][b], n.followers[b][a] = true, true
}

func (n *network) unfollow(a, b string) {
	delete(n.following[a], b)
	delete(n.followers[b], a)
}

func readEpinions(t testing.TB, fn func(a, b string)) {
	t.Helper()
	f, err := os.Open(epinions)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(z); lines.Scan(); {
		if a, b, ok := strings.Cut(lines.Text(), "\t"); ok && !strings.HasPrefix(a, "#") {
			fn(a, strings.TrimSpace(b))
		}
	}
}

// TestEpinions compares the database with the reference over the whole network: all accounts'
// followers, following and mutuals, and the intersection for random pairs; after the load, with
// writes pending, after a flush, and opened again.
func TestEpinions(t *testing.T) {
	if testing.Short() {
		t.Skip("a load of half a million follows, and every account asked four times")
	}
	ctx := context.Background()
	dir := t.TempDir()
	open := func() (*uproar.DB, *uproar.Index) {
		s, err := pebblestore.Open(dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		db := openDB(t, s, nil)
		ix, err := db.Index("accounts")
		if err != nil {
			ix = newAccounts(t, db)
		}
		return db, ix
	}
	db, ix := open()
	net := newNetwork()
	load, err := ix.Load(ctx, &uproar.LoadOptions{MemoryBytes: 8 << 20})
	if err != nil {
		t.Fatal(err)
	}
	edges := 0
	readEpinions(t, func(a, b string) {
		edges++
		net.follow(a, b)
		if err := load.Set("follows", a, b); err != nil {
			t.Fatal(err)
		}
	})
	if err := load.Commit(); err != nil {
		t.Fatal(err)
	}
	if len(net.accounts) != 75_879 || edges != 508_837 {
		t.Fatalf("got %d accounts and %d follows, want 75 879 and 508 837", len(net.accounts), edges)
	}
	rng := rand.New(rand.NewPCG(7, 7))
	net.check(t, ix, rng)

	for range 40 {
		var b uproar.Batch
		for range 500 {
			a, c := net.accounts[rng.IntN(len(net.accounts))], net.accounts[rng.IntN(len(net.accounts))]
			switch rng.IntN(4) {
			case 0: // a follow that is there goes
				for c := range net.following[a] {
					net.unfollow(a, c)
					b.Clear("follows", a, c)
					break
				}
			case 1:
				c = fmt.Sprint("new-", rng.IntN(1000))
				fallthrough
			default:
				net.follow(a, c)
				b.Set("follows", a, c)
			}
		}
		if _, err := ix.Write(ctx, &b); err != nil {
			t.Fatal(err)
		}
	}
	if stats, err := ix.Stats(); err != nil || stats.DeltaEdits == 0 {
		t.Fatalf("got %d edits pending (%v), want some", stats.DeltaEdits, err)
	}
	net.check(t, ix, rng)
	if err := ix.Flush(ctx); err != nil {
		t.Fatal(err)
	}
	net.check(t, ix, rng)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	db, ix = open()
	defer db.Close()
	net.check(t, ix, rng)
}

// check compares every account's answers with the reference, and 10 000 random pairs.
func (n *network) check(t *testing.T, ix *uproar.Index, rng *rand.Rand) {
	t.Helper()
	ctx := context.Background()
	snap := ix.Snapshot()
	defer snap.Close()
	ids := make(map[string]uint64, len(n.accounts))
	names := make(map[uint64]string, len(n.accounts))
	for _, a := range n.accounts {
		id, err := snap.ID(a)
		if err != nil {
			t.Fatal(err)
		}
		if other, taken := names[id]; taken {
			t.Fatalf("accounts %q and %q have the same ID %d", a, other, id)
		}
		ids[a], names[id] = id, a
	}
	if all, err := snap.Count(ctx, query.All{}); err != nil || all != uint64(len(n.accounts)) {
		t.Fatalf("got %d records, %v, want %d", all, err, len(n.accounts))
	}
	same := func(e query.Expr, want map[string]bool) {
		t.Helper()
		got, err := snap.IDs(ctx, e, uproar.Page{})
		if err != nil {
			t.Fatal(err)
		}
		wanted := make([]uint64, 0, len(want))
		for a := range want {
			wanted = append(wanted, ids[a])
		}
		slices.Sort(wanted)
		if !slices.Equal(got.IDs, wanted) {
			t.Fatalf("%s: got %d accounts, want %d", e, len(got.IDs), len(wanted))
		}
	}
	for _, a := range n.accounts {
		following, followers := query.Related{Field: "follows", Key: a}, query.Related{Field: "followers", Key: a}
		same(following, n.following[a])
		same(followers, n.followers[a])
		same(query.And{Of: []query.Expr{following, followers}}, both(n.following[a], n.followers[a]))
	}
	for range 10_000 {
		a, b := n.accounts[rng.IntN(len(n.accounts))], n.accounts[rng.IntN(len(n.accounts))]
		e := query.And{Of: []query.Expr{query.Related{Field: "follows", Key: a},
			query.Related{Field: "followers", Key: b}}}
		want := both(n.following[a], n.followers[b])
		same(e, want)
		if count, err := snap.Count(ctx, e); err != nil || count != uint64(len(want)) {
			t.Fatalf("count of %s: got %d, %v, want %d", e, count, err, len(want))
		}
		if has, err := snap.Has("follows", a, b); err != nil || has != n.following[a][b] {
			t.Fatalf("%s follows %s: got %v, %v, want %v", a, b, has, err, n.following[a][b])
		}
	}
	keys, err := snap.Keys(ctx, query.Related{Field: "followers", Key: n.accounts[0]}, uproar.Page{})
	if err != nil {
		t.Fatal(err)
	}
	for i, key := range keys.Keys {
		if !n.followers[n.accounts[0]][key] {
			t.Fatalf("follower %d: got %q, who does not follow %q", i, key, n.accounts[0])
		}
	}
}

func both(a, b map[string]bool) map[string]bool {
	out := map[string]bool{}
	for x := range a {
		if b[x] {
			out[x] = true
		}
	}
	return out
}
