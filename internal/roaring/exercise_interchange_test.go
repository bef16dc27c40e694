// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"bytes"
	"errors"
	"io"
	"slices"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pair"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// size is the length of what was written, without an error.
func (o *operands) size(b []byte, err error) uint64 {
	o.t.Helper()
	if err != nil {
		o.t.Fatal(err)
	}
	return uint64(len(b))
}

// streamed calls a WriteTo, and reads what it wrote.
func (o *operands) streamed(write func(w io.Writer) (int64, error)) uint64 {
	o.t.Helper()
	var out bytes.Buffer
	n, err := write(&out)
	if err != nil || n != int64(out.Len()) {
		o.t.Fatalf("got %d bytes and %v, want %d", n, err, out.Len())
	}
	v, err := view.Open(out.Bytes())
	if err != nil {
		o.t.Fatal(err)
	}
	return v.Len()
}

// writeCalls are the calls that write a set for other packages and programs.
var writeCalls = []roaringtest.Call[*operands]{
	{Name: "View.MarshalBinary", Do: func(o *operands) uint64 { return o.size(mutable.MarshalBinary(o.a)) }},
	{Name: "View.AppendBinary", Do: func(o *operands) uint64 { return o.size(mutable.AppendBinary(o.a, nil)) }},
	{Name: "View.MarshalText", Do: func(o *operands) uint64 { return o.size(mutable.MarshalText(o.a)) }},
	{Name: "View.String", Do: func(o *operands) uint64 { return uint64(len(o.a.String())) }},
	{Name: "View.AppendText", Do: func(o *operands) uint64 { return o.size(mutable.AppendText(o.a, nil)) }},
	{Name: "View.WriteTo", Do: func(o *operands) uint64 {
		return o.streamed(func(w io.Writer) (int64, error) { return mutable.WriteTo(o.a, w) })
	}},
	{Name: "View.Value", Do: func(o *operands) uint64 {
		value, err := mutable.Value(o.a)
		return o.size(value.([]byte), err)
	}},
	{Name: "Bitmap.MarshalBinary", Do: func(o *operands) uint64 {
		return o.changed(func(m *mutable.Bitmap) uint64 { return o.size(m.MarshalBinary()) })
	}},
	{Name: "Bitmap.AppendBinary", Do: func(o *operands) uint64 {
		return o.changed(func(m *mutable.Bitmap) uint64 { return o.size(m.AppendBinary(nil)) })
	}},
	{Name: "Bitmap.MarshalText", Do: func(o *operands) uint64 {
		return o.changed(func(m *mutable.Bitmap) uint64 { return o.size(m.MarshalText()) })
	}},
	{Name: "Bitmap.String", Do: func(o *operands) uint64 {
		return o.changed(func(m *mutable.Bitmap) uint64 { return uint64(len(m.String())) })
	}},
	{Name: "Bitmap.AppendText", Do: func(o *operands) uint64 {
		return o.changed(func(m *mutable.Bitmap) uint64 { return o.size(m.AppendText(nil)) })
	}},
	{Name: "Bitmap.WriteTo", Do: func(o *operands) uint64 {
		return o.changed(func(m *mutable.Bitmap) uint64 {
			return o.streamed(func(w io.Writer) (int64, error) { return m.WriteTo(w) })
		})
	}},
	{Name: "Bitmap.Value", Do: func(o *operands) uint64 {
		return o.changed(func(m *mutable.Bitmap) uint64 {
			value, err := m.Value()
			return o.size(value.([]byte), err)
		})
	}},
}

// replaced calls f, which reads a set from the bytes: it is valid, or stays as it was.
func (b rawBytes) replaced(f func(m *mutable.Bitmap) error) uint64 {
	b.t.Helper()
	m := pair.Of(1, 2, 1<<40)
	err := f(m)
	if err != nil && m.Len() != 3 {
		b.t.Fatalf("the set has changed, although there was an error: %v", err)
	}
	if v, err := view.Open(m.Bytes()); err != nil || v.Validate() != nil {
		b.t.Fatalf("a set that was read: %v, %v", err, v.Validate())
	}
	m.Add(77)
	return b.refused(err) + m.Len()
}

// nativeReadCalls read this format, and other packages' forms of it.
var nativeReadCalls = []roaringtest.Call[rawBytes]{
	{Name: "Open", Do: func(b rawBytes) uint64 {
		v, err := view.Open(b.data)
		return b.refused(err) + v.Len()
	}},
	{Name: "OpenBody", Do: func(b rawBytes) uint64 {
		v, err := view.OpenBody(b.data)
		return b.refused(err) + v.Len()
	}},
	{Name: "CountRows", Do: func(b rawBytes) (sum uint64) {
		counts := make([]uint32, 1000)
		for width := 1; width <= 4; width++ {
			sum += uint64(CountRows(counts, [][]byte{b.data, b.data[len(b.data)/2:], nil}, width))
		}
		return sum + uint64(counts[0])
	}},
	{Name: "NarrowWords", Do: func(b rawBytes) (sum uint64) {
		lows := []uint16{0, 5, 9, 31, 40}
		if len(b.data) > 40 {
			for bits := 1; bits <= 7; bits++ {
				sum += uint64(NarrowWords(make([]uint16, len(lows)), lows, b.data, 0, bits))
			}
		}
		return sum
	}},
	{Name: "KeepLows", Do: func(b rawBytes) uint64 {
		var among [container.MaxPayload]byte
		copy(among[:], b.data)
		lows := []uint16{0, 5, 9, 31, 4000, 65535, 7, 8, 9, 10}
		return uint64(KeepLows(lows, lows, &among))
	}},
	{Name: "FirstCount", Do: func(b rawBytes) uint64 { return uint64(FirstCount(b.numbers(), 1<<31)) }},
	{Name: "LastShare", Do: func(b rawBytes) uint64 {
		counts := b.numbers()
		return uint64(1 + LastShare(counts, slices.Clone(counts), 1<<30, 1))
	}},
	{Name: "Bitmap.UnmarshalBinary", Do: func(b rawBytes) uint64 {
		return b.replaced(func(m *mutable.Bitmap) error { return m.UnmarshalBinary(b.data) })
	}},
	{Name: "Bitmap.UnmarshalText", Do: func(b rawBytes) uint64 {
		return b.replaced(func(m *mutable.Bitmap) error { return m.UnmarshalText(b.data) })
	}},
	{Name: "Bitmap.UnmarshalJSON", Do: func(b rawBytes) uint64 {
		return b.replaced(func(m *mutable.Bitmap) error { return m.UnmarshalJSON(b.data) })
	}},
	{Name: "Bitmap.Scan", Do: func(b rawBytes) uint64 {
		return b.replaced(func(m *mutable.Bitmap) error { return m.Scan(b.data) })
	}},
	{Name: "Bitmap.ReadFrom", Do: func(b rawBytes) uint64 {
		return b.replaced(func(m *mutable.Bitmap) error {
			n, err := m.ReadFrom(bytes.NewReader(b.data))
			if n > int64(len(b.data)) {
				b.t.Fatalf("ReadFrom: got %d bytes of %d", n, len(b.data))
			}
			if len(b.data) == 0 && errors.Is(err, io.EOF) {
				return nil // nothing to read is not an error of the format
			}
			return err
		})
	}},
	{Name: "FormatError.Error", Do: func(b rawBytes) uint64 {
		if _, err := view.Open(b.data); err != nil {
			return uint64(len(err.(*view.FormatError).Error()))
		}
		return 0
	}},
	{Name: "FormatError.Unwrap", Do: func(b rawBytes) uint64 {
		if _, err := view.OpenBody(b.data); err != nil && err.(*view.FormatError).Unwrap() == nil {
			b.t.Fatalf("%v wraps nothing", err)
		}
		return 0
	}},
}
