// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package format

import (
	"encoding/binary"
	"sort"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// Kinds of page.
const (
	Postings = 0
	Keys     = 1
	Hashes   = 2
	Values   = 3
)

const (
	pageHeaderLen = 12 // bytes before the slots of a page
	HashHeaderLen = 16 // and of a page of hashes

	// Target is the size that pages are written at: small enough that a point read copies
	// little, large enough that a scan runs at memory speed and the manifest stays small.
	Target = 32 << 10
	// Room bounds the rows and slots of a page. A page exceeds it when it would be less than half
	// full without its last row. One byte beyond Target takes a larger size class: Go's memory
	// comes in steps of 8 KB above 32 KB.
	Room = Target - 2*ColumnHeaderLen
	// Small is the size below which a page that is being rewritten takes its neighbour in.
	Small    = Target / 4
	MaxRows  = 1<<16 - 1 // rows of a page
	MaxBytes = 16 << 20  // of a page
)

// sparse is a bit of the slot width. It says that only rows with content have slots, each after its
// row number.
const sparse = 0x80

// KindOf returns the kind that the pages of a field have, by its number (docs/format/keys.md).
func KindOf(field uint32) byte { return byte(field % 4) }

// Page is one page in memory. Its bytes are immutable, and belong to the garbage collector: a view
// over them is valid as long as it is held. It is 40 bytes, and says all that is needed to find a
// row.
type Page struct {
	Data   []byte
	Count  int
	Kind   byte
	Width  uint8 // of a slot's end, bytes; hashes: of a hash
	Stride uint8 // of the slot table, bytes; with the row's number if sparse; hashes: of an ID
	Shift  uint8 // of hashes
	// length of every slot's bytes when all are alike, as most keys; else 0; hashes: the bits of
	// the slope
	Each uint32
}

// Payload returns where the payload begins in data.
func (p *Page) Payload() int {
	header := pageHeaderLen
	if p.Kind == Values {
		header = ColumnHeaderLen
	}
	return header + p.Count*int(p.Stride)
}

// Sparse reports whether slots stand for the rows that have something only.
func (p *Page) Sparse() bool { return p.Stride > p.Width }

// Rows returns the number of rows from the first to the last; of hashes the number of entries.
func (p *Page) Rows() int {
	if p.Kind != Hashes && p.Sparse() {
		return int(p.Offset(p.Count-1)) + 1
	}
	return p.Count
}

// Offset returns the row number of slot i, counted from the page's first row. The page must be
// sparse.
func (p *Page) Offset(i int) uint16 {
	return binary.LittleEndian.Uint16(p.Data[pageHeaderLen+i*int(p.Stride):])
}

// OpenPage checks a page's head, checksum and slots, and takes the bytes over. Cost: one pass over
// them.
func OpenPage(where *Ref, key, data []byte) (*Page, error) {
	if err := CheckHeader(where.String(), MagicPage, packedPage, key, data); err != nil {
		return nil, err
	}
	if len(data) < pageHeaderLen {
		return nil, model.Corrupt(where.String(), "got %d bytes, want at least %d", len(data), pageHeaderLen)
	}
	p := &Page{Data: data, Kind: data[2], Width: data[3], Count: int(binary.LittleEndian.Uint32(data[8:]))}
	// words may take a bit, keys less
	if p.Count > len(data) && (p.Kind < Keys || p.Kind == Hashes || p.Count > MostValueRows) {
		return nil, model.Corrupt(where.String(), "got %d rows in %d bytes", p.Count, len(data))
	}
	if data[1] == packedPage && (p.Kind != Keys || p.Width != 0) {
		return nil, UnknownVersion(where.String(), data[1])
	}
	if p.Kind == Hashes {
		return p, p.checkHashes(where)
	}
	if p.Kind == Values {
		return p, p.checkValues(where)
	}
	if p.Kind > Values {
		return nil, UnknownVersion(where.String()+": kind of page", p.Kind)
	}
	if p.Kind == Keys && p.Width == 0 && data[1] >= PageVersion {
		spell := spelt
		if data[1] == packedPage {
			spell = unpacked
		}
		var ok bool
		if p.Data, ok = spell(data); !ok {
			return nil, model.Corrupt(where.String(), "got near or packed keys that have no end, or are not as many as %d",
				p.Count)
		}
		data = p.Data
		p.Width, p.Count = data[3], int(binary.LittleEndian.Uint32(data[8:]))
	}
	p.Stride = p.Width
	if p.Width&sparse != 0 {
		p.Width &^= sparse
		p.Stride = p.Width + 2
	}
	if p.Width != 2 && p.Width != 4 {
		return nil, model.Corrupt(where.String(), "got slot width %#x, want 2 or 4, or with 0x80", data[3])
	}
	if p.Count == 0 || p.Payload() > len(data) {
		return nil, model.Corrupt(where.String(), "got %d slots in %d bytes", p.Count, len(data))
	}
	end, each := 0, p.End(0)
	for i := range p.Count {
		next := p.End(i)
		if next < end {
			return nil, model.Corrupt(where.String(), "slot %d: got end %d, want at least %d", i, next, end)
		}
		if p.Sparse() && (i == 0) != (p.Offset(i) == 0) || i > 0 && p.Sparse() && p.Offset(i) <= p.Offset(i-1) {
			return nil, model.Corrupt(where.String(), "slot %d: got row %d, want them to ascend from 0", i, p.Offset(i))
		}
		if next-end != each {
			each = 0
		}
		end = next
	}
	p.Each = uint32(each)
	if end != len(data)-p.Payload() {
		return nil, model.Corrupt(where.String(), "got %d bytes of payload, want %d", len(data)-p.Payload(), end)
	}
	return p, nil
}

// End returns the offset in the payload just after the bytes of slot i.
func (p *Page) End(i int) int {
	at := pageHeaderLen + (i+1)*int(p.Stride) - int(p.Width)
	if p.Width == 2 {
		return int(binary.LittleEndian.Uint16(p.Data[at:]))
	}
	return int(binary.LittleEndian.Uint32(p.Data[at:]))
}

// Row returns the bytes of a row, nil if it has none. The row counts from the page's first. The
// bytes are borrowed.
func (p *Page) Row(row uint64) []byte {
	if p.Sparse() {
		i := sort.Search(p.Count, func(i int) bool { return uint64(p.Offset(i)) >= row })
		if i == p.Count || uint64(p.Offset(i)) != row {
			return nil
		}
		return p.Slot(i)
	}
	if row >= uint64(p.Count) {
		return nil
	}
	return p.Slot(int(row))
}

// Slot returns the bytes of slot i, borrowed.
func (p *Page) Slot(i int) []byte {
	if p.Each > 0 { // the table of slots need not be near
		each := int(p.Each)
		return p.Data[p.Payload()+i*each:][:each:each]
	}
	start, payload := 0, p.Payload()
	if i > 0 {
		start = p.End(i - 1)
	}
	return p.Data[payload+start : payload+p.End(i)]
}

// Even returns the bytes of all rows if each row has the same number of bytes, at least one. It
// also returns the number of rows and their size. Otherwise it returns zeros. The bytes are
// borrowed.
func (p *Page) Even() (rows []byte, count, each uint64) {
	if p.Each == 0 || p.Sparse() {
		return nil, 0, 0
	}
	return p.Data[p.Payload():], uint64(p.Count), uint64(p.Each)
}

// All calls fn with each row that has content. It counts rows from the page's first. It stops at
// fn's first error and returns it.
func (p *Page) All(fn func(row uint64, body []byte) error) error {
	for i := range p.Count {
		row := uint64(i)
		if p.Sparse() {
			row = uint64(p.Offset(i))
		}
		if body := p.Slot(i); len(body) > 0 {
			if err := fn(row, body); err != nil {
				return err
			}
		}
	}
	return nil
}

// Row is a row to be laid out: its number, counted from the page's first, and its bytes.
type Row struct {
	Offset uint16
	Values uint64 // what it adds to the page's count of values
	Body   []byte
}

// AppendPage lays out a page of the given kind and returns it unsealed. The rows must have content
// and ascend from 0.
func AppendPage(kind byte, rows []Row) []byte {
	data := appendSlots(kind, rows)
	if kind != Keys {
		return data
	}
	near := PrefixPage(rows, len(data))
	if near != nil {
		data = near
	}
	if packed := packKeys(rows, len(data)); packed != nil {
		return packed
	}
	return data
}

// appendSlots is AppendPage for a page with slots. It writes the smaller table: of all rows from
// first to last, or only of rows with content.
func appendSlots(kind byte, rows []Row) []byte {
	size := 0
	for _, r := range rows {
		size += len(r.Body)
	}
	width := 2
	if size > 1<<16-1 {
		width = 4
	}
	stride, slots := width, int(rows[len(rows)-1].Offset)+1
	flag := byte(0)
	if len(rows)*(width+2) < slots*width {
		stride, slots, flag = width+2, len(rows), sparse
	}
	data := make([]byte, 0, pageHeaderLen+slots*stride+size)
	data = append(data, MagicPage, FormatVersion, kind, byte(width)|flag, 0, 0, 0, 0)
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
			data = binary.LittleEndian.AppendUint16(data, r.Offset)
		} else if i > 0 {
			for range r.Offset - rows[i-1].Offset - 1 {
				slot()
			}
		}
		end += len(r.Body)
		slot()
	}
	for _, r := range rows {
		data = append(data, r.Body...)
	}
	return data
}

// View returns the list of a row of a page.
func (p *Page) View(r *Ref, row uint64) (view.View, error) {
	v, err := view.OpenBody(p.Row(row - r.First))
	if err != nil {
		return v, model.Corrupt(r.String(), "row %d: %v", row, err)
	}
	return v, nil
}
