// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package container_test

import (
	"bytes"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
)

// TestDecodeBorrowsWhatFits: an array, a bitset or runs are read where they lie if their size fits,
// and are the empty block of their chunk if it does not.
func TestDecodeBorrowsWhatFits(t *testing.T) {
	for _, c := range []struct {
		name  string
		kind  uint8
		bytes int
		n     int
		want  bool
	}{
		{"array", container.Array, 6, 3, true},
		{"largest array", container.Array, container.MaxPayload, container.MaxArray, true},
		{"array of too many values", container.Array, container.MaxPayload + 2, container.MaxArray + 1, false},
		{"array of other bytes than values", container.Array, 6, 2, false},
		{"array without values", container.Array, 0, 0, false},
		{"bitset", container.Bitset, container.MaxPayload, 1, true},
		{"bitset cut short", container.Bitset, container.MaxPayload - 1, 1, false},
		{"bitset that is too long", container.Bitset, container.MaxPayload + 1, 1, false},
		{"runs", container.Run, 8, 500, true},
		{"runs cut within one", container.Run, 6, 500, false},
		{"runs of no bytes", container.Run, 0, 0, false},
		{"runs that are too long", container.Run, container.MaxPayload + 4, 5, false},
		{"packed", container.Packed, 6, 3, false},
		{"unknown kind", 4, 6, 3, false},
	} {
		payload := make([]byte, c.bytes)
		if got := container.Fits(c.kind, payload, c.n); got != c.want {
			t.Errorf("%s: Fits: got %v, want %v", c.name, got, c.want)
		}
		switch b := container.Decode(9, c.kind, payload, c.n); {
		case b.Key != 9:
			t.Errorf("%s: got a block of chunk %d, want 9", c.name, b.Key)
		case !c.want && (!b.IsEmpty() || len(b.Data) > 0):
			t.Errorf("%s: got %d values in %d bytes, want the empty block", c.name, b.Len(), len(b.Data))
		case c.want && (b.Len() != c.n || b.Kind != c.kind || &b.Data[0] != &payload[0]):
			t.Errorf("%s: got %d values of kind %d, want %d of kind %d in the same bytes", c.name, b.Len(), b.Kind,
				c.n, c.kind)
		}
	}
}

// TestDecodeAsksTheDecoderOfAFirstByte: a payload that stands as packed and begins with a byte from
// 64 on is given, less that byte, to the decoder of that byte, if there is one.
func TestDecodeAsksTheDecoderOfAFirstByte(t *testing.T) {
	const first, other = 250, 251 // no kind has them
	if container.Decoders[first] != nil || container.Decoders[other] != nil {
		t.Fatalf("the first bytes %d and %d have decoders: choose others", first, other)
	}
	var asked []byte
	container.Decoders[first] = func(key uint64, payload []byte, n int) container.Block {
		asked = payload
		return container.Block{Key: key, Data: []byte{7, 0}, N: int32(n), Kind: container.Array}
	}
	defer func() { container.Decoders[first] = nil }()

	if b := container.Decode(5, container.Packed, []byte{first, 1, 2}, 1); b.Key != 5 || !b.Contains(7) ||
		!bytes.Equal(asked, []byte{1, 2}) {
		t.Errorf("got chunk %d with %d, from payload %d; want 5 with [7], from [1 2]", b.Key, b.AppendLow(nil), asked)
	}
	asked = nil
	for name, c := range map[string]struct {
		kind    uint8
		payload []byte
	}{
		"a byte without a decoder":   {container.Packed, []byte{other, 1, 2}},
		"a low width":                {container.Packed, []byte{63, 1, 2}},
		"no bytes":                   {container.Packed, nil},
		"a kind of the directory":    {container.Run, []byte{first, 1, 2}},
		"a payload that is too long": {container.Packed, append([]byte{first}, make([]byte, container.MaxPayload)...)},
	} {
		if b := container.Decode(5, c.kind, c.payload, 1); !b.IsEmpty() || b.Key != 5 || asked != nil {
			t.Errorf("%s: got %d values of chunk %d, and asked with %d bytes; want the empty block of 5", name, b.Len(),
				b.Key, len(asked))
		}
	}
	for first, want := range map[byte]bool{0: false, 63: false, 64: true, 255: true} {
		if got := container.IsCoded([]byte{first, 0}); got != want {
			t.Errorf("IsCoded of a payload that begins with %d: got %v, want %v", first, got, want)
		}
	}
	if container.IsCoded(nil) {
		t.Error("IsCoded of no bytes: got true, want false")
	}
}

// TestBlocksOfPayloadsBorrow: a block of given bytes borrows them, and has as many
// values as it is said to have.
func TestBlocksOfPayloadsBorrow(t *testing.T) {
	lows := roaringtest.Span(3, 9000, 5)
	for _, b := range blocksOf(6, lows) {
		got := container.ArrayBlock(6, b.Data)
		switch b.Kind {
		case container.Bitset:
			got = container.BitsetBlock(6, b.Words(), len(lows))
		case container.Run:
			got = container.RunBlock(6, b.Data, len(lows))
		}
		checkBlock(t, "block of a payload", got, 6, lows)
		if got.Kind != b.Kind || &got.Data[0] != &b.Data[0] {
			t.Errorf("kind %d: got kind %d, in the same bytes: %v", b.Kind, got.Kind, &got.Data[0] == &b.Data[0])
		}
	}
}
