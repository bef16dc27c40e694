// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package model

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// integers are corners, and random numbers of all sizes.
func integers(rng *rand.Rand) []int64 {
	list := []int64{0, 1, -1, 2, -2, 63, 64, -64, math.MaxInt64, math.MaxInt64 - 1, math.MinInt64, math.MinInt64 + 1}
	for range 300 {
		list = append(list, int64(rng.Uint64()>>rng.IntN(64)), -int64(rng.Uint64()>>(1+rng.IntN(63))))
	}
	return list
}

// TestWordsStandForIntegers: each integer has a word of its own, which is not 0. Only the least one
// shares its word, with the greatest, and an assignment tells the two apart.
func TestWordsStandForIntegers(t *testing.T) {
	const seed = 41
	of := map[uint64]int64{}
	for _, x := range integers(rand.New(rand.NewPCG(seed, 0))) {
		word := IntegerWord(x)
		want := x
		if x == math.MinInt64 {
			want = math.MaxInt64
		}
		if other, ok := of[word]; word == 0 || ok && other != want {
			t.Errorf("seed %d: %d: got word %d, which stands for %d", seed, x, word, other)
		}
		of[word] = want
		if got := Integer(word); got != want {
			t.Errorf("seed %d: word %d: got %d, want %d", seed, word, got, want)
		}
		if got := AssignInt(8, 3, x); got.Integer() != x || got.Field != 8 || got.Record != 3 || got.Word != word {
			t.Errorf("seed %d: assignment of %d: got %+v, which is %d", seed, x, got, got.Integer())
		}
		if got := Unzigzag(Zigzag(x)); got != x {
			t.Errorf("seed %d: zigzag of %d: got %d back", seed, x, got)
		}
	}
}

// rowsModel returns the rows of an integer, one by one.
func rowsModel(x int64) map[uint64]bool {
	rows, size := map[uint64]bool{IntegerAny: true}, uint64(x)
	if x < 0 {
		rows[IntegerNegative], size = true, -uint64(x)
	}
	for i := range 64 {
		if size>>i&1 != 0 {
			rows[IntegerRow(i)] = true
		}
	}
	return rows
}

// TestChangesOfIntegersLeadToTheirRows: the edits that follow from a new integer lead from the rows
// of the old one to its own, and name no other row. Where the old word stands for two integers,
// they do so from both.
func TestChangesOfIntegersLeadToTheirRows(t *testing.T) {
	const seed = 42
	rng := rand.New(rand.NewPCG(seed, 0))
	list := integers(rng)
	for round := range 5000 {
		old, x := list[rng.IntN(len(list))], list[rng.IntN(len(list))]
		if round%3 == 0 {
			old = []int64{math.MinInt64, math.MinInt64 + 1, math.MaxInt64}[rng.IntN(3)]
		}
		rows, word := rowsModel(old), IntegerWord(old)
		f, want := AssignInt(8, 3, x), rowsModel(x)
		switch rng.IntN(6) {
		case 0:
			rows, word = map[uint64]bool{}, 0
		case 1:
			f, want = ValueEdit{Field: 8, Record: 3}, map[uint64]bool{}
		}
		edits := AppendChange(nil, Integers, f, word)
		for _, e := range edits {
			if e.Field != 8 || e.Record != 3 || e.Row > IntegerRow(63) {
				t.Fatalf("seed %d: from %d to %d: got the edit %+v", seed, old, x, e)
			}
			if rows[e.Row] == e.Set && word != LeastWord {
				t.Fatalf("seed %d: from %d to %d: row %d is as it was", seed, old, x, e.Row)
			}
			if rows[e.Row] = e.Set; !e.Set {
				delete(rows, e.Row)
			}
		}
		if len(rows) != len(want) {
			t.Fatalf("seed %d: from %d to %d: got %d rows, want %d", seed, old, x, len(rows), len(want))
		}
		for row := range want {
			if !rows[row] {
				t.Fatalf("seed %d: from %d to %d: row %d is missing", seed, old, x, row)
			}
		}
	}
}

// TestChangesOfRows: a record leaves the row that it had, and enters the one that it gets. A word
// is a row plus 1, and 0 is none.
func TestChangesOfRows(t *testing.T) {
	for _, c := range []struct {
		old, word uint64
		want      []Edit
	}{
		{0, 0, nil},
		{0, 1, []Edit{{Field: 8, Set: true, Row: 0, Record: 3}}},
		{7, 0, []Edit{{Field: 8, Row: 6, Record: 3}}},
		{7, 9, []Edit{{Field: 8, Row: 6, Record: 3}, {Field: 8, Set: true, Row: 8, Record: 3}}},
	} {
		before := Edit{Field: 4, Record: 1}
		got := AppendChange([]Edit{before}, Rows, ValueEdit{Field: 8, Record: 3, Word: c.word}, c.old)
		if got[0] != before || !slices.Equal(got[1:], c.want) {
			t.Errorf("from word %d to %d: got %+v, want %+v behind %+v", c.old, c.word, got, c.want, before)
		}
	}
}
