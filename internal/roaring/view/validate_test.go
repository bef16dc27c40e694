// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package view_test

import (
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// TestInvariants breaks each rule of the document in bytes that are otherwise valid.
func TestInvariants(t *testing.T) {
	array := roaringtest.Container{Key: 1, Kind: container.Array, Values: []uint64{0x10005, 0x10007, 0x10009}}
	bitset := roaringtest.Container{Key: 2, Kind: container.Bitset, Values: roaringtest.Span(0x20000, 0x30000, 3)}
	run := roaringtest.Container{Key: 3, Kind: container.Run, Values: append(roaringtest.Span(0x30000, 0x30010, 1),
		roaringtest.Span(0x30020, 0x30030, 1)...)}
	packed := roaringtest.Container{Key: 4, Kind: container.Packed, Values: []uint64{0x40001, 0x70000, 0x90001},
		Low: 16}
	coded := roaringtest.Container{Key: 4, Kind: roaringtest.Absent, Values: roaringtest.Span(0x40003, 0x50000, 1)}
	after := roaringtest.Container{Key: 10, Kind: container.Array, Values: []uint64{0xA0000}}

	// Payloads of compact directories with one or two containers of one-byte keys and ends begin
	// here.
	const one, two = 2 + 1 + 1 + 2 + 1, 2 + 1 + 2*(1+2+1)
	compact := func(cs ...roaringtest.Container) []byte { return roaringtest.CompactBody(cs, 0) }
	// A run or bitset directory of one container has ends of other widths: changes count from the
	// end of the body.
	fromEnd := func(body []byte, back int, f func(at int) func([]byte)) []byte {
		return roaringtest.Edited(body, f(len(body)-back))
	}

	r := rand.New(rand.NewPCG(1, 1))
	loose := roaringtest.LooseBody([]roaringtest.Container{array, run, after}, r)
	directory := int(binary.LittleEndian.Uint64(loose[16:]))
	second := int(binary.LittleEndian.Uint64(loose[directory+16+8:]) >> 16)
	reoffset := func(to int) []byte {
		return roaringtest.Edited(loose, roaringtest.Set64(directory+8, uint64(to)<<16|container.Array<<14|5))
	}
	crc := roaringtest.Envelop(compact(array), 0, true)
	whole := roaringtest.Envelop(compact(array), 0, false)
	wide := roaringtest.ListBody([]uint64{5, 900, 1 << 50}, 48)

	for _, c := range []struct {
		name string
		b    []byte // stand-alone if it begins with the magic byte
		err  error
		what string // part of the error's text
	}{
		// Envelope.
		{"no bytes stand alone", []byte{view.Magic}, view.ErrTruncated, "envelope"},
		{"magic", roaringtest.Edited(whole, func(b []byte) { b[0] = 0xB6 }), view.ErrNotBitmap, "magic"},
		{"version", roaringtest.Edited(whole, func(b []byte) { b[1] = 2 }), view.ErrVersion, "version"},
		{"reserved flag", roaringtest.Edited(whole, func(b []byte) { b[1] |= 0x80 }), view.ErrVersion, "reserved"},
		{"length too large", roaringtest.Edited(whole, func(b []byte) { b[2]++ }), view.ErrTruncated, "body length"},
		{"length too small", roaringtest.Edited(whole, func(b []byte) { b[2]-- }), view.ErrCorrupt, "after the body"},
		{"length field cut", []byte{view.Magic, 0x31, 0, 0}, view.ErrTruncated, "envelope"},
		{"enormous length", append([]byte{view.Magic, 0x31}, 255, 255, 255, 255, 255, 255, 255, 255), view.ErrTruncated,
			"body length"},
		{"checksum missing", roaringtest.Edited(whole, func(b []byte) { b[1] |= 0x40 }), view.ErrTruncated, "checksum"},
		{"checksum", roaringtest.Edited(crc, func(b []byte) { b[len(b)-1] ^= 1 }), view.ErrChecksum, "CRC-32C"},
		{"checksum of a changed value", roaringtest.Edited(crc, func(b []byte) {
			b[len(b)-6] ^= 1
		}), view.ErrChecksum, "CRC-32C"},

		// Forms.
		{"reserved form FF", []byte{0xFF, 0}, view.ErrVersion, "form"},
		{"single without value", []byte{0xF9}, view.ErrTruncated, "single"},
		{"single of nine bytes", append([]byte{0xF9}, make([]byte, 9)...), view.ErrCorrupt, "single"},
		{"long list without header", []byte{0xD2}, view.ErrTruncated, "list header"},
		{"long list without block", []byte{0xD2, 0}, view.ErrTruncated, "list header"},
		{"long list without half of its header", []byte{0xFA, 0}, view.ErrTruncated, "list header"},
		{"long list without block in four bytes", []byte{0xFA, 0, 0, 0}, view.ErrTruncated, "list header"},
		{"long list of few values", []byte{0xD2, 0, 0, 0}, view.ErrCorrupt, "values of a long list"},
		{"long list of few values in four bytes", append([]byte{0xFA, 0x10, 0x27, 0}, make([]byte, 20000)...),
			view.ErrCorrupt, "values of a long list"},
		{"long list with less room than values", append([]byte{0xFA, 0x11, 0x27, 0}, make([]byte, 2500)...),
			view.ErrCorrupt,
			"values of a long list"},
		{"long list of too many bytes", append([]byte{0xD5, 0}, make([]byte, 32767)...), view.ErrCorrupt,
			"bytes of a long list"},
		{"long list without ones", append([]byte{0xD5, 0}, make([]byte, 20000)...), view.ErrCorrupt, "ones"},
		{"fixed list without header", []byte{0xFB}, view.ErrTruncated, "list header"},
		{"fixed list without block", []byte{0xFB, 0}, view.ErrTruncated, "fixed list"},
		{"fixed list without half of its last value", roaringtest.FixedBody([]uint64{1, 2, 3})[:14], view.ErrTruncated,
			"fixed list"},
		{"fixed list of a byte too many", append(roaringtest.FixedBody([]uint64{1, 2, 3}), 0), view.ErrCorrupt,
			"bytes of a fixed list"},
		{"fixed list of more ones than values", roaringtest.Edited(roaringtest.FixedBody([]uint64{1, 2, 3}),
			func(b []byte) {
				b[2] |= 8
			}), view.ErrCorrupt, "upper part of a fixed list"},
		{"fixed list of fewer ones than values", roaringtest.Edited(roaringtest.FixedBody([]uint64{1, 2, 3}),
			func(b []byte) {
				b[2] = 3
			}), view.ErrCorrupt, "ones"},
		{"fixed list of a value beyond its bytes", roaringtest.Edited(roaringtest.FixedBody([]uint64{1, 2, 3}),
			func(b []byte) {
				b[2] = 11
			}), view.ErrCorrupt, "upper part of a fixed list"},
		{"fixed list of values that descend", roaringtest.Edited(roaringtest.FixedBody([]uint64{1, 2, 3}),
			func(b []byte) {
				b[3] = 4
			}), view.ErrCorrupt, "more than the value before"},
		{"list without header", []byte{0x08}, view.ErrTruncated, "list header"},
		{"list without block", []byte{0x08, 0}, view.ErrTruncated, "list header"},
		{"list of no values", []byte{0, 0, 1}, view.ErrCorrupt, "values of a list"},
		{"list with less room than values", []byte{0, 9, 1}, view.ErrCorrupt, "values of a list"},
		{"list of too many values", append([]byte{0, 0}, make([]byte, 20000)...), view.ErrCorrupt,
			"values of a list"},

		// Packed blocks.
		{"packed length", []byte{0, 1, 1, 0}, view.ErrCorrupt, "no more than it needs"},
		{"packed ones too many", roaringtest.Edited(wide, func(b []byte) { b[2] |= 0x80 }), view.ErrCorrupt, "ones"},
		{"packed ones too few", roaringtest.Edited(wide, func(b []byte) { b[2] &^= 1 }), view.ErrCorrupt, "ones"},
		{"packed order", listBodyOf([]uint64{9, 5}, 8), view.ErrCorrupt, "more than the value before"},
		{"packed twice", listBodyOf([]uint64{9, 9}, 8), view.ErrCorrupt, "more than the value before"},
		{"packed beyond 2^64", []byte{0xD1, 1, 0b100, 0, 0, 0, 0, 0, 0, 0, 0}, view.ErrCorrupt, "2^64"},

		// Compact directories.
		{"no widths", []byte{0xF8}, view.ErrTruncated, "directory header"},
		{"reserved width bit", []byte{0xF8, 0x80}, view.ErrVersion, "reserved"},
		{"width of keys", []byte{0xF8, 0x06, 0, 0, 0, 0, 0, 0, 0, 0}, view.ErrCorrupt, "width of keys"},
		{"width of ends", []byte{0xF8, 0x30, 0, 0, 0, 0, 0, 0, 0, 0}, view.ErrCorrupt, "width of ends"},
		{"no count", []byte{0xF8, 0x02, 0}, view.ErrTruncated, "directory header"},
		{"count", []byte{0xF8, 0x00, 9, 0, 0, 0, 0}, view.ErrTruncated, "directory entries"},
		{"enormous count", append([]byte{0xF8, 0x2D}, 255, 255, 255, 255, 255, 255), view.ErrTruncated,
			"directory entries"},
		{"keys twice", roaringtest.Edited(compact(array, after), func(b []byte) {
			b[3] = 10
		}), view.ErrCorrupt, "container key"},
		{"keys descend", roaringtest.Edited(compact(array, after), func(b []byte) {
			b[3] = 11
		}), view.ErrCorrupt, "container key"},
		{"end beyond", roaringtest.Edited(compact(array), func(b []byte) {
			b[one-1] = 7 << 2
		}), view.ErrTruncated, "end of a payload"},
		{"end too small", roaringtest.Edited(compact(array), func(b []byte) {
			b[one-1] = 5 << 2
		}), view.ErrCorrupt, "bytes of an array"},
		{"ends descend", roaringtest.Edited(compact(array, after), func(b []byte) {
			b[two-1] = 6 << 2
		}), view.ErrCorrupt, "end of a payload"},
		{"bytes left", append(compact(array), 0), view.ErrCorrupt, "after the last payload"},

		// Arrays.
		{"array order", roaringtest.Edited(compact(array), roaringtest.Set16(one+2, 4)), view.ErrCorrupt,
			"value of an array"},
		{"array twice", roaringtest.Edited(compact(array), roaringtest.Set16(one+2, 5)), view.ErrCorrupt,
			"value of an array"},
		{"array cardinality", roaringtest.Edited(compact(array), roaringtest.Set16(4, 3)), view.ErrCorrupt,
			"bytes of an array"},
		{"array too long", compact(roaringtest.Container{Kind: container.Array, Values: roaringtest.Span(0, 4097, 1)}),
			view.ErrCorrupt,
			"bytes of a payload"},

		// Bitsets.
		{"bitset ones", fromEnd(compact(bitset), 2, func(at int) func([]byte) {
			return roaringtest.Set16(at, 0xFFFF)
		}), view.ErrCorrupt, "ones of a bitset"},
		{"bitset length", roaringtest.Edited(compact(array), func(b []byte) {
			b[one-1] |= container.Bitset
		}), view.ErrCorrupt, "bytes of a bitset"},

		// Runs.
		{"runs touch", fromEnd(compact(run), 4, func(at int) func([]byte) {
			return roaringtest.Set16(at, 0x10)
		}), view.ErrCorrupt, "start of a run"},
		{"runs overlap", fromEnd(compact(run), 4, func(at int) func([]byte) {
			return roaringtest.Set16(at, 0x0F)
		}), view.ErrCorrupt, "start of a run"},
		{"runs descend", fromEnd(compact(run), 8, func(at int) func([]byte) {
			return roaringtest.Set16(at, 0x100)
		}), view.ErrCorrupt, "start of a run"},
		{"run beyond the chunk", fromEnd(compact(run), 4, func(at int) func([]byte) {
			return roaringtest.Set16(at, 0xFFF8)
		}), view.ErrCorrupt, "end of a run"},
		{"run cardinality", roaringtest.Edited(compact(run), roaringtest.Set16(4, 0x20)), view.ErrCorrupt,
			"values of runs"},
		{"run bytes", roaringtest.Edited(compact(array), func(b []byte) {
			b[one-1] |= container.Run
		}), view.ErrCorrupt, "bytes of runs"},

		// Packed containers.
		{"packed low width", roaringtest.Edited(compact(packed), func(b []byte) {
			b[one] = 64
		}), view.ErrVersion, "low width"},
		{"unknown kind", roaringtest.Edited(compact(coded), func(b []byte) {
			b[one]--
		}), view.ErrVersion, "kind"},
		{"coded values", roaringtest.Edited(compact(coded), roaringtest.Set16(one+3, 0)), view.ErrCorrupt,
			"payload of kind"},
		{"coded cardinality", roaringtest.Edited(compact(coded), roaringtest.Set16(4, 900)), view.ErrCorrupt,
			"payload of kind"},
		{"packed room", roaringtest.Edited(compact(packed), roaringtest.Set16(4, 900)), view.ErrTruncated,
			"bytes of a packed block"},
		{"packed reaches the next key", compact(packed, roaringtest.Container{Key: 9, Values: []uint64{0x90005}}),
			view.ErrCorrupt,
			"before the next container"},
		{"packed begins late", compact(roaringtest.Container{Key: 3, Kind: container.Packed, Values: packed.Values,
			Low: 16}), view.ErrCorrupt,
			"in the chunk of its key"},
		{"packed too many", compact(roaringtest.Container{Kind: container.Packed,
			Values: roaringtest.Span(0, 2049*40, 40),
			Low:    5}),
			view.ErrCorrupt,
			"at most 2048"},
		{"packed beyond the last chunk", compact(roaringtest.Container{Key: container.MaxKey, Kind: container.Packed,
			Values: []uint64{0xFFFF_FFFF_FFFF_0000, 0}, Low: 10}),
			view.ErrCorrupt, "below 2^64"},

		// Loose directories.
		{"loose header", roaringtest.Edited(loose[:39], func([]byte) {}), view.ErrTruncated, "directory header"},
		{"loose reserved width", roaringtest.Edited(loose, func(b []byte) { b[1] |= 1 }), view.ErrVersion, "reserved"},
		{"loose reserved u16", roaringtest.Edited(loose, func(b []byte) { b[2] = 1 }), view.ErrVersion, "reserved"},
		{"loose reserved u32", roaringtest.Edited(loose, func(b []byte) { b[7] = 1 }), view.ErrVersion, "reserved"},
		{"loose count", roaringtest.Edited(loose, roaringtest.Set64(8, 99)), view.ErrCorrupt, "containers"},
		{"loose directory in the header", roaringtest.Edited(loose, roaringtest.Set64(16, 39)), view.ErrCorrupt,
			"directory offset"},
		{"loose directory beyond", roaringtest.Edited(loose, roaringtest.Set64(16, uint64(len(loose)))),
			view.ErrTruncated,
			"directory entries"},
		{"loose room", roaringtest.Edited(loose, roaringtest.Set64(24, 1<<60)), view.ErrTruncated, "directory entries"},
		{"loose holes", roaringtest.Edited(loose, roaringtest.Set64(32, 1<<30)), view.ErrCorrupt, "hole bytes"},
		{"loose keys", roaringtest.Edited(loose, roaringtest.Set64(directory+16, 1<<16|31)), view.ErrCorrupt,
			"container key"},
		{"loose reserved bit", roaringtest.Edited(loose, func(b []byte) {
			b[directory+9] |= 0x20
		}), view.ErrCorrupt, "reserved bit 13"},
		{"loose payload in the header", reoffset(34), view.ErrCorrupt, "at least 40"},
		{"loose payload beyond", reoffset(len(loose) - 5), view.ErrTruncated, "inside the body"},
		{"loose payload in the directory", reoffset(directory + 8), view.ErrCorrupt, "outside the directory"},
		{"loose rooms overlap", reoffset(second), view.ErrCorrupt, "behind the room"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var v view.View
			var err error
			if c.err == view.ErrNotBitmap || len(c.b) > 0 && c.b[0] == view.Magic {
				v, err = view.Open(c.b)
			} else {
				v, err = view.OpenBody(c.b)
			}
			if err == nil {
				err = v.Validate()
			}
			var format *view.FormatError
			if !errors.Is(err, c.err) || !errors.As(err, &format) {
				t.Fatalf("got %v, want %v", err, c.err)
			}
			if !strings.Contains(err.Error(), c.what) || !strings.HasPrefix(err.Error(), "bitmap: ") {
				t.Fatalf("got %q, want a word of %q", err, c.what)
			}
			if format.Offset > uint64(len(c.b)) {
				t.Fatalf("offset %d of %d bytes", format.Offset, len(c.b))
			}
		})
	}
}

// listBodyOf writes values in any order that share their upper bits.
func listBodyOf(values []uint64, low uint) []byte {
	b := make([]byte, (len(values)*(int(low)+1)+7)/8)
	for i, x := range values {
		roaringtest.SetBit(b, i)
		for j := range int(low) {
			if x>>j&1 != 0 {
				roaringtest.SetBit(b, 8*len(b)-len(values)*int(low)+i*int(low)+j)
			}
		}
	}
	return append([]byte{view.ListFirst[low], byte(len(values))}, b...)
}
