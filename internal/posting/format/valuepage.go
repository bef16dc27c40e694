// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package format

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/roaring"
)

const (
	ValueHeaderLen = 16 // bytes before the words of a page of values

	// ValueRows is of how many records the pages of words consist: a page begins at a multiple.
	ValueRows = 1 << 13
	// MostValueRows is how many records such a page covers at most: a container of lists.
	MostValueRows = 1 << 16

	// wordBits is the bit of a word's width that says that it counts bits, up to mostWordBits.
	// WordPadding zero bytes stand behind such words, so that two bytes can be loaded from every
	// byte of them.
	wordBits     = 0x80
	mostWordBits = 7 // bits of a narrow word
	WordPadding  = 1 // bytes
)

// checkValues checks a page of a value column: one word for each record, or with slots any
// number of rows.
func (p *Page) checkValues(where *Ref) error {
	switch {
	case p.Width == 2 || p.Width == 4:
		return p.checkColumn(where)
	case p.Width != 0:
		return UnknownVersion(where.String()+": slot width of a page of values", p.Width)
	case where.Piece > 0 || where.First%ValueRows != 0:
		return model.Corrupt(where.String(), "got a page of words from there on, want it from a multiple of %d on",
			ValueRows)
	}
	if len(p.Data) < ValueHeaderLen {
		return model.Corrupt(where.String(), "got %d bytes, want at least %d", len(p.Data), ValueHeaderLen)
	}
	narrow, most, w := p.narrow(), 8, p.wordWidth()
	if narrow > 0 {
		w, most = narrow, mostWordBits
	}
	if w < 1 || w > most || p.Data[13] != 0 || p.Data[14] != 0 || p.Data[15] != 0 {
		return model.Corrupt(where.String(), "got width % x, want 1–8, or 1–7 with 0x80 in version 2, and three zeros",
			p.Data[12:16])
	}
	// A page that reached into the next container would be in the way of what a flush writes there.
	room := int(MostValueRows - where.First%MostValueRows)
	if p.Data[1] < PageVersion {
		room = ValueRows
	}
	if p.Count < 1 || p.Count > room || len(p.Data) != ValueSize(p.Count, p.Data[12]) {
		return model.Corrupt(where.String(), "got %d words in %d bytes, want at most %d in %d", p.Count, len(p.Data),
			room,
			ValueSize(p.Count, p.Data[12]))
	}
	return nil
}

// wordWidth returns how many bytes a word takes, of a page whose words are not narrow.
func (p *Page) wordWidth() int { return int(p.Data[12]) }

// narrow returns how many bits a word takes, if that is less than a byte; else 0.
func (p *Page) narrow() int {
	if p.Data[1] >= PageVersion && p.Data[12]&wordBits != 0 {
		return int(p.Data[12] &^ wordBits)
	}
	return 0
}

// ValueSize returns the length of a page of words.
func ValueSize(words int, width byte) int {
	if width&wordBits != 0 {
		return ValueHeaderLen + (words*int(width&^wordBits)+7)/8 + WordPadding
	}
	return ValueHeaderLen + words*int(width)
}

// Word returns the word of a record, counted from the page's first; 0: none.
func (p *Page) Word(record uint64) uint64 {
	if record >= uint64(p.Count) {
		return 0
	}
	if w := p.narrow(); w > 0 {
		return uint64(narrowWord(p.Data[ValueHeaderLen:], int(record), w))
	}
	w := p.wordWidth()
	return p.number(ValueHeaderLen+int(record)*w, w)
}

// narrowWord returns word i of words that are bits wide.
func narrowWord(words []byte, i, bits int) uint16 {
	at := i * bits
	return binary.LittleEndian.Uint16(words[at>>3:]) >> (at & 7) & (1<<bits - 1)
}

// WidthOf returns the width of the words of a page. all has every bit that any of the words has.
func WidthOf(all uint64) byte {
	switch n := bits.Len64(all); {
	case n == 0:
		return wordBits | 1
	case n <= mostWordBits:
		return wordBits | byte(n)
	default:
		return byte((n + 7) / 8)
	}
}

// AppendValuePage lays out a page of words and returns it unsealed. It also returns the number of
// nonzero words. The last word must not be 0.
func AppendValuePage(words []uint64) (data []byte, values uint64) {
	all := uint64(0)
	for _, w := range words {
		if all |= w; w != 0 {
			values++
		}
	}
	width, version := WidthOf(all), byte(FormatVersion)
	if width&wordBits != 0 || len(words) > ValueRows {
		version = PageVersion
	}
	data = make([]byte, 0, ValueSize(len(words), width))
	data = append(data, MagicPage, version, Values, 0, 0, 0, 0, 0)
	data = binary.LittleEndian.AppendUint32(data, uint32(len(words)))
	data = append(data, width, 0, 0, 0)
	if width&wordBits != 0 {
		w := bitWriter{dst: data}
		for _, x := range words {
			w.put(x, int(width&^wordBits))
		}
		return append(w.finish(), make([]byte, WordPadding)...), values
	}
	var b [8]byte
	for _, w := range words {
		binary.LittleEndian.PutUint64(b[:], w)
		data = append(data, b[:width]...)
	}
	return data, values
}

// Read reads the words of records and returns a bound on the greatest. A record's place on the page
// is offset plus its low bits.
func (p *Page) Read(dst, lows []uint16, offset int) (most int) {
	dst = dst[:len(lows)]
	data, all := p.Data[ValueHeaderLen:], uint16(0)
	switch bits := p.narrow(); {
	case bits > 0:
		all = roaring.SmallWords(dst, lows, data, offset, bits)
	case p.wordWidth() == 1:
		for i, low := range lows {
			w := uint16(data[offset+int(low)])
			dst[i] = w
			all = max(all, w)
		}
	default:
		for i, low := range lows {
			w := p.Word(uint64(offset + int(low)))
			if w >= 1<<16 {
				return 1 << 16
			}
			dst[i] = uint16(w)
			all = max(all, dst[i])
		}
	}
	return int(all)
}

// AppendWords sets the words of records that the page has. A record's place on the page is offset
// plus its low bits. It returns narrow, its scratch.
func (p *Page) AppendWords(dst []uint64, lows []uint16, offset int, narrow []uint16) []uint16 {
	dst = dst[:len(lows)]
	data := p.Data[ValueHeaderLen:]
	if bits := p.narrow(); bits > 0 {
		narrow = slices.Grow(narrow[:0], len(lows))[:len(lows)]
		roaring.SmallWords(narrow, lows, data, offset, bits)
		for i, x := range narrow {
			dst[i] = uint64(x)
		}
		return narrow
	}
	switch width := p.wordWidth(); width {
	case 1:
		for i, low := range lows {
			dst[i] = uint64(data[offset+int(low)])
		}
	case 2:
		for i, low := range lows {
			dst[i] = uint64(binary.LittleEndian.Uint16(data[2*(offset+int(low)):]))
		}
	case 4:
		for i, low := range lows {
			dst[i] = uint64(binary.LittleEndian.Uint32(data[4*(offset+int(low)):]))
		}
	default:
		for i, low := range lows {
			dst[i] = p.Word(uint64(offset + int(low)))
		}
	}
	return narrow
}
