// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/overlay"
	"github.com/uproar-db/uproar/store/memstore"
)

// TestRelate loads random pairs in very little memory, so that it forgets keys and makes many runs.
// Meanwhile commits bring the same keys. The index is not empty.
func TestRelate(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	rng := rand.New(rand.NewPCG(4, 4))
	ix := open(t, memstore.New(), testConfig(t, 1<<20))
	defer ix.Close()
	type pair struct{ row, record string }
	want := make(map[pair]bool)
	var names []string
	for len(names) < 9000 {
		if key := randomKey(rng, 1e6); len(key) > 0 && len(key) < 500 {
			names = append(names, key)
		}
	}
	account := func() string { return names[min(rng.IntN(len(names)), rng.IntN(len(names)))] }
	for _, memory := range []int64{10_000, 1 << 20, 8 << 20} {
		l, err := ix.Load(t.Context(), memory, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer l.Abort()
		for range 20 {
			var keys [][]byte
			for range rng.IntN(2000) {
				p := pair{account(), account()}
				keys = append(keys, []byte(p.row), []byte(p.record))
				want[p] = true
			}
			if err := l.Relate(follows, keys); err != nil {
				t.Fatal(err)
			}
			var b Batch
			for range 3 {
				p := pair{account(), account()}
				b.Set(follows, b.Key(model.RecordSpace, p.row), b.Key(model.RecordSpace, p.record))
				b.Set(model.Exists, model.ID(0), b.Key(model.RecordSpace, p.row))
				b.Set(model.Exists, model.ID(0), b.Key(model.RecordSpace, p.record))
				want[p] = true
			}
			if _, err := ix.Commit(t.Context(), &b); err != nil {
				t.Fatal(err)
			}
		}
		if waiting := l.Deferred.Count(); (memory == 10_000) != (waiting > 1000) {
			t.Errorf("%d bytes of memory: got %d pairs that wait for another pass", memory, waiting)
		}
		if _, err := l.Commit(); err != nil {
			t.Fatal(err)
		}
	}
	snap := ix.Snapshot()
	defer snap.Close()
	var list overlay.List
	for p := range want {
		row, ok, err := snap.Lookup(model.RecordSpace, p.row)
		record, ok2, err2 := snap.Lookup(model.RecordSpace, p.record)
		if err != nil || err2 != nil || !ok || !ok2 {
			t.Fatalf("%q: got %v, %v, %v, %v", p, ok, err, ok2, err2)
		}
		for _, look := range [][3]uint64{{follows, row, record}, {followers, record, row}} {
			if in, err := snap.Contains(uint32(look[0]), look[1], look[2]); err != nil || !in {
				t.Fatalf("%q: field %d: got %v, %v", p, look[0], in, err)
			}
		}
	}
	for _, field := range []uint32{follows, followers} {
		sum := uint64(0)
		err := snap.Rows(t.Context(), field, 0, func(_ uint64, l *overlay.List) error { sum += l.Len(); return nil })
		if err != nil || sum != uint64(len(want)) {
			t.Errorf("field %d: got %d values, %v; want %d", field, sum, err, len(want))
		}
	}
	if err := snap.List(follows, 0, &list); err != nil {
		t.Fatal(err)
	}
}

// TestRelateWide loads pairs whose IDs need more than 32 bits.
func TestRelateWide(t *testing.T) {
	ix := open(t, memstore.New(), testConfig(t, 1<<20))
	defer ix.Close()
	l, err := ix.Load(t.Context(), 1<<20, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Abort()
	l.Naming.Widest = 1 << 40 // as if one had been
	if err := l.Relate(follows, [][]byte{[]byte("a"), []byte("b"), []byte("c"), []byte("b")}); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Commit(); err != nil {
		t.Fatal(err)
	}
	snap := ix.Snapshot()
	defer snap.Close()
	b, _, _ := snap.Lookup(model.RecordSpace, "b")
	var list overlay.List
	if err := snap.List(followers, b, &list); err != nil || list.Len() != 2 {
		t.Errorf("got %d followers, %v; want 2", list.Len(), err)
	}
}

// TestRelateInOrder: IDs are in the order of first appearance, however little memory there is.
func TestRelateInOrder(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	rng := rand.New(rand.NewPCG(5, 4))
	ix := open(t, memstore.New(), testConfig(t, 1<<20))
	defer ix.Close()
	l, err := ix.Load(t.Context(), 10_000, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Abort()
	var order []string
	seen := make(map[string]bool)
	for range 20 {
		var keys [][]byte
		for range 1000 {
			for range 2 {
				key := fmt.Sprint("account ", min(rng.IntN(9000), rng.IntN(9000)))
				if keys = append(keys, []byte(key)); !seen[key] {
					order, seen[key] = append(order, key), true
				}
			}
		}
		if err := l.Relate(follows, keys); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := l.Commit(); err != nil {
		t.Fatal(err)
	}
	snap := ix.Snapshot()
	defer snap.Close()
	for i, key := range order {
		if id, ok, err := snap.Lookup(model.RecordSpace, key); err != nil || !ok || id != uint64(i) {
			t.Fatalf("%q: got ID %d, %v, %v; want %d", key, id, ok, err, i)
		}
	}
	if err := l.Relate(follows, [][]byte{[]byte("a"), nil}); err == nil {
		t.Error("got no error for an empty key")
	}
}

// TestCluster loads two communities, mixed, in very little memory for pairs. It finds each
// community in adjacent IDs.
func TestCluster(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	rng := rand.New(rand.NewPCG(6, 4))
	ix := open(t, memstore.New(), testConfig(t, 1<<20))
	defer ix.Close()
	l, err := ix.Load(t.Context(), 500_000, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Abort()
	if err := l.Cluster(); err != nil {
		t.Fatal(err)
	}
	const accounts, groups = 600, 2
	want := make(map[[2]int]bool)
	for range 30 {
		var keys [][]byte
		for range 1000 {
			a, b := rng.IntN(accounts), rng.IntN(accounts/groups)*groups
			b += a % groups
			if rng.IntN(20) == 0 {
				b = rng.IntN(accounts)
			}
			want[[2]int{a, b}] = true
			keys = append(keys, fmt.Appendf(nil, "number %d of all", a), fmt.Appendf(nil, "number %d of all", b))
		}
		if err := l.Relate(follows, keys); err != nil {
			t.Fatal(err)
		}
	}
	if r, _ := l.Key(model.RecordSpace, "other"); l.Set(follows, r, r) == nil ||
		l.Set(follows, model.ID(1), model.ID(2)) == nil {
		t.Error("got no error for a write of another kind")
	}
	if _, err := l.Commit(); err != nil {
		t.Fatal(err)
	}
	snap := ix.Snapshot()
	defer snap.Close()
	id := func(a int) uint64 {
		id, ok, err := snap.Lookup(model.RecordSpace, fmt.Sprintf("number %d of all", a))
		if err != nil || !ok {
			t.Fatalf("account %d: got %v, %v", a, ok, err)
		}
		return id
	}
	group := make([]int, accounts)
	for a := range accounts {
		group[id(a)] = a % groups
		if in, err := snap.Contains(model.Exists, 0, id(a)); err != nil || !in {
			t.Fatalf("account %d does not exist, %v", a, err)
		}
	}
	changes := 0
	for i := range group[1:] {
		if group[i] != group[i+1] {
			changes++
		}
	}
	if changes > accounts/10 {
		t.Errorf("got %d IDs whose successor is in another community, of %d", changes, accounts)
	}
	sum := [2]uint64{}
	for i, field := range [...]uint32{follows, followers} {
		if err := snap.Rows(t.Context(), field, 0, func(_ uint64, l *overlay.List) error {
			sum[i] += l.Len()
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	for p := range want {
		if in, err := snap.Contains(follows, id(p[0]), id(p[1])); err != nil || !in {
			t.Fatalf("%d: got %v, %v", p, in, err)
		}
	}
	if sum[0] != uint64(len(want)) || sum[1] != sum[0] {
		t.Errorf("got %d values, want %d in each direction", sum, len(want))
	}
	// Without memory for all keys it is an error, and nothing else.
	small, err := ix.Load(t.Context(), 10_000, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer small.Abort()
	if err := small.Cluster(); err != nil {
		t.Fatal(err)
	}
	for i := 0; err == nil && i < 100; i++ {
		var keys [][]byte
		for j := range 1000 {
			keys = append(keys, fmt.Appendf(nil, "key %d", i*1000+j))
		}
		err = small.Relate(follows, keys)
	}
	if !errors.Is(err, model.ErrMemory) {
		t.Errorf("got %v, want ErrMemory", err)
	}
}

// randomKey returns a key in one of the forms of a key table, or in one between them.
func randomKey(rng *rand.Rand, n int) string {
	text := []byte(format.DIDPrefix)
	for range format.DidDigits {
		text = append(text, format.Base32[rng.IntN(len(format.Base32))])
	}
	switch rng.IntN(8) {
	case 0:
		text[len(format.DIDPrefix)+rng.IntN(format.DidDigits)] = "189AZ`{/:\x00\xff"[rng.IntN(11)] // next to digits
		return string(text)
	case 1:
		return strings.Repeat("\x00", rng.IntN(17)) + strings.Repeat("x", rng.IntN(3))
	case 2:
		return fmt.Sprint(rng.IntN(n))
	case 3:
		return fmt.Sprint("a longer key, number ", rng.IntN(n))
	case 4:
		return strings.Repeat("long", 1+rng.IntN(1<<14))[:rng.IntN(3)*rng.IntN(20)]
	case 5:
		return string(text[:rng.IntN(len(text))])
	}
	return string(text)
}
