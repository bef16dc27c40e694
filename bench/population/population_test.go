// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package population

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"testing"
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
