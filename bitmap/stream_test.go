// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitmap

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"maps"
	"math/rand/v2"
	"testing"
	"testing/iotest"

	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
)

// TestStream writes sets of all shapes to one stream, with other bytes between them, and reads them
// back.
func TestStream(t *testing.T) {
	r := rand.New(rand.NewPCG(73, 74))
	var wire bytes.Buffer
	var lengths []int64
	sets := roaringtest.Shapes(r)
	if testing.Short() {
		maps.DeleteFunc(sets, func(_ string, values []uint64) bool { return len(values) > 5000 })
	}
	for _, values := range roaringtest.SortedByName(sets) {
		for _, b := range []*Bitmap{FromSorted(values), FromSorted(values)} {
			if b.Add(77) {
				b.Remove(77)
			}
			before := wire.Len()
			n, err := b.WriteTo(&wire)
			if err != nil || n != int64(len(b.Bytes())) || !bytes.Equal(wire.Bytes()[before:], b.Bytes()) {
				t.Fatalf("wrote %d bytes, %v", n, err)
			}
			var fromView bytes.Buffer
			n, _ = b.View().WriteTo(&fromView)
			c := new(Bitmap)
			if k, err := c.ReadFrom(&fromView); err != nil || k != n || !Equal(b.View(), c.View()) {
				t.Fatalf("a View: wrote %d bytes, read %d, %v", n, k, err)
			}
			lengths = append(lengths, int64(len(b.Bytes())))
			wire.WriteString("between")
		}
	}
	for name, wrap := range map[string]func(io.Reader) io.Reader{
		"as it comes":   func(r io.Reader) io.Reader { return r },
		"byte by byte":  iotest.OneByteReader,
		"halves":        iotest.HalfReader,
		"end with data": iotest.DataErrReader,
	} {
		stream := wrap(bytes.NewReader(wire.Bytes()))
		i := 0
		for _, values := range roaringtest.SortedByName(sets) {
			for range 2 {
				b := Of(1, 2, 3)
				n, err := b.ReadFrom(stream)
				if err != nil || n != lengths[i] {
					t.Fatalf("%s: read %d bytes, want %d, %v", name, n, lengths[i], err)
				}
				hasValues(t, name, b, values)
				between := make([]byte, 7)
				if _, err := io.ReadFull(stream, between); err != nil || string(between) != "between" {
					t.Fatalf("%s: %q after the set, %v", name, between, err)
				}
				i++
			}
		}
		b := Of(1)
		if n, err := b.ReadFrom(stream); n != 0 || err != io.EOF || b.Len() != 1 {
			t.Fatalf("%s: at the end: %d bytes, %v", name, n, err)
		}
	}
}

// TestStreamCut ends a stream after every byte of a set, and fails at it.
func TestStreamCut(t *testing.T) {
	good := FromSorted(roaringtest.Span(0, 1<<18, 777)).View().AppendChecked(nil)
	failure := errors.New("failure")
	for i := range good {
		b := Of(5)
		n, err := b.ReadFrom(bytes.NewReader(good[:i]))
		if n != int64(i) || b.Len() != 1 {
			t.Fatalf("%d bytes: read %d, %d values", i, n, b.Len())
		}
		if i > 0 && (!errors.Is(err, ErrTruncated) || !errors.Is(err, io.ErrUnexpectedEOF)) || i == 0 && err != io.EOF {
			t.Fatalf("%d bytes: got %v", i, err)
		}
		if n, err := b.ReadFrom(io.MultiReader(bytes.NewReader(good[:i]), iotest.ErrReader(failure))); !errors.Is(err,
			failure) || n != int64(i) {
			t.Fatalf("%d bytes and a failure: read %d, %v", i, n, err)
		}
	}
	b := new(Bitmap)
	if n, err := b.ReadFrom(bytes.NewReader(good)); err != nil || n != int64(len(good)) {
		t.Fatal(err)
	}
	if _, err := b.ReadFrom(bytes.NewReader(roaringtest.Edited(good, func(b []byte) {
		b[len(b)-1] ^= 1
	}))); !errors.Is(err, ErrChecksum) {
		t.Fatalf("checksum: got %v", err)
	}
	if n, err := b.ReadFrom(bytes.NewReader([]byte("else"))); !errors.Is(err, ErrNotBitmap) || n != 1 {
		t.Fatalf("other bytes: got %v after %d bytes", err, n)
	}
	if _, err := b.ReadFrom(bytes.NewReader([]byte{0xB5, 9, 9, 9})); !errors.Is(err, ErrVersion) {
		t.Fatalf("version: got %v", err)
	}
	if b.Len() != 338 {
		t.Fatalf("failures changed the set: %d values", b.Len())
	}
}

// TestStreamLies claims lengths that do not come: little memory is asked for.
func TestStreamLies(t *testing.T) {
	for _, length := range []uint64{1 << 20, 1 << 40, 1 << 48, 1<<48 + 1, 1 << 63, 1<<64 - 1} {
		head := binary.LittleEndian.AppendUint64([]byte{0xB5, 1 | 3<<4 | 0x40}, length)
		data := append(head, make([]byte, 1000)...)
		var err error
		got := roaringtest.AllocatedBy(func() { _, err = new(Bitmap).ReadFrom(bytes.NewReader(data)) })
		want := ErrTruncated
		if length > 1<<48 {
			want = ErrCorrupt
		}
		if !errors.Is(err, want) {
			t.Fatalf("length %d: got %v", length, err)
		}
		if got > 1<<20 {
			t.Fatalf("length %d: %d bytes were allocated for a stream of %d", length, got, len(data))
		}
	}
}

// limited takes a number of bytes and no more.
type limited struct {
	left int
	err  error
}

func (w *limited) Write(p []byte) (int, error) {
	n := min(w.left, len(p))
	w.left -= n
	if n < len(p) {
		return n, w.err
	}
	return n, nil
}

// TestWriteToFails reports what was written.
func TestWriteToFails(t *testing.T) {
	b := FromSorted(roaringtest.Span(0, 1000, 3))
	failure := errors.New("full")
	for i := range len(b.Bytes()) {
		if n, err := b.WriteTo(&limited{i, failure}); n != int64(i) || err != failure {
			t.Fatalf("%d bytes of room: wrote %d, %v", i, n, err)
		}
		if n, err := b.View().WriteTo(&limited{i, failure}); n != int64(i) || err != failure {
			t.Fatalf("%d bytes of room: a View wrote %d, %v", i, n, err)
		}
		if n, err := b.WriteTo(&limited{i, nil}); n != int64(i) || err != io.ErrShortWrite {
			t.Fatalf("%d bytes of room: wrote %d, %v", i, n, err)
		}
	}
}
