// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/store/memstore"
)

// TestSumsAreExact adds up integers whose sums a float64 or an int64 cannot hold.
func TestSumsAreExact(t *testing.T) {
	const most = math.MaxInt64
	for _, c := range []struct {
		scale    int
		integers []int64
		sum      string
		mean     float64
	}{
		{0, []int64{most, most}, "18446744073709551614", 9223372036854775807},
		{0, []int64{-most, -most, -most}, "-27670116110564327421", -9223372036854775807},
		{0, []int64{most, -most}, "0", 0},
		{0, []int64{most, most, -most}, "9223372036854775807", 9223372036854775807.0 / 3},
		{2, []int64{most, 1}, "92233720368547758.08", 46116860184273879.04},
		{18, []int64{5000000000000000001, 5000000000000000001}, "10.000000000000000002", 5.000000000000000001},
		{18, []int64{-1}, "-0.000000000000000001", -1e-18},
		{2, []int64{-5, 3}, "-0.02", -0.01},
		{1, []int64{5, 5}, "1.0", 0.5},
	} {
		field := uproar.Field{Name: "n", Type: uproar.Integer, Scale: c.scale}
		n := numbersOf(t, field, c.integers)
		if got := field.SumText(n.Sum); got != c.sum || n.Sum.Len != uint64(len(c.integers)) {
			t.Errorf("scale %d, %v: got the sum %s of %d, want %s", c.scale, c.integers, got, n.Sum.Len, c.sum)
		}
		if got := field.Mean(n.Sum); got != c.mean {
			t.Errorf("scale %d, %v: got the mean %v, want %v", c.scale, c.integers, got, c.mean)
		}
	}
}

// TestSumsOfAnyIntegers compares sums with those of math/big, over all 64 bits.
func TestSumsOfAnyIntegers(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 8))
	for range 20 {
		integers := make([]int64, 1+rng.IntN(50))
		want := new(big.Int)
		for i := range integers {
			integers[i] = max(int64(rng.Uint64())>>rng.IntN(64), -math.MaxInt64)
			want.Add(want, big.NewInt(integers[i]))
		}
		field := uproar.Field{Name: "n", Type: uproar.Integer}
		if got := field.SumText(numbersOf(t, field, integers).Sum); got != want.String() {
			t.Fatalf("%v: got %s, want %s", integers, got, want)
		}
	}
}

func TestMeanOfNothing(t *testing.T) {
	field := uproar.Field{Name: "n", Type: uproar.Integer}
	if n := numbersOf(t, field, nil); !math.IsNaN(field.Mean(n.Sum)) || field.SumText(n.Sum) != "0" {
		t.Errorf("got %v and %s, want NaN and 0", field.Mean(n.Sum), field.SumText(n.Sum))
	}
}

// numbersOf writes one record for each integer, and returns what all of them amount to.
func numbersOf(t *testing.T, field uproar.Field, integers []int64) uproar.Numbers {
	t.Helper()
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	ix, err := db.CreateIndex(t.Context(), "people", field)
	if err != nil {
		t.Fatal(err)
	}
	var b uproar.Batch
	for i, x := range integers {
		b.SetInt(field.Name, fmt.Sprint("r", i), x)
	}
	if _, err = ix.Write(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	snap := ix.Snapshot()
	defer snap.Close()
	all, err := snap.Select(t.Context(), query.All{})
	if err != nil {
		t.Fatal(err)
	}
	n, err := all.Numbers(t.Context(), field.Name)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
