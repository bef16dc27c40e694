// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaringtest

import (
	"bytes"
	"encoding/binary"

	"github.com/uproar-db/uproar/internal/roaring/container"
)

// Absent is a kind of container that only tests have: the values that a chunk lacks, as an array.
// It stands for all kinds that are decoded to be read, so that every operation meets one.
const Absent = 255

// kinds are the kinds of container that tests have, Packed as the last.
var kinds = [...]uint8{container.Array, container.Bitset, container.Run, Absent, container.Packed}

// maxAbsent is the most values that a payload, which begins with the kind, has room for.
const maxAbsent = (container.MaxPayload - 1) / 2

func init() { container.Decoders[Absent] = decodeAbsent }

// decodeAbsent returns the chunk of n values that lacks lows, as a bitset.
func decodeAbsent(key uint64, lows []byte, n int) container.Block {
	absent := container.ChunkValues - n
	if absent == 0 || len(lows) != 2*absent {
		return container.Block{Key: key}
	}
	last := -1
	for i := range absent {
		low := int(binary.LittleEndian.Uint16(lows[2*i:]))
		if low <= last {
			return container.Block{Key: key} // out of order
		}
		last = low
	}
	b := container.Block{Key: key, Data: bytes.Repeat([]byte{0xFF}, container.MaxPayload), N: int32(n),
		Kind: container.Bitset}
	for i := range absent {
		low := binary.LittleEndian.Uint16(lows[2*i:])
		b.Data[low/8] &^= 1 << (low % 8)
	}
	return b
}

// without returns the values that a chunk of some has not.
func without(values []uint64) (absent []uint64) {
	x := values[0] &^ 0xFFFF
	for range container.ChunkValues {
		if len(values) > 0 && values[0] == x {
			values = values[1:]
		} else {
			absent = append(absent, x)
		}
		x++
	}
	return absent
}
