// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package view

import (
	"encoding/binary"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/eliasfano"
	"github.com/uproar-db/uproar/internal/roaring/kernel/array"
	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
	"github.com/uproar-db/uproar/internal/roaring/kernel/run"
)

// Select returns the i-th value, from 0; ok is false if there is none. It adds up the cardinalities
// before it.
func (v View) Select(i uint64) (x uint64, ok bool) { return selectValue(&v, i) }

func selectValue(v *View, i uint64) (x uint64, ok bool) {
	switch v.Form() {
	case FormList:
		if v.IsFixed() {
			return fixedSelect(v, i)
		}
		var p eliasfano.Packed
		ReadList(v, &p)
		return p.AtPadded(HeaderList, int(min(i, uint64(v.ListLen()))))
	case FormSingle:
		return v.Single(), i == 0
	case FormCompact:
		if key, lows := OneArray(v); lows != nil {
			if i >= uint64(len(lows)/2) {
				return 0, false
			}
			return key<<16 | uint64(array.Low(lows, int(i))), true
		}
		return selectCompact(v, i)
	}
	for at := range v.Count() {
		n := uint64(v.CardAt(at))
		if i < n {
			return selectIn(v, at, i)
		}
		i -= n
	}
	return 0, false
}

// selectCompact is selectValue of a compact directory. What CardAt and PayloadAt would do is done
// here, where the widths are known: that is half of the cost.
func selectCompact(v *View, i uint64) (x uint64, ok bool) {
	kw, ow, count := int(v.Kw()), int(v.Ow()), int(v.code>>NumberShift)
	keys := 2 + kw
	cards := keys + kw*count
	ends := cards + 2*count
	body := v.bytes
	at, left := array.SelectCard(body[cards:ends], i)
	if at >= count {
		return 0, false
	}
	payloads := ends + ow*count
	if payloads+8 > len(body) {
		return selectIn(v, at, left) // the fields may not be loaded as eight bytes
	}
	n := int(binary.LittleEndian.Uint16(body[cards+2*at:])) + 1
	key := binary.LittleEndian.Uint64(body[keys+kw*at:]) & WidthMasks[kw&7]
	// The end of the container before stands before that of this one: of the first it is no end,
	// and taken for 0.
	end := binary.LittleEndian.Uint64(body[ends+ow*at:]) & WidthMasks[ow&7]
	start := binary.LittleEndian.Uint64(body[ends+ow*at-ow:]) & WidthMasks[ow&7] >> 2 & uint64(int64(-at)>>63)
	kind := end & 3
	if end >>= 2; left >= uint64(n) || start >= end || end > uint64(len(body)-payloads) {
		return 0, false
	}
	data := body[payloads+int(start) : payloads+int(end)]
	switch {
	case kind == container.Run && len(data)%4 == 0 && len(data) <= container.MaxPayload:
		low, ok := run.Select(data, int(left))
		return key<<16 | uint64(low), ok
	case kind == container.Array && len(data) == 2*n:
		return key<<16 | uint64(array.Low(data, int(left))), true
	case kind == container.Bitset && len(data) == container.MaxPayload:
		low, ok := bitset.Select((*bitset.Words)(data), int(left), n)
		return key<<16 | uint64(low), ok
	case kind == container.Packed:
		return selectOfEntry(v, at, left)
	}
	return 0, false
}

// selectOfEntry returns the i-th value of container at. ok is false if there are not enough values.
func selectOfEntry(v *View, at int, i uint64) (x uint64, ok bool) {
	e := v.EntryAt(at)
	switch {
	case e.Data == nil:
		return 0, false
	case e.Kind != container.Packed:
		low, ok := e.block().Select(int(i))
		return e.Key<<16 | uint64(low), ok
	}
	last, sound := v.bound(at, e.Key)
	d, ok := e.Packed().At(int(i))
	return e.Key<<16 + d, ok && sound && d <= last
}

// selectIn returns the i-th value of container at. ok is false if there are not enough values.
func selectIn(v *View, at int, i uint64) (x uint64, ok bool) {
	n := v.CardAt(at)
	if i >= uint64(n) {
		return 0, false
	}
	// As in rankIn, without the entry.
	key, kind, data := v.PayloadAt(at)
	var low uint16
	switch {
	case kind == container.Packed:
		return selectOfEntry(v, at, i)
	case kind == container.Array && len(data) == 2*n:
		return key<<16 | uint64(array.Low(data, int(i))), true
	case kind == container.Bitset && len(data) == container.MaxPayload:
		low, ok = bitset.Select((*bitset.Words)(data), int(i), n)
	case kind == container.Run && len(data)%4 == 0 && len(data) <= container.MaxPayload:
		low, ok = run.Select(data, int(i))
	}
	return key<<16 | uint64(low), ok
}
