// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"encoding/binary"
	"math/bits"
)

const (
	forwardHeadLen = 16

	// forwardRows is how many records a forward page covers: it begins at a multiple. At 1 to 8 bytes a record, such a page has 8 to 64 KB.
	forwardRows = 1 << 13
)

// checkForward checks a page of a forward column: one word for each record, or with slots any number of rows.
func (p *page) checkForward(where *ref) error {
	switch {
	case p.width == 2 || p.width == 4:
		return p.checkColumn(where)
	case p.width != 0:
		return errVersion(where.String()+": slot width of a forward page", byte(p.width))
	case where.piece > 0 || where.first%forwardRows != 0:
		return corrupt(where.String(), "got a page of words from there on, want it from a multiple of %d on", forwardRows)
	}
	if len(p.data) < forwardHeadLen {
		return corrupt(where.String(), "got %d bytes, want at least %d", len(p.data), forwardHeadLen)
	}
	w := p.wordWidth()
	if w < 1 || w > 8 || p.data[13] != 0 || p.data[14] != 0 || p.data[15] != 0 {
		return corrupt(where.String(), "got width % x, want 1–8 and three zeros", p.data[12:16])
	}
	if want := forwardHeadLen + p.count*w; p.count < 1 || p.count > forwardRows || len(p.data) != want {
		return corrupt(where.String(), "got %d words in %d bytes, want at most %d in %d", p.count, len(p.data), forwardRows, want)
	}
	return nil
}

func (p *page) wordWidth() int { return int(p.data[12]) }

// word returns the word of a record, counted from the page's first; 0: none.
func (p *page) word(record uint64) uint64 {
	if record >= uint64(p.count) {
		return 0
	}
	w := p.wordWidth()
	return p.number(forwardHeadLen+int(record)*w, w)
}

// appendForwardPage lays out a page of words, the last of which is not 0, and returns it, not yet sealed, with the number of words that are not 0.
func appendForwardPage(words []uint64) (data []byte, values uint64) {
	all := uint64(0)
	for _, w := range words {
		if all |= w; w != 0 {
			values++
		}
	}
	width := max(1, (bits.Len64(all)+7)/8)
	data = make([]byte, 0, forwardHeadLen+len(words)*width)
	data = append(data, magicPage, formatVersion, pageForward, 0, 0, 0, 0, 0)
	data = binary.LittleEndian.AppendUint32(data, uint32(len(words)))
	data = append(data, byte(width), 0, 0, 0)
	var b [8]byte
	for _, w := range words {
		binary.LittleEndian.PutUint64(b[:], w)
		data = append(data, b[:width]...)
	}
	return data, values
}
