// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package format

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/uproar-db/uproar/internal/posting/model"
)

// AppendEdgeKeyBody appends the keys of a record's edges as a page has them
// (docs/format/page.md). There must be at least one, and they must ascend.
func AppendEdgeKeyBody(dst []byte, keys []model.EdgeKey) []byte {
	texts := 0
	most := uint64(1)
	for _, k := range keys {
		if most = max(most, k.Target); k.Key < model.FirstTID {
			texts++
		}
	}
	dst = binary.AppendUvarint(dst, uint64(len(keys)))
	dst = binary.AppendUvarint(dst, uint64(texts))
	last := uint64(0)
	for _, k := range keys[:texts] {
		dst = binary.AppendUvarint(dst, k.Key-last)
		last = k.Key
	}
	timed := keys[texts:]
	var clocks []uint16
	if len(timed) > 0 {
		dst = binary.AppendUvarint(dst, timed[0].Key>>clockBits)
		clocks = clocksOf(timed)
		dst = binary.AppendUvarint(dst, uint64(len(clocks)))
		for _, id := range clocks {
			dst = binary.LittleEndian.AppendUint16(dst, id)
		}
	}
	width := bits.Len64(most)
	w := bitWriter{dst: append(dst, byte(width))}
	for _, k := range keys {
		w.put(k.Target, width)
	}
	w.dst = w.finish()
	if width := bits.Len(uint(max(len(clocks), 1) - 1)); width > 0 {
		for _, k := range timed {
			at, _ := slices.BinarySearch(clocks, uint16(k.Key&(1<<clockBits-1)))
			w.put(uint64(at), width)
		}
		w.dst = w.finish()
	}
	for i := 1; i < len(timed); i += gapBlock {
		w.gaps(timed[i-1 : min(i+gapBlock, len(timed))])
	}
	return w.finish()
}

// clocksOf returns the clock IDs that TIDs have, ascending.
func clocksOf(keys []model.EdgeKey) []uint16 {
	var room [8]uint16
	clocks := room[:0]
	for _, k := range keys {
		id := uint16(k.Key & (1<<clockBits - 1))
		if at, found := slices.BinarySearch(clocks, id); !found {
			clocks = slices.Insert(clocks, at, id)
		}
	}
	return clocks
}

// gaps appends a block of gaps: two widths, then each gap behind a bit that says which it has. When
// both are equal there is no such bit.
func (w *bitWriter) gaps(keys []model.EdgeKey) {
	var gaps [gapBlock]uint64
	var widths [64]int // how many gaps have each
	n, wide := len(keys)-1, 0
	for i := range n {
		gaps[i] = keys[i+1].Key>>clockBits - keys[i].Key>>clockBits
		width := bits.Len64(gaps[i])
		widths[width]++
		wide = max(wide, width)
	}
	narrow, least, within := wide, n*wide, 0
	for width := range wide {
		within += widths[width]
		if cost := n + within*width + (n-within)*wide; cost < least {
			narrow, least = width, cost
		}
	}
	w.put(uint64(narrow|wide<<gapWidth), 2*gapWidth)
	for _, gap := range gaps[:n] {
		width := narrow
		if narrow != wide {
			long := uint64(0)
			if bits.Len64(gap) > narrow {
				long, width = 1, wide
			}
			w.put(long, 1)
		}
		w.put(gap, width)
	}
}
