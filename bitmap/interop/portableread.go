// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package interop

import (
	"encoding/binary"
	"fmt"
	"io"

	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/kernel/array"
	"github.com/uproar-db/uproar/internal/roaring/kernel/bitset"
	"github.com/uproar-db/uproar/internal/roaring/kernel/run"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pack"
)

// FromPortable32 returns the set in b, in the 32-bit portable format of RoaringFormatSpec. b must
// hold exactly one set, with or without run containers. b is not kept.
//
// Everything is checked in the one pass that copies: order, cardinalities, offsets, the end. An
// error is a [*bitmap.FormatError] that wraps ErrNotBitmap, ErrTruncated or ErrCorrupt. Containers
// stay what they are in b, so that [RunsAsStored] writes b again; only runs that touch each other
// are joined, and runs of more than 8 192 bytes become another kind. [bitmap.Bitmap.Pack] chooses
// anew. Memory is bounded by a small multiple of the length of b.
func FromPortable32(b []byte) (*bitmap.Bitmap, error) {
	m, err := fromPortable(&portableInput{b: b}, (*portableInput).set32)
	return m, advise(err, b, "FromPortable32")
}

// FromPortable64 returns the set in b, which must hold exactly one set in the 64-bit portable
// format of RoaringFormatSpec: the number of 32-bit sets as u64, then each with its high 32 bits as
// u32 before it. CRoaring, Go's roaring64 and Java's Roaring64NavigableMap (portable mode, unsigned
// order) write it. Everything else is as with [FromPortable32].
func FromPortable64(b []byte) (*bitmap.Bitmap, error) {
	m, err := fromPortable(&portableInput{b: b}, (*portableInput).set64)
	return m, advise(err, b, "FromPortable64")
}

// ReadPortable32 is [FromPortable32] on a stream. It reads the bytes of the set and none beyond, so
// that sets may follow each other; pieces are as small as 2 bytes: r should be buffered. The errors
// of r are returned as they are: io.EOF at the end of the stream, before the first byte of a set.
// One that ends within the set is both ErrTruncated and io.ErrUnexpectedEOF.
func ReadPortable32(r io.Reader) (*bitmap.Bitmap, error) {
	return fromPortable(&portableInput{r: r}, (*portableInput).set32)
}

// ReadPortable64 is [FromPortable64] on a stream: see [ReadPortable32].
func ReadPortable64(r io.Reader) (*bitmap.Bitmap, error) {
	return fromPortable(&portableInput{r: r}, (*portableInput).set64)
}

// fromPortable reads a set and checks that nothing follows in a slice.
func fromPortable(in *portableInput, read func(*portableInput, *pack.Builder) error) (*bitmap.Bitmap, error) {
	m := pack.BorrowBuilder()
	defer m.Release()
	if err := read(in, m); err != nil {
		return nil, err
	}
	if len(in.b) > 0 {
		return nil, in.corrupt("bytes after the set", uint64(len(in.b)), "none")
	}
	layout := pack.AsTheyAre
	if in.runs {
		layout = pack.InDirectory
	}
	b := mutable.NewBitmap(m, layout)
	mutable.MarkValid(b) // proved above
	return (*bitmap.Bitmap)(b), nil
}

// portableInput gives the bytes of a portable file from front to back: those of b, or those of r.
type portableInput struct {
	b    []byte
	r    io.Reader
	at   uint64    // bytes taken so far
	bufs [4][]byte // of r: each part of a set in its own
	runs bool      // a container with runs has been read
}

// Parts of a set, by what they are kept in.
const (
	partHeads = iota
	partFlags
	partOffsets
	partPayload
)

// take returns the next n bytes, valid until the next call for the same part. It allocates no more
// than a step beyond what has really been read.
func (in *portableInput) take(part, n int, what string) ([]byte, error) {
	if in.r == nil {
		if n > len(in.b) {
			return nil, in.truncated(what, len(in.b), n)
		}
		b := in.b[:n:n]
		in.b, in.at = in.b[n:], in.at+uint64(n)
		return b, nil
	}
	const step = 1 << 15
	b := in.bufs[part][:0]
	for len(b) < n {
		had := len(b)
		b = append(b, make([]byte, min(n-had, step))...)
		got, err := io.ReadFull(in.r, b[had:])
		if err == io.EOF && in.at == 0 && had == 0 {
			return nil, io.EOF
		}
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return nil, fmt.Errorf("%w: %w", in.truncated(what, had+got, n), io.ErrUnexpectedEOF)
		}
		if err != nil {
			return nil, err
		}
	}
	in.bufs[part] = b
	in.at += uint64(n)
	return b, nil
}

func (in *portableInput) truncated(what string, got, want int) error {
	return &bitmap.FormatError{Err: bitmap.ErrTruncated, What: "bytes left for " + what, Got: uint64(got),
		Want:   fmt.Sprint(want),
		Offset: in.at}
}

func (in *portableInput) corrupt(what string, got uint64, want string) error {
	return &bitmap.FormatError{Err: bitmap.ErrCorrupt, What: what, Got: got, Want: want, Offset: in.at}
}

// set64 reads a 64-bit set.
func (in *portableInput) set64(m *pack.Builder) error {
	b, err := in.take(partHeads, 8, "the number of 32-bit sets")
	if err != nil {
		return err
	}
	count := binary.LittleEndian.Uint64(b)
	if count > 1<<32 {
		return &bitmap.FormatError{
			Err: bitmap.ErrCorrupt, What: "number of 32-bit sets", Got: count, Want: "at most 2^32", Offset: in.at,
			Try: "for RoaringFormatSpec bytes of 32-bit values use interop.ReadPortable32, for those of a Bitmap " +
				"its ReadFrom",
		}
	}
	next := uint64(0)
	for range count {
		b, err := in.take(partHeads, 4, "the high 32 bits of a set")
		if err != nil {
			return err
		}
		high := uint64(binary.LittleEndian.Uint32(b))
		if high < next {
			return in.corrupt("high 32 bits of a set", high, "more than those before it")
		}
		next = high + 1
		if err := in.set(m, high); err != nil {
			return err
		}
	}
	return nil
}

// set32 reads a 32-bit set.
func (in *portableInput) set32(m *pack.Builder) error { return in.set(m, 0) }

// set reads the 32-bit set with the given high 32 bits.
func (in *portableInput) set(m *pack.Builder, high uint64) error {
	start := in.at
	b, err := in.take(partHeads, 4, "the cookie")
	if err != nil {
		return err
	}
	var flags []byte
	count := 0
	switch cookie := binary.LittleEndian.Uint32(b); {
	case cookie&0xFFFF == cookieRuns:
		count = int(cookie>>16) + 1
		if flags, err = in.take(partFlags, (count+7)/8, "the flags of run containers"); err != nil {
			return err
		}
	case cookie == cookieNoRuns:
		if b, err = in.take(partHeads, 4, "the number of containers"); err != nil {
			return err
		}
		n := binary.LittleEndian.Uint32(b)
		if n > portableContainers {
			return in.corrupt("number of containers", uint64(n), "at most 65536")
		}
		count = int(n)
	default:
		e := &bitmap.FormatError{Err: bitmap.ErrNotBitmap, What: "cookie", Got: uint64(cookie), Offset: start}
		e.Want = "12346, or 12347 in the low 16 bits"
		if start == 0 {
			e.Try = "for RoaringFormatSpec bytes of 64-bit values use interop.ReadPortable64, for those of a Bitmap " +
				"its " +
				"ReadFrom"
		}
		return e
	}
	heads, err := in.take(partHeads, 4*count, "keys and cardinalities")
	if err != nil {
		return err
	}
	var offsets []byte
	if flags == nil || count >= portableOffsets {
		if offsets, err = in.take(partOffsets, 4*count, "offsets"); err != nil {
			return err
		}
	}
	next := 0
	for i := range count {
		key, n := int(binary.LittleEndian.Uint16(heads[4*i:])), int(binary.LittleEndian.Uint16(heads[4*i+2:]))+1
		if key < next {
			return in.corrupt("key of a container", uint64(key), "more than the key before it")
		}
		next = key + 1
		if offsets != nil {
			if got, want := uint64(binary.LittleEndian.Uint32(offsets[4*i:])), in.at-start; got != want {
				return in.corrupt("offset of a container", got, fmt.Sprintf("%d, where it stands", want))
			}
		}
		m.Begin(high<<16 | uint64(key))
		if flags != nil && flags[i>>3]>>(i&7)&1 != 0 {
			err = in.runContainer(m, n)
		} else if n <= container.MaxArray {
			err = in.array(m, n)
		} else {
			err = in.bitset(m, n)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// array reads an array of n values.
func (in *portableInput) array(m *pack.Builder, n int) error {
	lows, err := in.take(partPayload, 2*n, "an array")
	if err != nil {
		return err
	}
	if _, ascending := array.Shape(lows); !ascending {
		return in.corrupt("values of an array", uint64(n), "in ascending order")
	}
	c := m.Room(n, array.Low(lows, 0), array.Low(lows, n-1), container.Array, len(lows))
	copy(m.Data[c.At:], lows)
	return nil
}

// bitset reads a bitset that should have n values.
func (in *portableInput) bitset(m *pack.Builder, n int) error {
	b, err := in.take(partPayload, container.MaxPayload, "a bitset")
	if err != nil {
		return err
	}
	words := (*bitset.Words)(b)
	if got := bitset.Len(words); got != n {
		return in.corrupt("values of a bitset", uint64(got), fmt.Sprint(n))
	}
	lo, _ := bitset.Next(words, 0)
	hi, _ := bitset.Previous(words, container.ChunkValues-1)
	c := m.Room(n, lo, hi, container.Bitset, container.MaxPayload)
	copy(m.Data[c.At:], b)
	return nil
}

// runContainer reads runs that should have n values together.
func (in *portableInput) runContainer(m *pack.Builder, n int) error {
	b, err := in.take(partPayload, 2, "the number of runs")
	if err != nil {
		return err
	}
	runs, err := in.take(partPayload, 4*int(binary.LittleEndian.Uint16(b)), "runs")
	if err != nil {
		return err
	}
	got, next, touching := 0, 0, false
	for i := range len(runs) / 4 {
		lo, length := int(array.Low(runs, 2*i)), int(array.Low(runs, 2*i+1))+1
		if lo < next || lo+length > container.ChunkValues {
			return in.corrupt("start of a run", uint64(lo),
				"behind the run before it, and its end within the container")
		}
		touching = touching || lo == next && i > 0
		got += length
		next = lo + length
	}
	if got != n {
		return in.corrupt("values of runs", uint64(got), fmt.Sprint(n))
	}
	if touching || len(runs) > container.MaxPayload {
		// Not a container of ours.
		w := new(bitset.Words)
		run.Set(w, runs)
		m.AppendWords(w)
		return nil
	}
	in.runs = true
	c := m.Room(n, array.Low(runs, 0), uint16(next-1), container.Run, len(runs))
	copy(m.Data[c.At:], runs)
	return nil
}
