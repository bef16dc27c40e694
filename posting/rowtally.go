// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import "encoding/binary"

// tally counts the rows of records of one page. Rows that it has no counter for are kept apart: they are rare.
type tally struct {
	*page
	counts []uint32
	offset int // of the first record of the page, against the lows that name records
	beyond []uint64
	near   byte // has the compiler keep the loads of touch
}

// finish counts what was kept apart.
func (t *tally) finish(c *RowCounter, r *ref, ok bool) error {
	c.near += t.near
	if !ok {
		return corrupt(r.String(), "got rows that do not ascend or have no end")
	}
	for _, row := range t.beyond {
		if row > MaxID {
			return corrupt(r.String(), "got row %d, want at most %d", row, uint64(MaxID))
		}
		if err := c.reserve(row + 1); err != nil {
			return err
		}
		c.counts[row]++
	}
	return nil
}

// count counts one row.
func (t *tally) count(row uint64) {
	if row < uint64(len(t.counts)) {
		t.counts[row]++
	} else {
		t.beyond = append(t.beyond, row)
	}
}

// words counts records of a page with one word for each.
func (t *tally) words(lows []uint16) bool {
	counts := t.counts
	switch w := t.wordWidth(); w {
	case 1:
		words := t.data[forwardHeadLen:]
		for _, low := range lows {
			if i := t.offset + int(low); i < len(words) && words[i] != 0 {
				if row := int(words[i]) - 1; row < len(counts) {
					counts[row]++
				} else {
					t.beyond = append(t.beyond, uint64(row))
				}
			}
		}
	case 2:
		words := t.data[forwardHeadLen:]
		for _, low := range lows {
			if i := 2 * (t.offset + int(low)); i+2 <= len(words) {
				if row := int(binary.LittleEndian.Uint16(words[i:])) - 1; row >= 0 {
					if row < len(counts) {
						counts[row]++
					} else {
						t.beyond = append(t.beyond, uint64(row))
					}
				}
			}
		}
	default:
		for _, low := range lows {
			if x := t.word(uint64(t.offset + int(low))); x != 0 {
				t.count(x - 1)
			}
		}
	}
	return true
}

// together is how many neighbours' rows are brought near before they are counted: enough for the memory to be asked for many lines at a time, few enough for the nearest
// cache.
const together = 16

// rows counts records of a page with any number of rows for each. Neighbours are counted as one: their rows stand together.
func (t *tally) rows(lows []uint16) bool {
	w := t.rowWidth()
	if w == 0 {
		return t.coded(lows)
	}
	// Where most records are counted, the processor sees by itself what comes next.
	far := len(lows) < int(lows[len(lows)-1]-lows[0])/2
	var spans [together]struct{ from, to int }
	for n := 0; n < len(lows); {
		used := 0
		for used < len(spans) && n < len(lows) {
			first := n
			for n++; n < len(lows) && lows[n] == lows[n-1]+1; n++ {
			}
			from, _ := t.span(t.offset + int(lows[first]))
			to := t.columnEnd(t.offset + int(lows[n-1]))
			spans[used].from, spans[used].to = t.payload+w*from, t.payload+w*to
			if used++; far {
				t.touch(t.payload+w*from, t.payload+w*to)
			}
		}
		for _, s := range spans[:used] {
			t.each(w, s.from, s.to)
		}
	}
	return true
}

// each counts the rows of one width between two places of the page.
func (t *tally) each(w, from, to int) {
	switch w {
	case 2:
		for rows := countTwos(t.data[from:to], t.counts); len(rows) > 0; rows = countTwos(rows[2:], t.counts) {
			t.count(uint64(binary.LittleEndian.Uint16(rows)))
		}
	case 3:
		// The head of the page and its slots stand before the first.
		for rows := countThrees(t.data[from-2:to], t.counts); len(rows) > 0; rows = countThrees(rows[3:], t.counts) {
			t.count(uint64(binary.LittleEndian.Uint32(rows[1:]) >> 8))
		}
	default:
		for ; from < to; from += w {
			t.count(t.number(from, w))
		}
	}
}

// cacheLine is how many bytes the processor brings near at a time.
const cacheLine = 64

// touch loads a byte of each line of what is about to be read: none of these loads waits for another, as those of counting do.
func (t *tally) touch(from, to int) {
	if from >= to {
		return
	}
	rows := t.data[from:to]
	near := rows[len(rows)-1]
	for i := 0; i < len(rows); i += cacheLine {
		near += rows[i]
	}
	t.near += near
}

// countTwos counts rows of two bytes, up to the first that has no counter: it returns the rows from there on.
func countTwos(rows []byte, counts []uint32) (rest []byte) {
	for len(rows) >= 8 {
		x := binary.LittleEndian.Uint64(rows)
		a, b, c, d := x&0xFFFF, x>>16&0xFFFF, x>>32&0xFFFF, x>>48
		if n := uint64(len(counts)); a >= n || b >= n || c >= n || d >= n {
			break
		}
		counts[a]++
		counts[b]++
		counts[c]++
		counts[d]++
		rows = rows[8:]
	}
	for len(rows) >= 2 {
		a := uint64(binary.LittleEndian.Uint16(rows))
		if a >= uint64(len(counts)) {
			return rows
		}
		counts[a]++
		rows = rows[2:]
	}
	return nil
}

// countThrees counts rows of three bytes, which follow two bytes: two rows are the upper bytes of a word. It stops before the first that has no counter, and returns what is
// left, with two bytes before it. It is a function of few variables, all of which the compiler keeps in registers.
func countThrees(rows []byte, counts []uint32) (rest []byte) {
	for len(rows) >= 14 {
		p := (*[14]byte)(rows)
		x, y := binary.LittleEndian.Uint64(p[:8])>>16, binary.LittleEndian.Uint64(p[6:])>>16
		a, b, c, d := x&0xFFFFFF, x>>24, y&0xFFFFFF, y>>24
		if n := uint64(len(counts)); a >= n || b >= n || c >= n || d >= n {
			break
		}
		counts[a]++
		counts[b]++
		counts[c]++
		counts[d]++
		rows = rows[12:]
	}
	for len(rows) >= 5 {
		a := uint64(binary.LittleEndian.Uint32(rows[1:]) >> 8)
		if a >= uint64(len(counts)) {
			return rows
		}
		counts[a]++
		rows = rows[3:]
	}
	return nil
}

// coded counts records whose rows are coded.
func (t *tally) coded(lows []uint16) bool {
	for _, low := range lows {
		from, to := t.span(t.offset + int(low))
		if from == to {
			continue
		}
		r := bitReader{data: t.data[t.payload:], at: 8 * from, end: 8 * to}
		n, ok := r.number(codeOfCount)
		if !ok || n >= uint64(8*(to-from)) {
			return false
		}
		model, next := gapModel(codeOfFirst), uint64(0)
		for range n + 1 {
			gap, ok := r.number(model.parameter())
			if !ok || gap > MaxID-next {
				return false
			}
			t.count(next + gap)
			model, next = model.after(gap), next+gap+1
		}
	}
	return true
}
