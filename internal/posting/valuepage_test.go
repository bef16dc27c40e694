// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/seal"
	"github.com/uproar-db/uproar/store/memstore"
)

// TestWordsOfPages: pages of every width give back what was laid out, and none that is longer,
// shorter or wider is opened.
func TestWordsOfPages(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 21))
	r := format.Ref{Field: 23, Generation: 1}
	key := format.AppendPageKey(nil, 1, &r)
	for width := 1; width <= 64; width++ {
		for _, n := range []int{1, 2, 7, 8, 9, 1000, format.ForwardRows, format.ForwardRows + 1} {
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
			data, got := format.AppendValuePage(words)
			seal.Write(key, data)
			p, err := format.OpenPage(&r, key, data)
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
				if _, err := format.OpenPage(&r, key, wrong); !errors.Is(err, model.ErrCorrupt) {
					t.Fatalf("%d bytes of %d words of %d bits: got %v, want ErrCorrupt", len(wrong), n, width, err)
				}
			}
		}
	}
	data, _ := format.AppendValuePage([]uint64{1})
	for _, width := range []byte{0, format.WordBits, format.WordBits | format.MostWordBits + 1, 9} {
		data[12] = width
		seal.Write(key, data)
		if _, err := format.OpenPage(&r, key, data); !errors.Is(err, model.ErrCorrupt) {
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
		{0, format.PageVersion, format.MostForwardRows, true},
		{7 * format.ForwardRows, format.PageVersion, format.ForwardRows, true},
		{7 * format.ForwardRows, format.PageVersion, format.ForwardRows + 1, false},
		{format.MostForwardRows - format.ForwardRows, format.FormatVersion, format.ForwardRows, true},
		{0, format.FormatVersion, format.ForwardRows + 1, false},
	} {
		r := format.Ref{Field: 23, First: c.first, Generation: 1}
		key := format.AppendPageKey(nil, 1, &r)
		words := make([]uint64, c.words)
		words[c.words-1] = 255
		data, _ := format.AppendValuePage(words)
		data[1] = c.version
		seal.Write(key, data)
		if _, err := format.OpenPage(&r, key, data); (err == nil) != c.accepted || err != nil &&
			!errors.Is(err, model.ErrCorrupt) {
			t.Errorf("%d words from %d on in version %d: got %v, want them taken: %v", c.words, c.first, c.version, err,
				c.accepted)
		}
	}
}

// TestFirstWords reads a page of version 1, whose words take a byte at least, and refuses bits
// there.
func TestFirstWords(t *testing.T) {
	r := format.Ref{Field: 23, Generation: 1}
	key := format.AppendPageKey(nil, 1, &r)
	data := []byte{format.MagicPage, format.FormatVersion, format.Values, 0, 0, 0, 0, 0, 3, 0, 0, 0, 1, 0, 0, 0, 5, 0,
		200}
	seal.Write(key, data)
	p, err := format.OpenPage(&r, key, data)
	if err != nil || p.Word(0) != 5 || p.Word(1) != 0 || p.Word(2) != 200 {
		t.Errorf("got %v, want words 5, 0 and 200", err)
	}
	data = append(data[:12], format.WordBits|3, 0, 0, 0, 1, 0, 0)
	seal.Write(key, data)
	if _, err := format.OpenPage(&r, key, data); !errors.Is(err, model.ErrCorrupt) {
		t.Errorf("got %v, want ErrCorrupt", err)
	}
}

// TestForwardPages writes values of few and of many bits, near to each other and far apart, flush
// by flush, and compares pages and Values with a model.
func TestForwardPages(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 21))
	config := testConfig(t, 64<<20)
	ix := open(t, memstore.New(), config)
	plain := map[uint64]uint64{} // record → row of city
	var bound uint64
	for round, rows := range []uint64{3, 3, 40, 3, 700, 60} {
		var b Batch
		from, span := rng.Uint64N(150_000), uint64(1)<<(8+2*round)
		for range 3000 {
			record := from + rng.Uint64N(span)
			if rng.IntN(8) == 0 {
				record = rng.Uint64N(200_000)
			}
			row := rng.Uint64N(rows)
			b.Assign(city, model.ID(record), model.ID(row))
			plain[record], bound = row, max(bound, row+1)
		}
		if _, err := ix.Commit(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		if round%2 == 0 {
			checkValues(t, ix, plain, int(bound), round)
		}
		if err := ix.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		checkValues(t, ix, plain, int(bound), round)
		snap := ix.Snapshot()
		last := uint64(0)
		for i, r := range snap.St.Version.Fields[model.ValueField(city)].Refs {
			if r.First%format.ForwardRows != 0 || i > 0 && r.First < last ||
				r.First/format.MostForwardRows != r.Last()/format.MostForwardRows {
				t.Errorf("round %d: got a page of records %d to %d behind one until %d", round, r.First, r.Last(), last)
			}
			if int(r.Bytes) > format.Target+format.ValueHeadLen+format.WordPadding {
				t.Errorf("round %d: got a page of %d bytes", round, r.Bytes)
			}
			last = r.Last() + 1
		}
		snap.Close()
	}
}

func checkValues(t *testing.T, ix *Index, plain map[uint64]uint64, rows, round int) {
	t.Helper()
	snap := ix.Snapshot()
	defer snap.Close()
	values, ok, err := snap.Values(t.Context(), city, rows)
	if err != nil {
		t.Fatal(err)
	}
	if !ok {
		t.Fatalf("round %d: got no values", round)
	}
	rng := rand.New(rand.NewPCG(uint64(round), 22))
	for key := range uint64(4) {
		if rng.IntN(4) == 0 {
			continue // a container that nothing is asked of
		}
		var lows []uint16
		for low, every := 0, 1+rng.IntN(50); low < 1<<16; low += 1 + rng.IntN(every) {
			lows = append(lows, uint16(low))
		}
		got, err := values.Append(nil, key, lows)
		if err != nil || len(got) != len(lows) {
			t.Fatalf("round %d: got %d values, %v, want %d", round, len(got), err, len(lows))
		}
		for i, low := range lows {
			row, ok := plain[key<<16|uint64(low)]
			if want := row + 1; ok && uint64(got[i]) != want || !ok && got[i] != 0 {
				t.Fatalf("round %d: record %d: got %d, want %d (%v)", round, key<<16|uint64(low), got[i], want, ok)
			}
		}
	}
	if _, ok, _ := snap.Values(t.Context(), country, 3); ok {
		t.Error("got values of a field with any number of them")
	}
}

// TestTallyOfNarrowWords counts the rows of records of a page with narrow words, of which some have
// no counter and some records stand behind the page.
func TestTallyOfNarrowWords(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 21))
	for i := range 700 {
		bits, offset := 1+i%format.MostWordBits, rng.IntN(400)-200
		words := make([]uint64, 1+rng.IntN(1500))
		for i := range words {
			words[i] = rng.Uint64N(1 << bits)
		}
		words[len(words)-1] = 1<<bits - 1
		data, _ := format.AppendValuePage(words)
		page := format.Page{Data: data, Kind: format.Values, Count: len(words)}
		got := format.Tally{Page: &page, Counts: make([]uint32, rng.IntN(1<<bits)), Offset: offset}
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
		if page.Narrow() != bits || !got.Words(lows) {
			t.Fatalf("%d words of %d bits: got %d bits, or no words", len(words), bits, page.Narrow())
		}
		slices.Sort(got.Beyond)
		slices.Sort(beyond)
		if !slices.Equal(got.Counts, counts) || !slices.Equal(got.Beyond, beyond) {
			t.Fatalf("%d words of %d bits from %d on: got %d and beyond them %d, want %d and %d", len(words), bits,
				offset, got.Counts, got.Beyond, counts, beyond)
		}
	}
}
