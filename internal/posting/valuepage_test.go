// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/store/memstore"
)

// TestValuePages writes values of few and of many bits, near to each other and far apart. It
// flushes each round and compares pages and Values with a model.
func TestValuePages(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 21))
	config := testConfig(t, 64<<20)
	ix := open(t, memstore.New(), config)
	plain := map[uint64]uint64{} // record → row of city
	var bound uint64
	for round, rows := range []uint64{3, 3, 40, 3, 700, 60} {
		var b Batch
		from, span := rng.Uint64N(150_000), uint64(1)<<(8+2*round)
		for range 3000 {
			record := from + rng.Uint64N(span)
			if rng.IntN(8) == 0 {
				record = rng.Uint64N(200_000)
			}
			row := rng.Uint64N(rows)
			b.Assign(city, model.ID(record), model.ID(row))
			plain[record], bound = row, max(bound, row+1)
		}
		if _, err := ix.Commit(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		if round%2 == 0 {
			checkValues(t, ix, plain, int(bound), round)
		}
		if err := ix.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		checkValues(t, ix, plain, int(bound), round)
		snap := ix.Snapshot()
		last := uint64(0)
		for i, r := range snap.St.Version.Fields[model.ValueField(city)].Refs {
			if r.First%format.ValueRows != 0 || i > 0 && r.First < last ||
				r.First/format.MostValueRows != r.Last()/format.MostValueRows {
				t.Errorf("round %d: got a page of records %d to %d behind one until %d", round, r.First, r.Last(), last)
			}
			if int(r.Bytes) > format.Target+format.ValueHeaderLen+format.WordPadding {
				t.Errorf("round %d: got a page of %d bytes", round, r.Bytes)
			}
			last = r.Last() + 1
		}
		snap.Close()
	}
}

func checkValues(t *testing.T, ix *Index, plain map[uint64]uint64, rows, round int) {
	t.Helper()
	snap := ix.Snapshot()
	defer snap.Close()
	values, ok, err := snap.Values(t.Context(), city, rows)
	if err != nil {
		t.Fatal(err)
	}
	if !ok {
		t.Fatalf("round %d: got no values", round)
	}
	rng := rand.New(rand.NewPCG(uint64(round), 22))
	for key := range uint64(4) {
		if rng.IntN(4) == 0 {
			continue // a container that nothing is asked of
		}
		var lows []uint16
		for low, every := 0, 1+rng.IntN(50); low < 1<<16; low += 1 + rng.IntN(every) {
			lows = append(lows, uint16(low))
		}
		got, err := values.Append(nil, key, lows)
		if err != nil || len(got) != len(lows) {
			t.Fatalf("round %d: got %d values, %v, want %d", round, len(got), err, len(lows))
		}
		for i, low := range lows {
			row, ok := plain[key<<16|uint64(low)]
			if want := row + 1; ok && uint64(got[i]) != want || !ok && got[i] != 0 {
				t.Fatalf("round %d: record %d: got %d, want %d (%v)", round, key<<16|uint64(low), got[i], want, ok)
			}
		}
	}
	if _, ok, _ := snap.Values(t.Context(), country, 3); ok {
		t.Error("got values of a field with any number of them")
	}
}
