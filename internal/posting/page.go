// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"encoding/binary"
	"sort"

	"github.com/uproar-db/uproar/internal/posting/model"
)

// Kinds of page.
const (
	pagePostings = 0
	pageKeys     = 1
	pageHashes   = 2
	pageValues   = 3
)

const (
	pageHeadLen = 12
	hashHeadLen = 16

	// pageTarget is the size that pages are written at: small enough that a point read copies
	// little, large enough that a scan runs at memory speed and the manifest stays small.
	pageTarget = 32 << 10
	// pageRoom is what rows and slots take of that at most, but where a page would be less than
	// half full without its last row: a page of one byte more would take a fifth more of Go's
	// memory, which comes in steps of 8 KB beyond 32.
	pageRoom = pageTarget - 2*columnHeadLen
	// pageSmall is the size below which a page that is being rewritten takes its neighbour in.
	pageSmall = pageTarget / 4
	maxRows   = 1<<16 - 1
	maxBytes  = 16 << 20
)

// sparse is the bit of the slot width that says that slots stand for the rows that have something
// only, each after its number.
const sparse = 0x80

// kindOf returns the kind that the pages of a field have, by its number (docs/format/keys.md).
func kindOf(field uint32) byte { return byte(field % 4) }

// page is one page in memory. Its bytes are immutable, and belong to the garbage collector: a view
// over them is valid as long as it is held. It is 40 bytes, and says all that is needed to find a
// row.
type page struct {
	data   []byte
	count  int
	kind   byte
	width  uint8 // of a slot's end, bytes; hashes: of a hash
	stride uint8 // of the slot table, bytes; with the row's number if sparse; hashes: of an ID
	shift  uint8 // of hashes
	// length of every slot's bytes when all are alike, as most keys; else 0; hashes: the bits of
	// the slope
	each uint32
}

// payload returns where the payload begins in data.
func (p *page) payload() int {
	head := pageHeadLen
	if p.kind == pageValues {
		head = columnHeadLen
	}
	return head + p.count*int(p.stride)
}

// sparse reports whether slots stand for the rows that have something only.
func (p *page) sparse() bool { return p.stride > p.width }

// rows returns the number of rows from the first to the last; of hashes the number of entries.
func (p *page) rows() int {
	if p.kind != pageHashes && p.sparse() {
		return int(p.offset(p.count-1)) + 1
	}
	return p.count
}

// offset returns the number of the row of slot i, counted from the page's first row; the page must
// be sparse.
func (p *page) offset(i int) uint16 {
	return binary.LittleEndian.Uint16(p.data[pageHeadLen+i*int(p.stride):])
}

// openPage checks a page's head, checksum and slots, and takes the bytes over. Cost: one pass over
// them.
func openPage(where *ref, key, data []byte) (*page, error) {
	if err := checkHeader(where.String(), magicPage, pageVersion, key, data); err != nil {
		return nil, err
	}
	if len(data) < pageHeadLen {
		return nil, model.Corrupt(where.String(), "got %d bytes, want at least %d", len(data), pageHeadLen)
	}
	p := &page{data: data, kind: data[2], width: data[3], count: int(binary.LittleEndian.Uint32(data[8:]))}
	// words may take a bit, keys less
	if p.count > len(data) && (p.kind < pageKeys || p.kind == pageHashes || p.count > mostForwardRows) {
		return nil, model.Corrupt(where.String(), "got %d rows in %d bytes", p.count, len(data))
	}
	if p.kind == pageHashes {
		return p, p.checkHashes(where)
	}
	if p.kind == pageValues {
		return p, p.checkValues(where)
	}
	if p.kind > pageValues {
		return nil, errVersion(where.String()+": kind of page", p.kind)
	}
	if p.kind == pageKeys && p.width == 0 && data[1] >= pageVersion {
		var ok bool
		if p.data, ok = spelt(data); !ok {
			return nil, model.Corrupt(where.String(), "got near keys that have no end, or are not as many as %d",
				p.count)
		}
		data = p.data
		p.width, p.count = data[3], int(binary.LittleEndian.Uint32(data[8:]))
	}
	p.stride = p.width
	if p.width&sparse != 0 {
		p.width &^= sparse
		p.stride = p.width + 2
	}
	if p.width != 2 && p.width != 4 {
		return nil, model.Corrupt(where.String(), "got slot width %#x, want 2 or 4, or with 0x80", data[3])
	}
	if p.count == 0 || p.payload() > len(data) {
		return nil, model.Corrupt(where.String(), "got %d slots in %d bytes", p.count, len(data))
	}
	end, each := 0, p.end(0)
	for i := range p.count {
		next := p.end(i)
		if next < end {
			return nil, model.Corrupt(where.String(), "slot %d: got end %d, want at least %d", i, next, end)
		}
		if p.sparse() && (i == 0) != (p.offset(i) == 0) || i > 0 && p.sparse() && p.offset(i) <= p.offset(i-1) {
			return nil, model.Corrupt(where.String(), "slot %d: got row %d, want them to ascend from 0", i, p.offset(i))
		}
		if next-end != each {
			each = 0
		}
		end = next
	}
	p.each = uint32(each)
	if end != len(data)-p.payload() {
		return nil, model.Corrupt(where.String(), "got %d bytes of payload, want %d", len(data)-p.payload(), end)
	}
	return p, nil
}

// end returns the offset in the payload just after the bytes of slot i.
func (p *page) end(i int) int {
	at := pageHeadLen + (i+1)*int(p.stride) - int(p.width)
	if p.width == 2 {
		return int(binary.LittleEndian.Uint16(p.data[at:]))
	}
	return int(binary.LittleEndian.Uint32(p.data[at:]))
}

// row returns the bytes of a row, counted from the page's first, borrowed; nil for a row that has
// nothing.
func (p *page) row(row uint64) []byte {
	if p.sparse() {
		i := sort.Search(p.count, func(i int) bool { return uint64(p.offset(i)) >= row })
		if i == p.count || uint64(p.offset(i)) != row {
			return nil
		}
		return p.slot(i)
	}
	if row >= uint64(p.count) {
		return nil
	}
	return p.slot(int(row))
}

// slot returns the bytes of slot i, borrowed.
func (p *page) slot(i int) []byte {
	if p.each > 0 { // the table of slots need not be near
		each := int(p.each)
		return p.data[p.payload()+i*each:][:each:each]
	}
	start, payload := 0, p.payload()
	if i > 0 {
		start = p.end(i - 1)
	}
	return p.data[payload+start : payload+p.end(i)]
}

// even returns the bytes of all rows, borrowed, and how many rows there are, if they have as many
// bytes each, and at least one; none otherwise.
func (p *page) even() (rows []byte, count, each uint64) {
	if p.each == 0 || p.sparse() {
		return nil, 0, 0
	}
	return p.data[p.payload():], uint64(p.count), uint64(p.each)
}

// all calls fn with each row that has something, counted from the page's first, until fn returns an
// error, which it returns.
func (p *page) all(fn func(row uint64, body []byte) error) error {
	for i := range p.count {
		row := uint64(i)
		if p.sparse() {
			row = uint64(p.offset(i))
		}
		if body := p.slot(i); len(body) > 0 {
			if err := fn(row, body); err != nil {
				return err
			}
		}
	}
	return nil
}

// pageRow is a row to be laid out: its number, counted from the page's first, and its bytes.
type pageRow struct {
	offset uint16
	values uint64 // what it adds to the page's count of values
	body   []byte
}

// appendPage lays out a page of the given kind from rows that have something, ascending from 0, and
// returns it, not yet sealed.
func appendPage(kind byte, rows []pageRow) []byte {
	data := appendSlots(kind, rows)
	if kind == pageKeys {
		if near := prefixPage(rows, len(data)); near != nil {
			return near
		}
	}
	return data
}

// appendSlots is appendPage for a page with slots. Their table is the smaller one: of all rows from
// the first to the last, or of those that have something.
func appendSlots(kind byte, rows []pageRow) []byte {
	size := 0
	for _, r := range rows {
		size += len(r.body)
	}
	width := 2
	if size > 1<<16-1 {
		width = 4
	}
	stride, slots := width, int(rows[len(rows)-1].offset)+1
	flag := byte(0)
	if len(rows)*(width+2) < slots*width {
		stride, slots, flag = width+2, len(rows), sparse
	}
	data := make([]byte, 0, pageHeadLen+slots*stride+size)
	data = append(data, magicPage, formatVersion, kind, byte(width)|flag, 0, 0, 0, 0)
	data = binary.LittleEndian.AppendUint32(data, uint32(slots))
	end := 0
	slot := func() {
		if width == 2 {
			data = binary.LittleEndian.AppendUint16(data, uint16(end))
		} else {
			data = binary.LittleEndian.AppendUint32(data, uint32(end))
		}
	}
	for i, r := range rows {
		if flag != 0 {
			data = binary.LittleEndian.AppendUint16(data, r.offset)
		} else if i > 0 {
			for range r.offset - rows[i-1].offset - 1 {
				slot()
			}
		}
		end += len(r.body)
		slot()
	}
	for _, r := range rows {
		data = append(data, r.body...)
	}
	return data
}
