// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package view

import (
	"encoding/binary"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/eliasfano"
	"github.com/uproar-db/uproar/internal/roaring/kernel/array"
	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
)

// Validate proves every invariant of the format: order and bounds of keys and values,
// cardinalities, canonical runs, packed blocks without a byte too many, payloads that do not
// overlap, the count of bytes in holes, and the checksum of a stand-alone bitmap that has one.
//
// It reads all bytes once. Only a loose directory makes it allocate: 8 bytes a container, to sort
// the payloads. The error is a [*FormatError] that wraps ErrCorrupt, ErrTruncated or ErrChecksum
// and says where.
func (v View) Validate() error {
	c := checker{head: uint64(HeaderLen(v))}
	if Flags(&v)&FlagChecksum != 0 {
		if got := checksum(v); got != Sum(&v) {
			return &FormatError{
				Err: ErrChecksum, What: "CRC-32C of the bytes", Got: uint64(got),
				Want: "the checksum stored at the end", Offset: c.head + uint64(len(v.bytes)),
			}
		}
	}
	switch v.Form() {
	case FormList:
		if v.IsFixed() {
			if err := c.fixedList(&v); err != nil {
				return err
			}
		}
		return c.packed(List(&v), ^uint64(0), uint64(v.Ow()))
	case FormCompact:
		return c.compact(&v)
	case FormLoose:
		return c.loose(&v)
	}
	return nil
}

// checker makes the errors of a validation.
type checker struct {
	head uint64 // bytes before the body
}

func (c *checker) corrupt(what string, got uint64, want string, offset uint64) error {
	return &FormatError{Err: ErrCorrupt, What: what, Got: got, Want: want, Offset: c.head + offset}
}

func (c *checker) truncated(what string, got uint64, want string, offset uint64) error {
	return &FormatError{Err: ErrTruncated, What: what, Got: got, Want: want, Offset: c.head + offset}
}

// keys checks that key i is larger than the one before it.
func (c *checker) keys(v *View, i int, offset uint64) error {
	if key := v.KeyAt(i); i > 0 && key <= v.KeyAt(i-1) {
		return c.corrupt("container key", key, "more than the key before it", offset)
	}
	return nil
}

// compact checks a directory whose payloads follow each other.
func (c *checker) compact(v *View) error {
	payloads := uint64(Payloads(v))
	start, room := uint64(0), uint64(len(v.bytes)-Payloads(v))
	for i := range v.Count() {
		if err := c.keys(v, i, uint64(2+int(v.Kw())*(i+1))); err != nil {
			return err
		}
		at := payloads - uint64(int(v.Ow())*(v.Count()-i))
		end := LoadUint(v.bytes, int(at), v.Ow()) >> 2
		if end <= start {
			return c.corrupt("end of a payload", end, "more than the end before it", at)
		}
		if end > room {
			return c.truncated("end of a payload", end, "at most the length of all payloads", at)
		}
		if err := c.container(v, i, v.bytes[payloads+start:payloads+end], payloads+start); err != nil {
			return err
		}
		start = end
	}
	if start != room {
		return c.corrupt("bytes after the last payload", room-start, "0", payloads+start)
	}
	return nil
}

// container checks one payload against its kind, its cardinality and the next key.
func (c *checker) container(v *View, i int, payload []byte, offset uint64) error {
	kind, n := v.KindAt(i), v.CardAt(i)
	if len(payload) > container.MaxPayload {
		return c.corrupt("bytes of a payload", uint64(len(payload)), "at most 8192", offset)
	}
	if kind != container.Packed {
		return c.unpacked(kind, payload, n, offset)
	}
	if container.IsCoded(payload) {
		return c.coded(v.KeyAt(i), payload, n, offset)
	}
	last, _ := v.bound(i, v.KeyAt(i))
	return c.spread(payload, n, last, offset)
}

// unpacked checks the payload of an array, a bitset or runs.
func (c *checker) unpacked(kind uint8, payload []byte, n int, offset uint64) error {
	switch kind {
	case container.Array:
		return c.array(payload, n, offset)
	case container.Bitset:
		if len(payload) != container.MaxPayload {
			return c.corrupt("bytes of a bitset", uint64(len(payload)), "8192", offset)
		}
		if got := bitset.Len((*bitset.Words)(payload)); got != n {
			return c.corrupt("ones of a bitset", uint64(got), "its cardinality", offset)
		}
		return nil
	case container.Run:
		return c.run(payload, n, offset)
	}
	return c.corrupt("kind of a container", uint64(kind), "array, bitset or run", offset)
}

// coded checks a payload that is decoded: it must give a block of its cardinality that is valid.
func (c *checker) coded(key uint64, payload []byte, n int, offset uint64) error {
	if container.Decoders[payload[0]] == nil {
		return &FormatError{Err: ErrVersion, What: "low width of a packed container, or kind of another",
			Got: uint64(payload[0]), Want: "0 to 63, or a kind that is known", Offset: c.head + offset}
	}
	b := container.Decode(key, container.Packed, payload, n)
	if b.IsEmpty() {
		return c.corrupt("payload of kind", uint64(payload[0]), "one that its cardinality and its rules allow", offset)
	}
	return c.unpacked(b.Kind, b.Data, n, offset)
}

// array checks the payload of an array.
func (c *checker) array(payload []byte, n int, offset uint64) error {
	if len(payload) != 2*n {
		return c.corrupt("bytes of an array", uint64(len(payload)), "2 for each value of its cardinality", offset)
	}
	for i := 1; i < n; i++ {
		if low := array.Low(payload, i); low <= array.Low(payload, i-1) {
			return c.corrupt("value of an array", uint64(low), "more than the value before it", offset+uint64(2*i))
		}
	}
	return nil
}

// run checks the payload of runs.
func (c *checker) run(payload []byte, n int, offset uint64) error {
	if len(payload)%4 != 0 {
		return c.corrupt("bytes of runs", uint64(len(payload)), "a multiple of 4", offset)
	}
	total, before := 0, -1
	for i := 0; i < len(payload); i += 4 {
		lo := int(binary.LittleEndian.Uint16(payload[i:]))
		hi := lo + int(binary.LittleEndian.Uint16(payload[i+2:])) // inclusive
		if lo <= before+1 && i > 0 {
			return c.corrupt("start of a run", uint64(lo), "at least 2 more than the end of the run before it",
				offset+uint64(i))
		}
		if hi >= container.ChunkValues {
			return c.corrupt("end of a run", uint64(hi), "at most 65535", offset+uint64(i))
		}
		total += hi - lo + 1
		before = hi
	}
	if total != n {
		return c.corrupt("values of runs", uint64(total), "the container's cardinality", offset)
	}
	return nil
}

// fixedList checks that no value of a fixed list is larger than what its lower part has: the last
// one is at the place of the last one.
func (c *checker) fixedList(v *View) error {
	if _, last := List(v).Shape(); last >= v.ListLen() {
		return c.corrupt("upper part of a fixed list", uint64(last+1), "as many bits as it has values", HeaderFixed)
	}
	return nil
}

// spread checks the payload of a packed container whose values may be at most last away from its
// base.
func (c *checker) spread(payload []byte, n int, last, offset uint64) error {
	p := eliasfano.Packed{Block: payload[1:], N: n, Low: uint(payload[0])}
	if err := c.packed(p, last, offset+1); err != nil {
		return err
	}
	if d, _ := p.At(0); d >= container.ChunkValues {
		return c.corrupt("first value of a packed container", d, "in the chunk of its key", offset)
	}
	if d, _ := p.Last(); n > container.MaxPacked && d >= container.ChunkValues {
		return c.corrupt("values of a packed container of more than one chunk", uint64(n), "at most 2048", offset)
	}
	return nil
}

// packed checks a packed block.
func (c *checker) packed(p eliasfano.Packed, last, offset uint64) error {
	if need := p.N * int(p.Low+1); need > 8*len(p.Block) {
		return c.truncated("bytes of a packed block", uint64(len(p.Block)), "room for its cardinality", offset)
	}
	ones, lastOne := p.Shape()
	if ones != p.N {
		return c.corrupt("ones in the upper part of a packed block", uint64(ones), "its cardinality", offset)
	}
	if bytes := (p.N*int(p.Low) + lastOne + 1 + 7) / 8; bytes != len(p.Block) {
		return c.corrupt("bytes of a packed block", uint64(len(p.Block)), "no more than it needs", offset)
	}
	if high := uint64(lastOne - (p.N - 1)); high<<p.Low>>p.Low != high {
		return c.corrupt("upper part of the last value of a packed block", high, "a value below 2^64", offset)
	}
	var values [128]uint64
	it := p.Iter()
	before, first := uint64(0), true
	for n := it.Values(values[:], 0); n > 0; n = it.Values(values[:], 0) {
		for _, d := range values[:n] {
			if d <= before && !first {
				return c.corrupt("value of a packed block", d, "more than the value before it", offset)
			}
			before, first = d, false
		}
	}
	if before > last {
		return c.corrupt("last value of a packed block", before, "before the next container and below 2^64", offset)
	}
	return nil
}
