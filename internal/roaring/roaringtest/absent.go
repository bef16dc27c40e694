// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaringtest

import (
	"encoding/binary"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/kernel/array"
	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
	"github.com/uproar-db/uproar/internal/roaring/kernel/run"
)

// Absent is a kind of container that only tests have: the values that a chunk lacks, as an array.
// It stands for all kinds that are decoded to be read, so that every operation meets one.
const Absent = 255

// kinds are the kinds of container that tests have, Packed as the last.
var kinds = [...]uint8{container.Array, container.Bitset, container.Run, Absent, container.Packed}

// maxAbsent is the most values that a payload, which begins with the kind, has room for.
const maxAbsent = (container.MaxPayload - 1) / 2

func init() { container.Decoders[Absent] = decodeAbsent }

// decodeAbsent returns the chunk of n values that lacks lows: as runs, or as a bitset if these are
// too many.
func decodeAbsent(key uint64, lows []byte, n int) container.Block {
	absent := container.ChunkValues - n
	if _, ascends := array.Shape(lows); absent == 0 || len(lows) != 2*absent || !ascends {
		return container.Block{Key: key}
	}
	if 4*(absent+1) > container.MaxPayload {
		words := new(bitset.Words)
		run.Set(words, []byte{0, 0, 0xFF, 0xFF})
		bitset.ClearArray(words, lows)
		return container.BitsetBlock(key, words, n)
	}
	var runs []byte
	next := 0
	for i := range absent + 1 {
		low := container.ChunkValues
		if i < absent {
			low = int(array.Low(lows, i))
		}
		if next < low {
			runs = binary.LittleEndian.AppendUint16(runs, uint16(next))
			runs = binary.LittleEndian.AppendUint16(runs, uint16(low-1-next))
		}
		next = low + 1
	}
	return container.RunBlock(key, runs, n)
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
