// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitmap

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
)

// variants are Bitmaps of the same values in all states: packed either way, made room for changes,
// changed, with a checksum.
func variants(values []uint64) map[string]*Bitmap {
	m := map[string]*Bitmap{"fastest": FromSorted(values), "smallest": FromSorted(values),
		"changed": FromSorted(values)}
	m["smallest"].Pack(Smallest)
	if m["changed"].Add(123456) {
		m["changed"].Remove(123456)
	}
	return m
}

// hasValues checks that a set is valid and has the values.
func hasValues(t *testing.T, what string, b *Bitmap, values []uint64) {
	t.Helper()
	v, err := Open(b.Bytes())
	if err == nil {
		err = v.Validate()
	}
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	if !slices.Equal(v.AppendTo(nil), values) || !slices.Equal(b.View().AppendTo(nil), values) {
		t.Fatalf("%s: got %d values, want %d", what, b.Len(), len(values))
	}
	// It may be changed.
	before := b.Len()
	if x := uint64(1)<<62 + 12345; b.Add(x) && (b.Len() != before+1 || !b.Remove(x)) {
		t.Fatalf("%s: cannot be changed", what)
	}
}

// record is what people put a set into.
type record struct {
	Name string
	Set  *Bitmap
	By   Bitmap
	None *Bitmap
}

// TestMarshal leads sets of all shapes through every form, alone and as a field.
func TestMarshal(t *testing.T) {
	roaringtest.Alone(t)
	r := rand.New(rand.NewPCG(71, 72))
	for name, values := range roaringtest.SortedByName(roaringtest.Shapes(r)) {
		if len(values) > 5000 && testing.Short() {
			continue
		}
		for state, b := range variants(values) {
			what := name + ", " + state
			used := func() *Bitmap { return Of(9, 99, 999) }

			data, err := b.MarshalBinary()
			if err != nil || !bytes.Equal(data, b.Bytes()) {
				t.Fatalf("%s: MarshalBinary: other bytes, %v", what, err)
			}
			appended, _ := b.AppendBinary([]byte("x"))
			if string(appended) != "x"+string(data) {
				t.Fatalf("%s: AppendBinary: other bytes", what)
			}
			fromView, _ := b.View().AppendBinary([]byte("x"))
			c := used()
			if err := c.UnmarshalBinary(fromView[1:]); err != nil || len(fromView) > len(appended) {
				t.Fatalf("%s: View.AppendBinary: %d bytes, %v", what, len(fromView), err)
			}
			hasValues(t, what+", binary of a View", c, values)
			c = used()
			if err := c.UnmarshalBinary(data); err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			clear(data) // it was copied
			hasValues(t, what+", binary", c, values)
			c = used()
			if err := c.UnmarshalBinary(b.View().AppendChecked(nil)); err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			hasValues(t, what+", checked", c, values)

			text, _ := b.MarshalText()
			if len(text) > (len(b.Bytes())*4+2)/3 || text[0] != 't' {
				t.Fatalf("%s: %d bytes became %d letters", what, len(b.Bytes()), len(text))
			}
			again, _ := b.View().AppendText([]byte("x"))
			if string(again) != "x"+string(text) {
				t.Fatalf("%s: AppendText: other text", what)
			}
			c = used()
			if err := c.UnmarshalText(text); err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			hasValues(t, what+", text", c, values)

			in := record{Name: what, Set: b, By: *b}
			for form, lead := range map[string]func(in record, out *record) error{
				"json": func(in record, out *record) error {
					data, err := json.Marshal(in)
					return errors.Join(err, json.Unmarshal(data, out))
				},
				"indented json": func(in record, out *record) error {
					data, err := json.MarshalIndent(&in, " ", "  ")
					return errors.Join(err, json.Unmarshal(data, out))
				},
				"xml": func(in record, out *record) error {
					data, err := xml.Marshal(in)
					return errors.Join(err, xml.Unmarshal(data, out))
				},
				"gob": func(in record, out *record) error {
					var wire bytes.Buffer
					return errors.Join(gob.NewEncoder(&wire).Encode(in), gob.NewDecoder(&wire).Decode(out))
				},
			} {
				out := record{Set: used(), By: *used()}
				if err := lead(in, &out); err != nil {
					t.Fatalf("%s, %s: %v", what, form, err)
				}
				if out.Name != in.Name || out.None != nil {
					t.Fatalf("%s, %s: other fields were lost", what, form)
				}
				hasValues(t, what+", "+form, out.Set, values)
				hasValues(t, what+", by value, "+form, &out.By, values)
			}
		}
	}
}

// TestMarshalZero writes zero values and reads into them.
func TestMarshalZero(t *testing.T) {
	var b Bitmap
	data, _ := b.MarshalBinary()
	fromView, _ := View{}.MarshalBinary()
	if !bytes.Equal(data, []byte{0xB5, 1, 0}) || !bytes.Equal(fromView, data) {
		t.Fatalf("got % x", data)
	}
	text, _ := View{}.MarshalText()
	if err := b.UnmarshalText(text); err != nil || !b.IsEmpty() {
		t.Fatal(err)
	}
	hasValues(t, "empty", &b, nil)
}

// TestUnmarshalFailure checks that a set stays as it was.
func TestUnmarshalFailure(t *testing.T) {
	good := Of(1, 70000, 1<<40)
	checked := good.View().AppendChecked(nil)
	loose := FromSorted(roaringtest.Span(0, 1<<20, 999))
	loose.Add(5)
	text, _ := good.MarshalText()
	for _, c := range []struct {
		name string
		do   func(b *Bitmap) error
		err  error
	}{
		{"no bytes", func(b *Bitmap) error { return b.UnmarshalBinary(nil) }, ErrTruncated},
		{"not a bitmap", func(b *Bitmap) error { return b.UnmarshalBinary([]byte("set")) }, ErrNotBitmap},
		{"checksum", func(b *Bitmap) error {
			return b.UnmarshalBinary(roaringtest.Edited(checked, func(b []byte) { b[len(b)-5] ^= 1 }))
		}, ErrChecksum},
		{"byte left", func(b *Bitmap) error { return b.UnmarshalBinary(append(checked, 0)) }, ErrCorrupt},
		{"only Validate sees it", func(b *Bitmap) error {
			return b.UnmarshalBinary(roaringtest.Edited(loose.Bytes(), func(b []byte) {
				b[len(b)-1] ^= 1
				b[60] ^= 1
				b[100] ^= 1
			}))
		}, ErrCorrupt},
		{"no text", func(b *Bitmap) error { return b.UnmarshalText(nil) }, ErrTruncated},
		{"text cut", func(b *Bitmap) error { return b.UnmarshalText(text[:4]) }, ErrTruncated},
		{"text cut in a byte", func(b *Bitmap) error { return b.UnmarshalText(text[:5]) }, ErrCorrupt},
		{"padding", func(b *Bitmap) error { return b.UnmarshalText([]byte("tQEA====")) }, ErrCorrupt},
		{"line break", func(b *Bitmap) error { return b.UnmarshalText([]byte("tQ\nEA")) }, ErrCorrupt},
		{"other alphabet", func(b *Bitmap) error { return b.UnmarshalText([]byte("tQE+")) }, ErrCorrupt},
		{"other text", func(b *Bitmap) error { return b.UnmarshalText([]byte("tQUE")) }, ErrVersion},
		{"JSON string", func(b *Bitmap) error { return json.Unmarshal([]byte(`"tQE"`), b) }, ErrTruncated},
		{"JSON escape", func(b *Bitmap) error { return json.Unmarshal([]byte(`"\u0074QEA"`), b) }, ErrCorrupt},
		{"JSON number", func(b *Bitmap) error { return json.Unmarshal([]byte(`7`), b) }, ErrNotBitmap},
		{"JSON object", func(b *Bitmap) error { return json.Unmarshal([]byte(`{}`), b) }, ErrNotBitmap},
		{"JSON negative", func(b *Bitmap) error { return json.Unmarshal([]byte(`[1, -1]`), b) }, ErrCorrupt},
		{"JSON fraction", func(b *Bitmap) error { return json.Unmarshal([]byte(`[1.0]`), b) }, ErrCorrupt},
		{"JSON exponent", func(b *Bitmap) error { return json.Unmarshal([]byte(`[1e3]`), b) }, ErrCorrupt},
		{"JSON 2^64", func(b *Bitmap) error { return json.Unmarshal([]byte(`[18446744073709551616]`), b) }, ErrCorrupt},
		{"JSON 10^40", func(b *Bitmap) error {
			return json.Unmarshal([]byte(`[1`+strings.Repeat("0", 40)+`]`), b)
		}, ErrCorrupt},
		{"JSON nested", func(b *Bitmap) error { return json.Unmarshal([]byte(`[1,[2]]`), b) }, ErrCorrupt},
		{"JSON strings", func(b *Bitmap) error { return json.Unmarshal([]byte(`["1"]`), b) }, ErrCorrupt},
		{"not JSON: comma", func(b *Bitmap) error { return b.UnmarshalJSON([]byte(`[1,]`)) }, ErrCorrupt},
		{"not JSON: zero", func(b *Bitmap) error { return b.UnmarshalJSON([]byte(`[01]`)) }, ErrCorrupt},
		{"not JSON: two arrays", func(b *Bitmap) error { return b.UnmarshalJSON([]byte(`[1][2]`)) }, ErrCorrupt},
		{"not JSON: no end", func(b *Bitmap) error { return b.UnmarshalJSON([]byte(`[1`)) }, ErrNotBitmap},
		{"not JSON: nothing", func(b *Bitmap) error { return b.UnmarshalJSON(nil) }, ErrNotBitmap},
		{"not JSON: a quote", func(b *Bitmap) error { return b.UnmarshalJSON([]byte(`"`)) }, ErrNotBitmap},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := Of(3, 1<<33)
			b.Add(4)
			before := slices.Clone(b.Bytes())
			err := c.do(b)
			var format *FormatError
			if !errors.Is(err, c.err) || !errors.As(err, &format) {
				t.Fatalf("got %v, want %v", err, c.err)
			}
			if !bytes.Equal(b.Bytes(), before) {
				t.Fatal("the set was changed")
			}
			hasValues(t, "after a failure", b, []uint64{3, 4, 1 << 33})
		})
	}
}

// TestUnmarshalNumbers reads sets that were written by hand.
func TestUnmarshalNumbers(t *testing.T) {
	for text, want := range map[string][]uint64{
		`[]`:              nil,
		` [ ] `:           nil,
		`[0]`:             {0},
		"[3,1 ,\t2\n, 2]": {1, 2, 3},
		`[18446744073709551615, 9007199254740993]`: {9007199254740993, 1<<64 - 1},
	} {
		b := Of(9, 10)
		if err := json.Unmarshal([]byte(text), b); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		hasValues(t, text, b, want)
		if err := b.UnmarshalJSON([]byte(text)); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	b := Of(9)
	if err := b.UnmarshalJSON([]byte(" null\n")); err != nil || !b.Contains(9) {
		t.Fatalf("null: %v, %d values", err, b.Len())
	}
}

// FuzzUnmarshal reads any bytes in every form: what is accepted is valid and goes round, what is
// refused changes nothing.
func FuzzUnmarshal(f *testing.F) {
	for _, b := range []*Bitmap{new(Bitmap), Of(1), Of(1, 2, 300, 1<<40), FromSorted(roaringtest.Span(0, 100_000, 7))} {
		f.Add(b.Bytes())
		text, _ := b.MarshalText()
		f.Add(text)
		f.Add([]byte(`"` + string(text) + `"`))
		f.Add(b.View().AppendChecked(nil))
	}
	f.Add([]byte(`[1, 2, 18446744073709551615]`))
	f.Add([]byte(` null `))
	f.Fuzz(func(t *testing.T, data []byte) {
		data = append(make([]byte, 0, len(data)), data...)
		copied := string(data)
		for i, read := range []func(b *Bitmap) error{
			func(b *Bitmap) error { return b.UnmarshalBinary(data) },
			func(b *Bitmap) error { return b.UnmarshalText(data) },
			func(b *Bitmap) error { return b.UnmarshalJSON(data) },
			func(b *Bitmap) error { return b.Scan(data) },
			func(b *Bitmap) error { return b.Scan(copied) },
			func(b *Bitmap) error { _, err := b.ReadFrom(bytes.NewReader(data)); return err },
		} {
			b := Of(5, 6)
			if err := read(b); err != nil {
				if b.Len() != 2 || !strings.HasPrefix(err.Error(), "bitmap: ") && len(data) > 0 {
					t.Fatalf("form %d: %d values after %v", i, b.Len(), err)
				}
				continue
			}
			hasValues(t, fmt.Sprint("form ", i), b, b.View().AppendTo(nil))
			text, _ := b.MarshalText()
			var c Bitmap
			if err := c.UnmarshalText(text); err != nil || !Equal(b.View(), c.View()) {
				t.Fatalf("form %d: text: %v", i, err)
			}
		}
		if string(data) != copied {
			t.Fatal("reading changed the bytes")
		}
	})
}
