// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package format

import (
	"encoding/binary"
	"math"

	"github.com/uproar-db/uproar/internal/posting/model"
)

// AppendEdgeKeys appends the keys of a body, ascending. ok is false when the bytes are none that
// AppendEdgeKeyBody makes.
func AppendEdgeKeys(dst []model.EdgeKey, body []byte) (keys []model.EdgeKey, ok bool) {
	b, ok := openEdgeKeys(body)
	if !ok {
		return dst, false
	}
	return b.appendPart(dst, 0, b.n)
}

// AppendLastEdgeKeys appends those below a key, ascending: the last, up to a number. It checks no
// more than it needs. ok is as of AppendEdgeKeys.
func AppendLastEdgeKeys(dst []model.EdgeKey, body []byte, below uint64, most int) (keys []model.EdgeKey, ok bool) {
	b, ok := openEdgeKeys(body)
	if !ok {
		return dst, false
	}
	to := b.n
	if below < model.EdgeGone {
		if to, ok = b.rank(below); !ok {
			return dst, false
		}
	}
	return b.appendPart(dst, max(0, to-most), to)
}

// AppendFirstEdgeKeys appends the first ones from a key on, up to a number, as AppendLastEdgeKeys
// does.
func AppendFirstEdgeKeys(dst []model.EdgeKey, body []byte, from uint64, most int) (keys []model.EdgeKey, ok bool) {
	b, ok := openEdgeKeys(body)
	if !ok {
		return dst, false
	}
	first, ok := b.rank(from)
	if !ok {
		return dst, false
	}
	return b.appendPart(dst, first, first+min(most, b.n-first))
}

// FindEdgeKey appends the records of a body that have a key. It reads the body up to there, and
// checks no more than it needs. ok is as of AppendEdgeKeys.
func FindEdgeKey(dst []model.EdgeKey, body []byte, key uint64) (keys []model.EdgeKey, ok bool) {
	b, ok := openEdgeKeys(body)
	if !ok {
		return dst, false
	}
	from, ok := b.rank(key)
	if !ok {
		return dst, false
	}
	to := from
	if key < model.FirstTID {
		if to, ok = b.rank(key + 1); !ok {
			return dst, false
		}
		return b.appendPart(dst, from, to)
	}
	for b.place < b.n && b.micros == key>>clockBits {
		clock, ok := b.clocks.of(b.place - b.texts)
		if !ok {
			return dst, false
		}
		if clock == key&(1<<clockBits-1) {
			dst = append(dst, model.EdgeKey{Key: key, Target: b.targets.at(b.place*b.width, b.width)})
		}
		b.skim(b.place+1, math.MaxUint64)
	}
	return dst, true
}

// rank returns how many keys are below one. With a TID, gaps have come to there.
func (b *edgeKeyBody) rank(key uint64) (n int, ok bool) {
	if key < model.FirstTID {
		texts, at := Reader{B: b.keys, Ok: true}, uint64(0)
		for n := range b.texts {
			if at += texts.Varint(); !texts.Ok || at >= key {
				return n, texts.Ok
			}
		}
		return b.texts, true
	}
	b.rewind()
	wanted := key >> clockBits
	b.skim(b.n, wanted)
	for b.place < b.n && b.micros == wanted {
		clock, ok := b.clocks.of(b.place - b.texts)
		if !ok {
			return 0, false
		}
		if clock >= key&(1<<clockBits-1) {
			break
		}
		b.skim(b.place+1, math.MaxUint64)
	}
	return b.place, true
}

// rewind goes to the first TID.
func (b *edgeKeyBody) rewind() {
	b.place, b.micros, b.gaps = b.texts, b.first, gapStream{bits: b.gaps.bits}
}

// skim goes on to a place, or before it to the first TID that is not before a time.
func (b *edgeKeyBody) skim(to int, micros uint64) {
	s, now, place := b.gaps, b.micros, b.place
	for place < to && now < micros {
		gaps := b.n - place - 1
		if gaps == 0 {
			place++ // there is none behind the last one
			break
		}
		if s.left == 0 {
			s.block(gaps)
		}
		end := place + min(s.left, to-place)
		before, bits, at := place, s.bits, s.at
		flag, narrow, wide := s.flag&1, s.width[0]&63, s.width[1]&63
		for ; place < end && now < micros; place++ {
			var x uint64
			if from := at >> 3; len(bits)-from >= 8 {
				x = binary.LittleEndian.Uint64(bits[from:]) >> (at & 7)
			} else {
				x = bits.at(at, 1+56)
			}
			width := narrow
			if x&uint64(flag) != 0 { // which is guessed, and mostly well, before x is there
				width = wide
			}
			now += x >> flag & (1<<width - 1)
			at += flag + width
		}
		s.at, s.left = at, s.left-(place-before)
	}
	b.gaps, b.micros, b.place = s, now, place
}

// appendPart appends the keys from one place up to another.
func (b *edgeKeyBody) appendPart(dst []model.EdgeKey, from, to int) (keys []model.EdgeKey, ok bool) {
	start := len(dst)
	texts, key := Reader{B: b.keys, Ok: true}, uint64(0)
	for i := range min(b.texts, to) {
		if key += texts.Varint(); !texts.Ok || key >= model.FirstTID {
			return dst[:start], false
		}
		if i >= from {
			dst = append(dst, model.EdgeKey{Key: key})
		}
	}
	if b.place > max(from, b.texts) {
		b.rewind()
	}
	b.skim(from, math.MaxUint64)
	for b.place < to {
		clock, ok := b.clocks.of(b.place - b.texts)
		if !ok || b.micros > maxMicros {
			return dst[:start], false
		}
		dst = append(dst, model.EdgeKey{Key: b.micros<<clockBits | clock})
		if b.place++; b.place < b.n {
			b.micros += b.gaps.next(b.n - b.place)
		}
	}
	if to == b.n && !b.gaps.ends() {
		return dst[:start], false
	}
	for i := from; i < to; i++ {
		k := &dst[start+i-from]
		k.Target = b.targets.at(i*b.width, b.width)
		if i > from && dst[start+i-from-1].Compare(*k) >= 0 || k.Key == model.EdgeGone ||
			(k.Key >= model.FirstTID) != (i >= b.texts) {
			return dst[:start], false
		}
	}
	return dst, true
}
