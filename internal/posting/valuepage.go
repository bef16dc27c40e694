// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"encoding/binary"
	"math/bits"

	"github.com/uproar-db/uproar/internal/posting/model"
)

const (
	valueHeadLen = 16

	// forwardRows is of how many records the pages of words consist: a page begins at a multiple.
	forwardRows = 1 << 13
	// mostForwardRows is how many records such a page covers at most: a container of lists.
	mostForwardRows = 1 << 16

	// wordBits is the bit of a word's width that says that it counts bits, up to mostWordBits.
	// wordPadding zero bytes stand behind such words, so that two bytes can be loaded from every
	// byte of them.
	wordBits     = 0x80
	mostWordBits = 7
	wordPadding  = 1
)

// checkValues checks a page of a forward column: one word for each record, or with slots any
// number of rows.
func (p *page) checkValues(where *ref) error {
	switch {
	case p.width == 2 || p.width == 4:
		return p.checkColumn(where)
	case p.width != 0:
		return errVersion(where.String()+": slot width of a forward page", p.width)
	case where.piece > 0 || where.first%forwardRows != 0:
		return model.Corrupt(where.String(), "got a page of words from there on, want it from a multiple of %d on",
			forwardRows)
	}
	if len(p.data) < valueHeadLen {
		return model.Corrupt(where.String(), "got %d bytes, want at least %d", len(p.data), valueHeadLen)
	}
	narrow, most, w := p.narrow(), 8, p.wordWidth()
	if narrow > 0 {
		w, most = narrow, mostWordBits
	}
	if w < 1 || w > most || p.data[13] != 0 || p.data[14] != 0 || p.data[15] != 0 {
		return model.Corrupt(where.String(), "got width % x, want 1–8, or 1–7 with 0x80 in version 2, and three zeros",
			p.data[12:16])
	}
	// A page that reached into the next container would be in the way of what a flush writes there.
	room := int(mostForwardRows - where.first%mostForwardRows)
	if p.data[1] < pageVersion {
		room = forwardRows
	}
	if p.count < 1 || p.count > room || len(p.data) != valueSize(p.count, p.data[12]) {
		return model.Corrupt(where.String(), "got %d words in %d bytes, want at most %d in %d", p.count, len(p.data),
			room,
			valueSize(p.count, p.data[12]))
	}
	return nil
}

// wordWidth returns how many bytes a word takes, of a page whose words are not narrow.
func (p *page) wordWidth() int { return int(p.data[12]) }

// narrow returns how many bits a word takes, if that is less than a byte; else 0.
func (p *page) narrow() int {
	if p.data[1] >= pageVersion && p.data[12]&wordBits != 0 {
		return int(p.data[12] &^ wordBits)
	}
	return 0
}

// valueSize returns the length of a page of so many words.
func valueSize(words int, width byte) int {
	if width&wordBits != 0 {
		return valueHeadLen + (words*int(width&^wordBits)+7)/8 + wordPadding
	}
	return valueHeadLen + words*int(width)
}

// word returns the word of a record, counted from the page's first; 0: none.
func (p *page) word(record uint64) uint64 {
	if record >= uint64(p.count) {
		return 0
	}
	if w := p.narrow(); w > 0 {
		return uint64(narrowWord(p.data[valueHeadLen:], int(record), w))
	}
	w := p.wordWidth()
	return p.number(valueHeadLen+int(record)*w, w)
}

// narrowWord returns word i of so many bits each.
func narrowWord(words []byte, i, bits int) uint16 {
	at := i * bits
	return binary.LittleEndian.Uint16(words[at>>3:]) >> (at & 7) & (1<<bits - 1)
}

// widthOf returns how wide the words of a page are of which one is the given one, and none has
// other bits.
func widthOf(all uint64) byte {
	switch n := bits.Len64(all); {
	case n == 0:
		return wordBits | 1
	case n <= mostWordBits:
		return wordBits | byte(n)
	default:
		return byte((n + 7) / 8)
	}
}

// appendValuePage lays out a page of words, the last of which is not 0, and returns it, not yet
// sealed, with the number of words that are not 0.
func appendValuePage(words []uint64) (data []byte, values uint64) {
	all := uint64(0)
	for _, w := range words {
		if all |= w; w != 0 {
			values++
		}
	}
	width, version := widthOf(all), byte(formatVersion)
	if width&wordBits != 0 || len(words) > forwardRows {
		version = pageVersion
	}
	data = make([]byte, 0, valueSize(len(words), width))
	data = append(data, magicPage, version, pageValues, 0, 0, 0, 0, 0)
	data = binary.LittleEndian.AppendUint32(data, uint32(len(words)))
	data = append(data, width, 0, 0, 0)
	if width&wordBits != 0 {
		w := bitWriter{dst: data}
		for _, x := range words {
			w.put(x, int(width&^wordBits))
		}
		return append(w.finish(), make([]byte, wordPadding)...), values
	}
	var b [8]byte
	for _, w := range words {
		binary.LittleEndian.PutUint64(b[:], w)
		data = append(data, b[:width]...)
	}
	return data, values
}
