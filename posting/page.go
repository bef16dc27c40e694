// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"encoding/binary"
)

// Kinds of page.
const (
	pagePostings = 0
	pageKeys     = 1
	pageHashes   = 2
)

const (
	pageHeadLen = 12
	hashHeadLen = 16

	// pageTarget is the size that pages are written at: small enough that a point read copies little, large enough that a scan runs at
	// memory speed and the manifest stays small.
	pageTarget = 32 << 10
	// pageSmall is the size below which a page that is being rewritten takes its neighbour in.
	pageSmall = pageTarget / 4
	// pageGap is the longest run of empty rows that is bridged inside a page: two bytes each.
	pageGap  = 64
	maxRows  = 1<<16 - 1
	maxBytes = 16 << 20
)

// page is one page in memory. Its bytes are immutable, and belong to the garbage collector: a view over them is valid as long as it is held.
type page struct {
	data    []byte
	kind    byte
	width   int // of a slot, bytes; hashes: 0
	count   int
	payload int // offset of the payload in data
}

// openPage checks a page's head, checksum and slots, and takes the bytes over. Cost: one pass over them.
func openPage(where *ref, key, data []byte) (*page, error) {
	if err := checkHead(where.String(), magicPage, key, data); err != nil {
		return nil, err
	}
	if len(data) < pageHeadLen {
		return nil, corrupt(where.String(), "got %d bytes, want at least %d", len(data), pageHeadLen)
	}
	p := &page{data: data, kind: data[2], width: int(data[3]), count: int(binary.LittleEndian.Uint32(data[8:]))}
	if p.count > len(data) {
		return nil, corrupt(where.String(), "got %d rows in %d bytes", p.count, len(data))
	}
	if p.kind == pageHashes {
		return p, p.checkHashes(where)
	}
	if p.kind > pageHashes {
		return nil, errVersion(where.String()+": kind of page", p.kind)
	}
	if p.width != 2 && p.width != 4 {
		return nil, corrupt(where.String(), "got slot width %d, want 2 or 4", p.width)
	}
	p.payload = pageHeadLen + p.count*p.width
	if p.payload > len(data) {
		return nil, corrupt(where.String(), "got %d slots in %d bytes", p.count, len(data))
	}
	end := 0
	for i := range p.count {
		next := p.end(i)
		if next < end {
			return nil, corrupt(where.String(), "slot %d: got end %d, want at least %d", i, next, end)
		}
		end = next
	}
	if end != len(data)-p.payload {
		return nil, corrupt(where.String(), "got %d bytes of payload, want %d", len(data)-p.payload, end)
	}
	return p, nil
}

// end returns the offset in the payload just after row i.
func (p *page) end(i int) int {
	if p.width == 2 {
		return int(binary.LittleEndian.Uint16(p.data[pageHeadLen+2*i:]))
	}
	return int(binary.LittleEndian.Uint32(p.data[pageHeadLen+4*i:]))
}

// slot returns the bytes of row i of the page, borrowed; nil beyond the last row.
func (p *page) slot(i uint64) []byte {
	if i >= uint64(p.count) {
		return nil
	}
	start := 0
	if i > 0 {
		start = p.end(int(i) - 1)
	}
	return p.data[p.payload+start : p.payload+p.end(int(i))]
}

// appendPage lays out a page of the given kind from its rows and returns it, not yet sealed.
func appendPage(kind byte, rows [][]byte) []byte {
	size := 0
	for _, row := range rows {
		size += len(row)
	}
	width := 2
	if size > 1<<16-1 {
		width = 4
	}
	data := make([]byte, 0, pageHeadLen+len(rows)*width+size)
	data = append(data, magicPage, formatVersion, kind, byte(width), 0, 0, 0, 0)
	data = binary.LittleEndian.AppendUint32(data, uint32(len(rows)))
	end := 0
	for _, row := range rows {
		end += len(row)
		if width == 2 {
			data = binary.LittleEndian.AppendUint16(data, uint16(end))
		} else {
			data = binary.LittleEndian.AppendUint32(data, uint32(end))
		}
	}
	for _, row := range rows {
		data = append(data, row...)
	}
	return data
}
