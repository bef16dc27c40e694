// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitmap

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
)

// operands are a set whose bytes may break any rule.
type operands struct {
	a View
	t testing.TB
}

// changed calls f on a copy of the set that has been changed.
func (o operands) changed(f func(m *Bitmap) uint64) uint64 {
	m := o.a.Clone()
	m.Add(1<<50 | 77)
	return f(m)
}

// rawBytes are bytes that may be anything at all.
type rawBytes struct {
	data []byte
	t    testing.TB
}

// refused demands of an error that it says what is wrong and where.
func (b rawBytes) refused(err error) uint64 {
	b.t.Helper()
	if err == nil {
		return 1
	}
	if e, ok := errors.AsType[*FormatError](err); !ok || e.Err == nil || e.Offset > uint64(len(b.data)) {
		b.t.Fatalf("got %v, want an error of the format inside %d bytes", err, len(b.data))
	}
	return 0
}

// size is the length of what was written, without an error.
func (o operands) size(b []byte, err error) uint64 {
	o.t.Helper()
	if err != nil {
		o.t.Fatal(err)
	}
	return uint64(len(b))
}

// streamed calls a WriteTo, and reads what it wrote.
func (o operands) streamed(write func(w io.Writer) (int64, error)) uint64 {
	o.t.Helper()
	var out bytes.Buffer
	n, err := write(&out)
	if err != nil || n != int64(out.Len()) {
		o.t.Fatalf("got %d bytes and %v, want %d", n, err, out.Len())
	}
	v, err := Open(out.Bytes())
	if err != nil {
		o.t.Fatal(err)
	}
	return v.Len()
}

// writeCalls are the calls that write a set for other packages and programs.
var writeCalls = []roaringtest.Call[operands]{
	{Name: "View.MarshalBinary", Do: func(o operands) uint64 { return o.size(o.a.MarshalBinary()) }},
	{Name: "View.AppendBinary", Do: func(o operands) uint64 { return o.size(o.a.AppendBinary(nil)) }},
	{Name: "View.MarshalText", Do: func(o operands) uint64 { return o.size(o.a.MarshalText()) }},
	{Name: "View.String", Do: func(o operands) uint64 { return uint64(len(o.a.String())) }},
	{Name: "View.AppendText", Do: func(o operands) uint64 { return o.size(o.a.AppendText(nil)) }},
	{Name: "View.WriteTo", Do: func(o operands) uint64 {
		return o.streamed(func(w io.Writer) (int64, error) { return o.a.WriteTo(w) })
	}},
	{Name: "View.Value", Do: func(o operands) uint64 {
		value, err := o.a.Value()
		return o.size(value.([]byte), err)
	}},
	{Name: "Bitmap.MarshalBinary", Do: func(o operands) uint64 {
		return o.changed(func(m *Bitmap) uint64 { return o.size(m.MarshalBinary()) })
	}},
	{Name: "Bitmap.AppendBinary", Do: func(o operands) uint64 {
		return o.changed(func(m *Bitmap) uint64 { return o.size(m.AppendBinary(nil)) })
	}},
	{Name: "Bitmap.MarshalText", Do: func(o operands) uint64 {
		return o.changed(func(m *Bitmap) uint64 { return o.size(m.MarshalText()) })
	}},
	{Name: "Bitmap.String", Do: func(o operands) uint64 {
		return o.changed(func(m *Bitmap) uint64 { return uint64(len(m.String())) })
	}},
	{Name: "Bitmap.AppendText", Do: func(o operands) uint64 {
		return o.changed(func(m *Bitmap) uint64 { return o.size(m.AppendText(nil)) })
	}},
	{Name: "Bitmap.WriteTo", Do: func(o operands) uint64 {
		return o.changed(func(m *Bitmap) uint64 {
			return o.streamed(func(w io.Writer) (int64, error) { return m.WriteTo(w) })
		})
	}},
	{Name: "Bitmap.Value", Do: func(o operands) uint64 {
		return o.changed(func(m *Bitmap) uint64 {
			value, err := m.Value()
			return o.size(value.([]byte), err)
		})
	}},
}

// replaced calls f, which reads a set from the bytes: it is valid, or stays as it was.
func (b rawBytes) replaced(f func(m *Bitmap) error) uint64 {
	b.t.Helper()
	m := Of(1, 2, 1<<40)
	err := f(m)
	if err != nil && m.Len() != 3 {
		b.t.Fatalf("the set has changed, although there was an error: %v", err)
	}
	if v, err := Open(m.Bytes()); err != nil || v.Validate() != nil {
		b.t.Fatalf("a set that was read: %v, %v", err, v.Validate())
	}
	m.Add(77)
	return b.refused(err) + m.Len()
}

// readCalls read what may be anything.
var readCalls = []roaringtest.Call[rawBytes]{
	{Name: "Bitmap.UnmarshalBinary", Do: func(b rawBytes) uint64 {
		return b.replaced(func(m *Bitmap) error { return m.UnmarshalBinary(b.data) })
	}},
	{Name: "Bitmap.UnmarshalText", Do: func(b rawBytes) uint64 {
		return b.replaced(func(m *Bitmap) error { return m.UnmarshalText(b.data) })
	}},
	{Name: "Bitmap.UnmarshalJSON", Do: func(b rawBytes) uint64 {
		return b.replaced(func(m *Bitmap) error { return m.UnmarshalJSON(b.data) })
	}},
	{Name: "Bitmap.Scan", Do: func(b rawBytes) uint64 {
		return b.replaced(func(m *Bitmap) error { return m.Scan(b.data) })
	}},
	{Name: "Bitmap.ReadFrom", Do: func(b rawBytes) uint64 {
		return b.replaced(func(m *Bitmap) error {
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
}

// TestMarshallingIsExercised: what writes a set for others, and what reads one, is called on
// hostile bytes.
func TestMarshallingIsExercised(t *testing.T) {
	var ran []string
	for _, c := range writeCalls {
		ran = append(ran, c.Name)
	}
	for _, c := range readCalls {
		ran = append(ran, c.Name)
	}
	slices.Sort(ran)
	if want := slices.Sorted(slices.Values(roaringtest.Marshalled)); !slices.Equal(ran, want) {
		t.Errorf("got calls of %v, want %v", ran, want)
	}
}

// maxHostile bounds the bytes of one input: more would only take longer.
const maxHostile = 1 << 15

// check makes every call on bytes that stand at the very end of readable memory. It makes them
// again at its very beginning: the answers must be the same.
func check(t *testing.T, g *roaringtest.Guarded, b []byte) {
	t.Helper()
	var answers [2][]uint64
	for i, atEnd := range []bool{true, false} {
		placed := g.Put(b, atEnd)
		answers[i] = roaringtest.Run(t, readCalls, rawBytes{placed, t}, roaringtest.BudgetFor(0, len(b)))
		v, err := Open(placed)
		if err != nil {
			v, err = OpenBody(placed)
		}
		if err == nil {
			k := v.Kinds()
			containers := int(k.Array.Count + k.Bitset.Count + k.Run.Count + k.Packed.Count)
			answers[i] = append(answers[i], roaringtest.Run(t, writeCalls, operands{v, t},
				roaringtest.BudgetFor(containers, len(b)))...)
		}
	}
	if !slices.Equal(answers[0], answers[1]) {
		t.Fatalf("another answer the second time: got %v, want %v", answers[1], answers[0])
	}
}

// FuzzHostile gives any bytes to all that reads and writes sets for others.
func FuzzHostile(f *testing.F) {
	for _, m := range []*Bitmap{new(Bitmap), Of(1, 2, 300, 1<<40), FromSorted(roaringtest.Span(0, 20_000, 7))} {
		text, _ := m.MarshalText()
		f.Add(m.Bytes())
		f.Add(m.View().AppendChecked(nil))
		f.Add(text)
		f.Add([]byte(`"` + string(text) + `"`))
	}
	f.Add([]byte(` [1, 2, 18446744073709551615] `))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) <= maxHostile {
			check(t, roaringtest.NewGuarded(t, maxHostile), b)
		}
	})
}

// TestHostileBytes is FuzzHostile without the fuzzer: random changes to sets in all forms, and to
// their texts.
func TestHostileBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(93, 94))
	g := roaringtest.NewGuarded(t, maxHostile)
	var inputs [][]byte
	for i := range roaringtest.Paced(600, 60) {
		if i%20 == 0 {
			inputs = inputs[:0]
			for _, s := range roaringtest.Samples(r, 2) {
				v, err := OpenBody(s.Body)
				if err != nil {
					t.Fatal(err)
				}
				text, _ := v.MarshalText()
				inputs = append(inputs, s.Body, text, v.AppendChecked(nil))
			}
			inputs = slices.DeleteFunc(inputs, func(b []byte) bool { return len(b) > maxHostile })
		}
		check(t, g, roaringtest.Damage(r, inputs[r.IntN(len(inputs))]))
	}
}
