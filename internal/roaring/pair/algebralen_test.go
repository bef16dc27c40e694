// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pair

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

func open(t testing.TB, body []byte) view.View {
	t.Helper()
	v, err := view.OpenBody(body)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestLengthsOfPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	rounds := roaringtest.Paced(300, 60)
	for range rounds {
		x, y := roaringtest.Mixed(t, r)
		a, b := open(t, x.Body), open(t, y.Body)
		in := make(map[uint64]bool, len(y.Values))
		for _, v := range y.Values {
			in[v] = true
		}
		and := 0
		for _, v := range x.Values {
			if in[v] {
				and++
			}
		}
		n, m := len(x.Values), len(y.Values)
		for _, c := range []struct {
			name      string
			got, want uint64
		}{
			{"AndLen", AndLen(a, b), uint64(and)},
			{"OrLen", OrLen(a, b), uint64(n + m - and)},
			{"AndNotLen", AndNotLen(a, b), uint64(n - and)},
			{"XorLen", XorLen(a, b), uint64(n + m - 2*and)},
		} {
			if c.got != c.want {
				t.Fatalf("%s of %s (%d values) and %s (%d values): got %d, want %d", c.name, x.Name, n, y.Name, m,
					c.got, c.want)
			}
		}
		if got := Intersects(a, b); got != (and > 0) {
			t.Fatalf("Intersects of %s and %s: got %v", x.Name, y.Name, got)
		}
		if got := IsSubset(a, b); got != (and == n) {
			t.Fatalf("IsSubset of %s and %s: got %v", x.Name, y.Name, got)
		}
		if got := Equal(a, b); got != (and == n && n == m) {
			t.Fatalf("Equal of %s and %s: got %v", x.Name, y.Name, got)
		}
	}
}

func TestEqualAcrossForms(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for range 20 {
		cs, values := roaringtest.RandomContainers(r, 4)
		forms := [][]byte{roaringtest.CompactBody(cs, 0), roaringtest.CompactBody(cs, 2), roaringtest.LooseBody(cs, r)}
		// Each chunk again, as one container of another kind.
		var other []roaringtest.Container
		for _, c := range cs {
			for _, kind := range []uint8{container.Bitset, container.Run, container.Array} {
				again := roaringtest.Container{Key: c.Key, Kind: kind, Values: c.Values}
				if c.Values[len(c.Values)-1]>>16 == c.Key && again.Fits() {
					c = again
				}
			}
			other = append(other, c)
		}
		forms = append(forms, roaringtest.CompactBody(other, 1))
		if len(values) <= 2048 {
			forms = append(forms, roaringtest.ListBody(values, roaringtest.BestLow(values)))
		}
		for i, x := range forms {
			for j, y := range forms {
				if !Equal(open(t, x), open(t, y)) {
					t.Fatalf("forms %d and %d of a set are not equal", i, j)
				}
			}
		}
	}
}

// TestMergeLen compares the counting of what two lists of all batches have in common with a map.
func TestMergeLen(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	for i := range 400 {
		universe := 4 << (i % 12)
		a, b := roaringtest.RandomIDs(r, r.IntN(universe), uint64(universe)),
			roaringtest.RandomIDs(r, r.IntN(universe), uint64(universe))
		slices.Sort(a)
		slices.Sort(b)
		a, b = slices.Compact(a), slices.Compact(b)
		in := map[uint64]bool{}
		for _, x := range b {
			in[x] = true
		}
		want := uint64(0)
		for _, x := range a {
			if in[x] {
				want++
			}
		}
		x, y := open(t, pack.AppendBody(nil, a)), open(t, pack.AppendBody(nil, b))
		if x.Form() != view.FormList || y.Form() != view.FormList {
			continue
		}
		if got := mergeLen(&x, &y); got != want {
			t.Fatalf("%d and %d values below %d: got %d, want %d", len(a), len(b), universe, got, want)
		}
	}
}

// TestPackedMeetings counts what packed chunks have in common with chunks of each kind and each
// other. They have about as many values as an array may have, or more.
func TestPackedMeetings(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	const chunks = 3
	packed := map[int][]uint64{}
	for _, n := range []int{100, container.MaxArray - 1, container.MaxArray, container.MaxArray + 1,
		2 * container.MaxArray, 9000} {
		var values []uint64
		for chunk := range uint64(chunks) {
			for _, low := range r.Perm(container.ChunkValues)[:n] {
				values = append(values, chunk<<16|uint64(low))
			}
		}
		slices.Sort(values)
		packed[n] = values
	}
	others := map[string][]uint64{"few": packed[100][:7], "runs": nil, "half": nil}
	for x := uint64(0); x < chunks<<16; x++ {
		if x%1000 < 700 {
			others["runs"] = append(others["runs"], x)
		}
		if r.IntN(2) == 0 {
			others["half"] = append(others["half"], x)
		}
	}
	for n, values := range packed {
		a := open(t, pack.AppendBody(nil, values))
		if e := a.EntryAt(0); e.Kind != container.Packed {
			t.Fatalf("%d values a chunk: got a container of kind %d, want a packed one", n, e.Kind)
		}
		check := func(name string, list []uint64, b view.View) {
			want := 0
			for _, x := range list {
				if _, ok := slices.BinarySearch(values, x); ok {
					want++
				}
			}
			if got := int(AndLen(a, b)); got != want || int(AndLen(b, a)) != want {
				t.Errorf("%d values a chunk and %s: got %d in common, want %d", n, name, got, want)
			}
		}
		for m, list := range packed {
			check(fmt.Sprint(m, " as they are smallest"), list, open(t, pack.AppendBody(nil, list)))
			check(fmt.Sprint(m, " as arrays or bitsets"), list, open(t, roaringtest.DirectoryOf(list)))
		}
		for name, list := range others {
			check(name, list, open(t, roaringtest.DirectoryOf(list)))
		}
	}
}
