// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package benchaudience

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/store/memstore"
)

// TestPopulation: the same numbers make the same people, wherever the walk begins.
func TestPopulation(t *testing.T) {
	p := NewPopulation(2000, 1)
	sum, terms := sha256.New(), 0
	var late *Person
	for i, one := range p.All(0) {
		_ = binary.Write(sum, binary.LittleEndian, one.Terms)
		_ = binary.Write(sum, binary.LittleEndian, []uint32{one.Postal, one.City})
		sum.Write(one.Demographic[:])
		terms += len(one.Terms)
		if i == 1999 {
			late = one
		}
	}
	const want = "8b312fbd6c958ebe"
	if got := hex.EncodeToString(sum.Sum(nil)[:8]); got != want {
		t.Errorf("got people with checksum %s, want %s", got, want)
	}
	if mean := float64(terms) / 2000; mean < 30 || mean > 35 {
		t.Errorf("got %v terms a person, want some 32", mean)
	}
	for i, one := range p.All(1999) {
		if i != 1999 || one.Postal != late.Postal || len(one.Terms) != len(late.Terms) {
			t.Errorf("got person %d with postal code %d, want 1999 with %d", i, one.Postal, late.Postal)
		}
	}
}

// TestRun loads and measures a small population with each column, and compares all answers with a plain computation.
func TestRun(t *testing.T) {
	for _, column := range []uproar.Column{uproar.NoColumn, uproar.FastColumn, uproar.SmallColumn} {
		db, err := uproar.Open(t.Context(), memstore.New(), nil)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Run(t.Context(), db, &Options{People: 800, Seed: 1, Column: column, MemoryBytes: 64 << 20, Threads: []int{1, 2}, Check: true})
		if err != nil {
			t.Fatalf("column %q: %v", column, err)
		}
		if len(r.Audiences) != 5 || r.Checked != 5*9*4 || r.Load == 0 {
			t.Errorf("column %q: got %d audiences and %d answers checked", column, len(r.Audiences), r.Checked)
		}
		for _, a := range r.Audiences {
			if len(a.Lines) != 13 {
				t.Errorf("%s: got %d lines, want 13", a.Name, len(a.Lines))
			}
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
}
