// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package interop_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/bitmap/bsi"
	"github.com/uproar-db/uproar/bitmap/interop"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
)

// TestBytesOfOtherFormats: every reader that is given a set in another format says which one, and
// which call reads it.
func TestBytesOfOtherFormats(t *testing.T) {
	dense := bitmap.Of(1, 5, 70_000)
	dense.AddRange(200_000, 300_000)
	for _, set := range []*bitmap.Bitmap{bitmap.Of(7), bitmap.Of(1, 5, 70_000), dense,
		bitmap.FromSorted(roaringtest.Span(0, 200_000, 3)),
		new(bitmap.Bitmap)} {
		v := set.View()
		portable32, err := interop.AppendPortable32(nil, v, interop.RunsIfSmaller)
		if err != nil {
			t.Fatal(err)
		}
		portable64, sroar := interop.AppendPortable64(nil, v, interop.RunsIfSmaller), interop.AppendSroar(nil, v)
		text, _ := v.MarshalText()
		sliced := bsi.Of([]bsi.Pair{{ID: 1, Value: 7}, {ID: 9, Value: -70_000}}).View().Append(nil, bitmap.Smallest)
		forms := map[string][]byte{
			"; RoaringFormatSpec bytes: use interop.FromPortable32":                  portable32,
			"; RoaringFormatSpec bytes of 64-bit values: use interop.FromPortable64": portable64,
			"; sroar bytes: use interop.FromSroar":                                   sroar,
			"; bytes of bit-sliced integers: use bsi.Open":                           sliced,
			"; bytes of a Bitmap: use Bitmap.UnmarshalBinary or Open":                set.Bytes(),
			"; the text of a Bitmap: use Bitmap.UnmarshalText":                       text,
			"; JSON: use Bitmap.UnmarshalJSON":                                       []byte(" [1,2,3]"),
			"; hexadecimal of RoaringFormatSpec bytes: use interop.FromPortable32": []byte(`\x` +
				hex.EncodeToString(portable32)),
			"; hexadecimal of bytes of a Bitmap: use Bitmap.UnmarshalBinary or Open": []byte(
				hex.EncodeToString(set.Bytes())),
			"; base64 of RoaringFormatSpec bytes: use interop.FromPortable32": []byte(
				base64.StdEncoding.EncodeToString(portable32)),
			"; base64 of sroar bytes: use interop.FromSroar": []byte(
				base64.StdEncoding.EncodeToString(sroar)),
			"; base64 of RoaringFormatSpec bytes of 64-bit values: use interop.FromPortable64": []byte(
				base64.RawURLEncoding.EncodeToString(portable64)),
		}
		if set.IsEmpty() { // eight zeros, and a node without keys, are no marks
			delete(forms, "; base64 of RoaringFormatSpec bytes of 64-bit values: use interop.FromPortable64")
			delete(forms, "; base64 of sroar bytes: use interop.FromSroar")
			delete(forms, "; sroar bytes: use interop.FromSroar")
		}
		readers := map[string]func(b []byte) error{
			"Open":            func(b []byte) error { _, err := bitmap.Open(b); return err },
			"UnmarshalBinary": func(b []byte) error { return new(bitmap.Bitmap).UnmarshalBinary(b) },
			"UnmarshalText":   func(b []byte) error { return new(bitmap.Bitmap).UnmarshalText(b) },
			"Scan":            func(b []byte) error { return new(bitmap.Bitmap).Scan(b) },
			"Scan of text":    func(b []byte) error { return new(bitmap.Bitmap).Scan(string(b)) },
			"bsi.Open":        func(b []byte) error { _, err := bsi.Open(b); return err },
			"FromPortable32":  func(b []byte) error { _, err := interop.FromPortable32(b); return err },
			"FromPortable64":  func(b []byte) error { _, err := interop.FromPortable64(b); return err },
			"FromSroar":       func(b []byte) error { _, err := interop.FromSroar(b); return err },
		}
		reads := map[string]string{ // what each reads itself
			"UnmarshalBinary": "UnmarshalBinary", "Scan": "Open UnmarshalText", "Scan of text": "Open UnmarshalText",
		}
		for try, b := range forms {
			call := try[strings.LastIndexByte(try, ' ')+1:]
			call = strings.TrimPrefix(strings.TrimPrefix(call, "interop."), "Bitmap.")
			for reader, read := range readers {
				err := read(b)
				raw := !strings.Contains(try, "base64 of") && !strings.Contains(try, "hexadecimal of")
				if raw && (reader == call || strings.Contains(reads[reader], call)) ||
					raw && reader == "UnmarshalBinary" && call == "Open" {
					if err != nil {
						t.Errorf("%s of %q: %v", reader, try, err)
					}
					continue
				}
				if err == nil {
					t.Errorf("%s reads what should be %q", reader, try)
					continue
				}
				if e := (*bitmap.FormatError)(nil); !errors.As(err, &e) || !strings.HasSuffix(err.Error(), try) {
					t.Errorf("%s: got %q, want it to end with %q", reader, err, try)
				}
			}
		}
		if _, err := new(bitmap.Bitmap).ReadFrom(bytes.NewReader(portable32)); err == nil ||
			!strings.Contains(err.Error(), "use interop.ReadPortable32") {
			t.Errorf("ReadFrom: got %v", err)
		}
	}
	set := bitmap.Of(1, 5, 70_000)
	portable32, _ := interop.AppendPortable32(nil, set.View(), interop.RunsIfSmaller)
	streams := map[string]func(r io.Reader) (*bitmap.Bitmap, error){
		"ReadPortable32": interop.ReadPortable32, "ReadPortable64": interop.ReadPortable64,
	}
	for call, b := range map[string][]byte{
		"ReadPortable32": portable32,
		"ReadPortable64": interop.AppendPortable64(nil, set.View(), interop.RunsIfSmaller),
		"ReadFrom":       set.Bytes(),
	} {
		for reader, read := range streams {
			if _, err := read(bytes.NewReader(b)); reader != call && (err == nil ||
				!strings.Contains(err.Error(), call)) {
				t.Errorf("%s: got %v, want it to say %s", reader, err, call)
			}
		}
	}
	// Bytes of the right format that are cut say nothing of another one.
	cut := dense.Bytes()[:20]
	if err := new(bitmap.Bitmap).UnmarshalBinary(cut); err == nil || strings.Contains(err.Error(), "use ") {
		t.Errorf("cut bytes: got %v", err)
	}
	if _, err := interop.FromPortable32([]byte{0x3A, 0x30, 0, 0, 9, 0, 0, 0}); err == nil ||
		strings.Contains(err.Error(), "use ") {
		t.Errorf("cut portable bytes: got %v", err)
	}
}
