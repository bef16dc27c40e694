// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package format

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/seal"
)

// TestWordsOfPages: pages of every width give back what was laid out, and none that is longer,
// shorter or wider is opened.
func TestWordsOfPages(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 21))
	r := Ref{Field: 23, Generation: 1}
	key := AppendPageKey(nil, 1, &r)
	for width := 1; width <= 64; width++ {
		for _, n := range []int{1, 2, 7, 8, 9, 1000, ValueRows, ValueRows + 1} {
			words, values := make([]uint64, n), uint64(0)
			for i := range words {
				words[i] = rng.Uint64() >> (64 - width)
			}
			words[n-1] = 1 << (width - 1)
			for _, w := range words {
				if w != 0 {
					values++
				}
			}
			data, got := AppendValuePage(words)
			seal.Write(key, data)
			p, err := OpenPage(&r, key, data)
			if err != nil || got != values {
				t.Fatalf("%d words of %d bits: got %d values, %v, want %d", n, width, got, err, values)
			}
			for i, w := range words {
				if got := p.Word(uint64(i)); got != w {
					t.Fatalf("word %d of %d of %d bits: got %d, want %d", i, n, width, got, w)
				}
			}
			if got := p.Word(uint64(n)); got != 0 {
				t.Fatalf("word %d of %d of %d bits: got %d, want 0", n, n, width, got)
			}
			for _, wrong := range [][]byte{append(slices.Clone(data), 0), slices.Clone(data[:len(data)-1])} {
				seal.Write(key, wrong)
				if _, err := OpenPage(&r, key, wrong); !errors.Is(err, model.ErrCorrupt) {
					t.Fatalf("%d bytes of %d words of %d bits: got %v, want ErrCorrupt", len(wrong), n, width, err)
				}
			}
		}
	}
	data, _ := AppendValuePage([]uint64{1})
	for _, width := range []byte{0, wordBits, wordBits | mostWordBits + 1, 9} {
		data[12] = width
		seal.Write(key, data)
		if _, err := OpenPage(&r, key, data); !errors.Is(err, model.ErrCorrupt) {
			t.Errorf("width %#x: got %v, want ErrCorrupt", width, err)
		}
	}
}

// TestWordsOfOneContainer: a page of more words than its version has, or than are left of its
// container, is refused.
func TestWordsOfOneContainer(t *testing.T) {
	for _, c := range []struct {
		first    uint64
		version  byte
		words    int
		accepted bool
	}{
		{0, PageVersion, MostValueRows, true},
		{7 * ValueRows, PageVersion, ValueRows, true},
		{7 * ValueRows, PageVersion, ValueRows + 1, false},
		{MostValueRows - ValueRows, FormatVersion, ValueRows, true},
		{0, FormatVersion, ValueRows + 1, false},
	} {
		r := Ref{Field: 23, First: c.first, Generation: 1}
		key := AppendPageKey(nil, 1, &r)
		words := make([]uint64, c.words)
		words[c.words-1] = 255
		data, _ := AppendValuePage(words)
		data[1] = c.version
		seal.Write(key, data)
		if _, err := OpenPage(&r, key, data); (err == nil) != c.accepted || err != nil &&
			!errors.Is(err, model.ErrCorrupt) {
			t.Errorf("%d words from %d on in version %d: got %v, want them taken: %v", c.words, c.first, c.version, err,
				c.accepted)
		}
	}
}

// TestFirstWords reads a page of version 1, whose words take a byte at least, and refuses bits
// there.
func TestFirstWords(t *testing.T) {
	r := Ref{Field: 23, Generation: 1}
	key := AppendPageKey(nil, 1, &r)
	data := []byte{MagicPage, FormatVersion, Values, 0, 0, 0, 0, 0, 3, 0, 0, 0, 1, 0, 0, 0, 5, 0,
		200}
	seal.Write(key, data)
	p, err := OpenPage(&r, key, data)
	if err != nil || p.Word(0) != 5 || p.Word(1) != 0 || p.Word(2) != 200 {
		t.Errorf("got %v, want words 5, 0 and 200", err)
	}
	data = append(data[:12], wordBits|3, 0, 0, 0, 1, 0, 0)
	seal.Write(key, data)
	if _, err := OpenPage(&r, key, data); !errors.Is(err, model.ErrCorrupt) {
		t.Errorf("got %v, want ErrCorrupt", err)
	}
}

// TestTallyOfSmallWords counts the rows of records on a page with narrow words. Some rows have no
// counter, and some records lie beyond the page.
func TestTallyOfSmallWords(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 21))
	for i := range 700 {
		bits, offset := 1+i%mostWordBits, rng.IntN(400)-200
		words := make([]uint64, 1+rng.IntN(1500))
		for i := range words {
			words[i] = rng.Uint64N(1 << bits)
		}
		words[len(words)-1] = 1<<bits - 1
		data, _ := AppendValuePage(words)
		page := Page{Data: data, Kind: Values, Count: len(words)}
		got := Tally{Page: &page, Counts: make([]uint32, rng.IntN(1<<bits)), Offset: offset}
		counts, beyond, lows := make([]uint32, len(got.Counts)), []uint64(nil), []uint16(nil)
		for i := max(offset, 0); i < len(words)+100; i += 1 + rng.IntN(3) {
			lows = append(lows, uint16(i-offset))
			switch {
			case i >= len(words) || words[i] == 0:
			case words[i] <= uint64(len(counts)):
				counts[words[i]-1]++
			default:
				beyond = append(beyond, words[i]-1)
			}
		}
		if page.narrow() != bits || !got.Words(lows) {
			t.Fatalf("%d words of %d bits: got %d bits, or no words", len(words), bits, page.narrow())
		}
		slices.Sort(got.Beyond)
		slices.Sort(beyond)
		if !slices.Equal(got.Counts, counts) || !slices.Equal(got.Beyond, beyond) {
			t.Fatalf("%d words of %d bits from %d on: got %d and beyond them %d, want %d and %d", len(words), bits,
				offset, got.Counts, got.Beyond, counts, beyond)
		}
	}
}
