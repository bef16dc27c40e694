// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package format

import (
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/roaring"
)

// Tally counts the rows of records of one page. Rows that it has no counter for are kept apart:
// they are rare.
type Tally struct {
	*Page
	Counts []uint32
	Offset int // of the first record of the page, against the lows that name records
	Beyond []uint64
}

// count counts one row.
func (t *Tally) count(row uint64) {
	if row < uint64(len(t.Counts)) {
		t.Counts[row]++
	} else {
		t.Beyond = append(t.Beyond, row)
	}
}

// Words counts records of a page with one word for each.
func (t *Tally) Words(lows []uint16) bool {
	counts := t.Counts
	switch w, bits := t.wordWidth(), t.narrow(); {
	case bits > 0 && len(lows) >= NarrowsFrom:
		t.narrows(lows)
	case w == 1:
		words := t.Data[ValueHeaderLen:]
		for _, low := range lows {
			if i := t.Offset + int(low); i < len(words) && words[i] != 0 {
				if row := int(words[i]) - 1; row < len(counts) {
					counts[row]++
				} else {
					t.Beyond = append(t.Beyond, uint64(row))
				}
			}
		}
	case w == 2:
		t.twos(lows)
	default:
		for _, low := range lows {
			if x := t.Word(uint64(t.Offset + int(low))); x != 0 {
				t.count(x - 1)
			}
		}
	}
	return true
}

// Narrow words are read narrowsAt at once. They are counted in four places by turns, since a
// counter that was just written cannot be read for some cycles, and the same row often follows
// itself where there are few.
const (
	narrowsAt   = 256
	NarrowsFrom = 64 // fewer are counted one by one
)

// narrows counts records of a page with a word of a few bits for each.
func (t *Tally) narrows(lows []uint16) {
	for len(lows) > 0 && t.Offset+int(lows[len(lows)-1]) >= t.Page.Count {
		lows = lows[:len(lows)-1]
	}
	words, data, bits := [narrowsAt]uint16{}, t.Data[ValueHeaderLen:], t.narrow()
	var places [4][1 << mostWordBits]uint32
	for len(lows) > 0 {
		some := words[:min(len(lows), len(words))]
		roaring.SmallWords(some, lows[:len(some)], data, t.Offset, bits)
		lows = lows[len(some):]
		for ; len(some) >= 4; some = some[4:] {
			four := (*[4]uint16)(some)
			places[0][four[0]&(1<<mostWordBits-1)]++
			places[1][four[1]&(1<<mostWordBits-1)]++
			places[2][four[2]&(1<<mostWordBits-1)]++
			places[3][four[3]&(1<<mostWordBits-1)]++
		}
		for _, w := range some {
			places[0][w&(1<<mostWordBits-1)]++
		}
	}
	for w := 1; w < 1<<bits; w++ {
		n := places[0][w] + places[1][w] + places[2][w] + places[3][w]
		switch row := w - 1; {
		case row < len(t.Counts):
			t.Counts[row] += n
		case n > 0:
			for range n {
				t.Beyond = append(t.Beyond, uint64(row))
			}
		}
	}
}

// twos counts records of a page with a word of two bytes for each, four at a time. No word, which
// is 0, is above every row.
func (t *Tally) twos(lows []uint16) {
	counts, words := t.Counts, t.Data[ValueHeaderLen:]
	for len(lows) > 0 && t.Offset+int(lows[len(lows)-1]) >= t.Page.Count {
		lows = lows[:len(lows)-1]
	}
	row := func(low uint16) uint {
		i := 2 * (t.Offset + int(low))
		return uint(words[i+1])<<8 + uint(words[i]) - 1
	}
	one := func(row uint) {
		if row < uint(len(counts)) {
			counts[row]++
		} else if row+1 > 0 {
			t.Beyond = append(t.Beyond, uint64(row))
		}
	}
	for ; len(lows) >= 4; lows = lows[4:] {
		four := (*[4]uint16)(lows)
		a, b, c, d := row(four[0]), row(four[1]), row(four[2]), row(four[3])
		if n := uint(len(counts)); a < n && b < n && c < n && d < n {
			counts[a]++
			counts[b]++
			counts[c]++
			counts[d]++
			continue
		}
		one(a)
		one(b)
		one(c)
		one(d)
	}
	for _, low := range lows {
		one(row(low))
	}
}

// Wide counts records of a page with any number of rows for each, of more than four bytes each.
func (t *Tally) Wide(lows []uint16) {
	payload, w := t.Payload(), t.RowWidth()
	for _, low := range lows {
		from, to := t.Span(t.Offset + int(low))
		for i := from; i < to; i++ {
			t.count(t.number(payload+i*w, w))
		}
	}
}

// Coded counts records whose rows are coded.
func (t *Tally) Coded(lows []uint16) bool {
	payload := t.Payload()
	for _, low := range lows {
		from, to := t.Span(t.Offset + int(low))
		if from == to {
			continue
		}
		r := bitReader{Data: t.Data[payload:], At: 8 * from, End: 8 * to}
		n, ok := r.number(codeOfCount)
		if !ok || n >= uint64(8*(to-from)) {
			return false
		}
		gaps, next := gapModel(codeOfFirst), uint64(0)
		for range n + 1 {
			gap, ok := r.number(gaps.parameter())
			if !ok || gap > model.MaxID-next {
				return false
			}
			t.count(next + gap)
			gaps, next = gaps.after(gap), next+gap+1
		}
	}
	return true
}
