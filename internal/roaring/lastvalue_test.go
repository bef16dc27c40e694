// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// TestRemoveLastValue removes all values, one by one, from small containers of each kind. Another
// writer may have chosen that kind for few values. The container beside it must stay as it is.
func TestRemoveLastValue(t *testing.T) {
	bits := func(lows ...uint16) []byte {
		words := make([]byte, container.MaxPayload)
		for _, l := range lows {
			words[l>>3] |= 1 << (l & 7)
		}
		return words
	}
	array := func(lows ...uint16) (b []byte) {
		for _, l := range lows {
			b = binary.LittleEndian.AppendUint16(b, l)
		}
		return b
	}
	for _, c := range []struct {
		name    string
		kind    int
		payload []byte
		lows    []uint16
	}{
		{"array of one", container.Array, array(10), []uint16{10}},
		{"array of three", container.Array, array(10, 11, 60_000), []uint16{10, 11, 60_000}},
		{"bitset of one", container.Bitset, bits(10), []uint16{10}},
		{"bitset of three", container.Bitset, bits(0, 11, 65_535), []uint16{0, 11, 65_535}},
		{"run of one", container.Run, array(10, 0), []uint16{10}},
		{"run of three", container.Run, array(10, 1, 500, 0), []uint16{10, 11, 500}},
		// Elias–Fano with low width 0: the ones stand at low + position.
		{"packed of one", container.Packed, []byte{0, 0, 4}, []uint16{10}},
		{"packed of two", container.Packed, []byte{0, 0, 20}, []uint16{10, 11}},
	} {
		t.Run(c.name, func(t *testing.T) {
			// A compact directory, one-byte keys, three-byte ends: chunk 5 as given, chunk 7 with
			// eight values.
			other := array(8, 7)
			body := []byte{0xF8, 0 | 2<<3, 1, 5, 7}
			body = binary.LittleEndian.AppendUint16(body, uint16(len(c.lows)-1))
			body = binary.LittleEndian.AppendUint16(body, 7)
			end := func(at, kind int) {
				x := at<<2 | kind
				body = append(body, byte(x), byte(x>>8), byte(x>>16))
			}
			end(len(c.payload), c.kind)
			end(len(c.payload)+len(other), container.Run)
			body = append(append(body, c.payload...), other...)
			v, err := view.OpenBody(body)
			if err != nil {
				t.Fatal(err)
			}
			if err := v.Validate(); err != nil {
				t.Fatal(err)
			}
			b := mutable.Clone(v)
			left := slices.Clone(c.lows)
			for len(left) > 0 {
				x := 5<<16 | uint64(left[0])
				left = left[1:]
				if !b.Remove(x) || b.Remove(x) || b.Contains(x) {
					t.Fatalf("remove %d: got a wrong answer", x)
				}
				if b.Len() != uint64(len(left)+8) || !b.Contains(7<<16|9) {
					t.Fatalf("after %d: got %d values, want %d", x, b.Len(), len(left)+8)
				}
				back, err := view.Open(b.Bytes())
				if err != nil {
					t.Fatal(err)
				}
				if err := back.Validate(); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}
