// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package interop

import (
	"cmp"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
)

// A second, naive writer and reader of sroar's layout, straight from the document: what peers write
// and read themselves is compared in the bench module.

// sroarContainer is one container to be written.
type sroarContainer struct {
	key    uint64
	bits   bool
	lows   []uint16
	spare  int // words of an array after its values
	unused int // words before the container that belong to nothing
}

// sroarBytes writes containers in the order given, with room for keysToSpare more keys.
func sroarBytes(cs []sroarContainer, keysToSpare int) []byte {
	words := make([]uint16, 8+8*(len(cs)+keysToSpare))
	put := func(at int, x uint64) {
		for i := range 4 {
			words[at+i] = uint16(x >> (16 * i))
		}
	}
	put(0, uint64(len(words)))
	put(4, uint64(len(cs)))
	order := slices.Clone(cs)
	slices.SortFunc(order, func(a, b sroarContainer) int { return cmp.Compare(a.key, b.key) })
	for _, c := range cs {
		words = append(words, make([]uint16, c.unused)...)
		i := slices.IndexFunc(order, func(o sroarContainer) bool { return o.key == c.key })
		put(8+8*i, c.key<<16)
		put(8+8*i+4, uint64(len(words)))
		card := []uint16{uint16(len(c.lows)), 0}
		if len(c.lows) == 65536 {
			card = []uint16{65535, 1}
		}
		if c.bits {
			words = append(words, 4100, 1, card[0], card[1])
			at := len(words)
			words = append(words, make([]uint16, 4096)...)
			for _, low := range c.lows {
				words[at+int(low/16)] |= 0x8000 >> (low % 16)
			}
			continue
		}
		words = append(words, uint16(4+len(c.lows)+c.spare), 0, card[0], card[1])
		words = append(append(words, c.lows...), make([]uint16, c.spare)...)
	}
	var b []byte
	for _, w := range words {
		b = binary.LittleEndian.AppendUint16(b, w)
	}
	return b
}

// sroarValues reads bytes that are valid.
func sroarValues(b []byte) (values []uint64) {
	for i := range binary.LittleEndian.Uint64(b[8:]) {
		key, at := binary.LittleEndian.Uint64(b[16+16*i:]), 2*binary.LittleEndian.Uint64(b[24+16*i:])
		n := uint64(binary.LittleEndian.Uint16(b[at+4:])) + uint64(binary.LittleEndian.Uint16(b[at+6:]))
		if b[at+2] == 0 {
			for j := range n {
				values = append(values, key|uint64(binary.LittleEndian.Uint16(b[at+8+2*j:])))
			}
			continue
		}
		for low := range uint64(65536) {
			if binary.LittleEndian.Uint16(b[at+8+low/16*2:])&(0x8000>>(low%16)) != 0 {
				values = append(values, key|low)
			}
		}
	}
	return values
}

// lowsIn returns the low 16 bits of values.
func lowsIn(values []uint64) (lows []uint16) {
	for _, x := range values {
		lows = append(lows, uint16(x))
	}
	return lows
}

// randomSroar returns containers of all shapes, in any order and with gaps, and their values.
func randomSroar(r *rand.Rand) (cs []sroarContainer, values []uint64) {
	key := uint64(0)
	for range 1 + r.IntN(6) {
		c := sroarContainer{key: key, unused: r.IntN(2) * r.IntN(100), spare: r.IntN(60)}
		if r.IntN(4) > 0 {
			chunk := roaringtest.RandomChunk(r)
			if r.IntN(8) == 0 {
				chunk = roaringtest.Span(0, 65536, 1)
			}
			c.lows = lowsIn(chunk)
			for _, x := range chunk {
				values = append(values, key<<16|x)
			}
		}
		c.bits = len(c.lows) > 4096 || r.IntN(2) == 0
		cs = append(cs, c)
		key += 1 + r.Uint64N(1<<r.IntN(46))
	}
	r.Shuffle(len(cs), func(i, j int) { cs[i], cs[j] = cs[j], cs[i] })
	return cs, values
}

// TestFromSroar reads what the naive writer writes, and AppendSroar's bytes of the same values with
// the naive reader.
func TestFromSroar(t *testing.T) {
	roaringtest.Alone(t)
	r := rand.New(rand.NewPCG(61, 62))
	for range 60 {
		cs, values := randomSroar(r)
		checkSroar(t, sroarBytes(cs, r.IntN(4)), values)
	}
	for name, values := range roaringtest.SortedByName(roaringtest.Shapes(r)) {
		b := bitmap.FromSorted(values)
		got := AppendSroar([]byte("before"), b.View())
		if string(got[:6]) != "before" {
			t.Fatalf("%s: the bytes before were changed", name)
		}
		if len(values) == 0 {
			if len(got) != 6 {
				t.Fatalf("%s: got %d bytes for no values", name, len(got)-6)
			}
			continue
		}
		if !slices.Equal(sroarValues(got[6:]), values) {
			t.Fatalf("%s: the naive reader reads other values", name)
		}
		checkSroar(t, got[6:], values)
	}
	checkSroar(t, nil, nil)
}

// checkSroar reads bytes and compares the values.
func checkSroar(t *testing.T, b []byte, values []uint64) {
	t.Helper()
	m, err := FromSroar(b)
	if err != nil {
		t.Fatal(err)
	}
	back, err := bitmap.Open(m.Bytes())
	if err == nil {
		err = back.Validate()
	}
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(back.AppendTo(nil), values) {
		t.Fatalf("got %d values, want %d", m.Len(), len(values))
	}
	again, err := FromSroar(AppendSroar(nil, m.View()))
	if err != nil || !bitmap.Equal(again.View(), back) {
		t.Fatalf("written and read again: %v, %d values, want %d", err, again.Len(), len(values))
	}
}

// TestSroarInvariants breaks each rule of the document.
func TestSroarInvariants(t *testing.T) {
	three := sroarContainer{key: 0, lows: []uint16{5, 7, 9}, spare: 2}
	full := sroarContainer{key: 3, lows: lowsIn(roaringtest.Span(0, 65536, 1)), bits: true}
	good := sroarBytes([]sroarContainer{three, full}, 1)
	// The node has 8 + 3·8 words, the array 9: entries stand at bytes 16 and 32, containers at 64
	// and 82.
	const array, bitset = 64, 82
	checkSroar(t, good, append([]uint64{5, 7, 9}, roaringtest.Span(3<<16, 4<<16, 1)...))
	for _, c := range []struct {
		name string
		b    []byte
		err  error
		what string
	}{
		{"odd", append(slices.Clone(good), 0), bitmap.ErrCorrupt, "number of bytes"},
		{"short", good[:14], bitmap.ErrTruncated, "at least 16"},
		{"node beyond", roaringtest.Edited(good, roaringtest.Set64(0, 1<<63)), bitmap.ErrTruncated,
			"words of the node"},
		{"node too small", roaringtest.Edited(good, roaringtest.Set64(0, 7)), bitmap.ErrCorrupt, "words of the node"},
		{"keys", roaringtest.Edited(good, roaringtest.Set64(8, 4)), bitmap.ErrCorrupt, "container keys"},
		{"enormous keys", roaringtest.Edited(good, roaringtest.Set64(8, 1<<63)), bitmap.ErrCorrupt, "container keys"},
		{"key with low bits", roaringtest.Edited(good, roaringtest.Set64(32, 3<<16|1)), bitmap.ErrCorrupt,
			"multiple of 65536"},
		{"key twice", roaringtest.Edited(good, roaringtest.Set64(32, 0)), bitmap.ErrCorrupt,
			"more than the key before"},
		{"offset beyond", roaringtest.Edited(good, roaringtest.Set64(24, uint64(len(good)/2-3))), bitmap.ErrTruncated,
			"offset"},
		{"enormous offset", roaringtest.Edited(good, roaringtest.Set64(24, 1<<63+32)), bitmap.ErrTruncated, "offset"},
		{"size 0", roaringtest.Edited(good, roaringtest.Set16(array, 0)), bitmap.ErrCorrupt, "words of a container"},
		{"size beyond", roaringtest.Edited(good, roaringtest.Set16(bitset, 4101)), bitmap.ErrTruncated,
			"words of a container"},
		{"size of a bitset", roaringtest.Edited(good, roaringtest.Set16(bitset, 4099)), bitmap.ErrCorrupt,
			"words of a bitset"},
		{"type", roaringtest.Edited(good, roaringtest.Set16(array+2, 2)), bitmap.ErrCorrupt, "type"},
		{"cardinality of an array", roaringtest.Edited(good, roaringtest.Set16(array+4, 6)), bitmap.ErrCorrupt,
			"cardinality of an array"},
		{"cardinality of an array, second word", roaringtest.Edited(good, roaringtest.Set16(array+6, 65535)),
			bitmap.ErrCorrupt,
			"cardinality of an array"},
		{"cardinality of an array without size", roaringtest.Edited(roaringtest.Edited(good,
			roaringtest.Set16(array, 4)), roaringtest.Set16(array+4, 65535)),
			bitmap.ErrTruncated, "words of a container"},
		{"too many values for an array", sroarBytes([]sroarContainer{{lows: lowsIn(roaringtest.Span(0, 4097, 1))}}, 1),
			bitmap.ErrCorrupt,
			"cardinality of an array"},
		{"order", roaringtest.Edited(good, roaringtest.Set16(array+8+2, 4)), bitmap.ErrCorrupt, "larger or equal"},
		{"twice", roaringtest.Edited(good, roaringtest.Set16(array+8+2, 5)), bitmap.ErrCorrupt, "larger or equal"},
		{"cardinality of a bitset", roaringtest.Edited(good, roaringtest.Set16(bitset+6, 0)), bitmap.ErrCorrupt,
			"cardinality of a bitset"},
		{"ones of a bitset", roaringtest.Edited(good, roaringtest.Set16(bitset+100, 7)), bitmap.ErrCorrupt,
			"cardinality of a bitset"},
		{"one container for two keys", roaringtest.Edited(good, roaringtest.Set64(24, bitset/2)), bitmap.ErrCorrupt,
			"leave"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := FromSroar(c.b)
			var format *bitmap.FormatError
			if m != nil || !errors.Is(err, c.err) || !errors.As(err, &format) ||
				!strings.Contains(err.Error(), c.what) {
				t.Fatalf("got %v, want %v with %q", err, c.err, c.what)
			}
			if format.Offset > uint64(len(c.b)) || !strings.HasPrefix(err.Error(), "bitmap: ") {
				t.Fatalf("offset %d of %d bytes: %v", format.Offset, len(c.b), err)
			}
		})
	}
	// What dgraph's AndNot writes although it should not: an array without room for its values.
	checkSroar(t, roaringtest.Edited(good, roaringtest.Set16(array, 4)),
		append([]uint64{5, 7, 9}, roaringtest.Span(3<<16, 4<<16, 1)...))
}

// FuzzFromSroar reads any bytes: what is accepted is a valid set of the values that the naive
// reader sees, not much larger than the bytes.
func FuzzFromSroar(f *testing.F) {
	r := rand.New(rand.NewPCG(63, 64))
	for range 6 {
		cs, _ := randomSroar(r)
		if b := sroarBytes(cs, 1); len(b) < 30_000 {
			f.Add(b, uint16(0), uint16(0))
		}
	}
	f.Add(sroarBytes([]sroarContainer{{lows: []uint16{1, 2, 3}, spare: 1},
		{key: 9, bits: true, lows: []uint16{1, 2, 65535}}}, 1), uint16(64), uint16(4))
	f.Fuzz(func(t *testing.T, b []byte, at, mask uint16) {
		b = append(make([]byte, 0, len(b)), b...) // reading beyond panics
		if len(b) > 1 {
			at %= uint16(min(len(b)-1, 65535))
			b[at] ^= byte(mask)
			b[at+1] ^= byte(mask >> 8)
		}
		copied := string(b)
		m, err := FromSroar(b)
		if string(b) != copied {
			t.Fatal("reading changed the bytes")
		}
		if err != nil {
			var format *bitmap.FormatError
			if !errors.As(err, &format) || m != nil {
				t.Fatalf("got %v", err)
			}
			return
		}
		if got := len(m.Bytes()); got > len(b)+64 {
			t.Fatalf("%d bytes became %d", len(b), got)
		}
		if len(b) == 0 {
			checkSroar(t, b, nil)
			return
		}
		checkSroar(t, b, sroarValues(b))
	})
}

// TestAppendSroarHostile writes sets that break rules of our own format: what is written is a set
// that sroar's layout allows, or one whose fault FromSroar finds.
func TestAppendSroarHostile(t *testing.T) {
	r := rand.New(rand.NewPCG(65, 66))
	for _, s := range roaringtest.Samples(r, 20) {
		for range 20 {
			body := slices.Clone(s.Body)
			for range 1 + r.IntN(3) {
				if len(body) > 0 {
					body[r.IntN(min(len(body), 60))] = byte(r.Uint32())
				}
			}
			v, err := bitmap.OpenBody(body)
			if err != nil {
				continue
			}
			b := AppendSroar(nil, v)
			if m, err := FromSroar(b); err != nil && v.Validate() == nil || err == nil && v.Validate() == nil &&
				!bitmap.Equal(m.View(), v) {
				t.Fatalf("a valid set: %v", err)
			}
		}
	}
}
