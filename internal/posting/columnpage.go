// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/uproar-db/uproar/internal/posting/model"
)

// columnHeadLen is the length of the head of a page of a forward column with slots; the slots
// follow.
const columnHeadLen = valueHeadLen

// checkColumn checks the slots of a page of a forward column with any number of rows for each
// record.
func (p *page) checkColumn(where *ref) error {
	if len(p.data) < columnHeadLen {
		return model.Corrupt(where.String(), "got %d bytes, want at least %d", len(p.data), columnHeadLen)
	}
	w := p.rowWidth()
	if w > 4 && w != 8 || p.data[13] != 0 || p.data[14] != 0 || p.data[15] != 0 {
		return model.Corrupt(where.String(), "got row width % x, want 0–4 or 8 and three zeros", p.data[12:16])
	}
	p.stride = p.width
	unit, padding := w, 0
	if w == 0 {
		unit, padding = 1, codePadding
	}
	if p.count < 1 || p.count > maxRows || p.payload()+padding > len(p.data) {
		return model.Corrupt(where.String(), "got %d slots in %d bytes", p.count, len(p.data))
	}
	if where.piece > 0 && p.count != 1 {
		return model.Corrupt(where.String(), "got %d records in a piece, want 1", p.count)
	}
	end := 0
	for i := range p.count {
		next := p.columnEnd(i)
		if next < end {
			return model.Corrupt(where.String(), "slot %d: got end %d, want at least %d", i, next, end)
		}
		end = next
	}
	if end > len(p.data) || p.payload()+end*unit+padding != len(p.data) {
		return model.Corrupt(where.String(), "got %d bytes of payload, want %d", len(p.data)-p.payload(),
			end*unit+padding)
	}
	return nil
}

// rowWidth returns how many bytes a row of a column page takes; 0: rows are coded as gaps.
func (p *page) rowWidth() int { return int(p.data[12]) }

// columnEnd returns where the rows of slot i end in the payload: in rows, or in bytes when they are
// coded.
func (p *page) columnEnd(i int) int {
	at := columnHeadLen + i*int(p.width)
	if p.width == 2 {
		return int(binary.LittleEndian.Uint16(p.data[at:]))
	}
	return int(binary.LittleEndian.Uint32(p.data[at:]))
}

// span returns where the rows of slot i begin and end in the payload.
func (p *page) span(i int) (from, to int) {
	if i > 0 {
		from = p.columnEnd(i - 1)
	}
	return from, p.columnEnd(i)
}

// appendRows appends the rows of a record, counted from the page's first, ascending. ok is false
// when the bytes are none that a writer makes.
func (p *page) appendRows(dst []uint64, record uint64) (rows []uint64, ok bool) {
	if record >= uint64(p.count) {
		return dst, true
	}
	from, to := p.span(int(record))
	if from == to {
		return dst, true
	}
	start := len(dst)
	w := p.rowWidth()
	if w == 0 {
		return p.appendCoded(dst, from, to)
	}
	for i := from; i < to; i++ {
		row := p.number(p.payload()+i*w, w)
		if row > model.MaxID || len(dst) > start && row <= dst[len(dst)-1] {
			return dst[:start], false
		}
		dst = append(dst, row)
	}
	return dst, true
}

// appendCoded is appendRows for a stream of gaps between two bytes of the payload.
func (p *page) appendCoded(dst []uint64, from, to int) (rows []uint64, ok bool) {
	start := len(dst)
	r := bitReader{data: p.data[p.payload():], at: 8 * from, end: 8 * to}
	n, ok := r.number(codeOfCount)
	if !ok || n >= uint64(8*(to-from)) {
		return dst, false
	}
	gaps, next := gapModel(codeOfFirst), uint64(0)
	for range n + 1 {
		gap, ok := r.number(gaps.parameter())
		if !ok || gap > model.MaxID-next {
			return dst[:start], false
		}
		dst = append(dst, next+gap)
		gaps, next = gaps.after(gap), next+gap+1
	}
	return dst, r.end-r.at < 8
}

// columnRows is the rows of consecutive records, to be laid out in a page.
type columnRows struct {
	ends []uint32 // of each record in rows
	rows []uint64 // ascending in each record
}

// of returns the rows of record i.
func (c *columnRows) of(i int) []uint64 {
	if i == 0 {
		return c.rows[:c.ends[0]]
	}
	return c.rows[c.ends[i-1]:c.ends[i]]
}

// rowWidthOf returns the least width of a page that rows of at most one fit into.
func rowWidthOf(most uint64) int {
	switch n := (bits.Len64(most) + 7) / 8; {
	case n == 0:
		return 1
	case n > 4:
		return 8
	default:
		return n
	}
}

// appendColumnPage lays out a page of records, the last of which has rows, and returns it, not yet
// sealed.
func appendColumnPage(c columnRows, layout model.Column) []byte {
	if layout == model.SmallColumn {
		return appendCodedPage(c)
	}
	w := rowWidthOf(slices.Max(c.rows))
	data := columnHead(len(c.ends), w, c.ends[len(c.ends)-1], len(c.rows)*w)
	for _, end := range c.ends {
		data = appendSlot(data, end)
	}
	var b [8]byte
	for _, row := range c.rows {
		binary.LittleEndian.PutUint64(b[:], row)
		data = append(data, b[:w]...)
	}
	return data
}

// appendCodedPage is appendColumnPage for rows that are coded.
func appendCodedPage(c columnRows) []byte {
	var coded []byte
	ends := make([]uint32, len(c.ends))
	for i := range c.ends {
		if rows := c.of(i); len(rows) > 0 {
			coded = appendGaps(coded, rows)
		}
		ends[i] = uint32(len(coded))
	}
	data := columnHead(len(ends), 0, uint32(len(coded)), len(coded)+codePadding)
	for _, end := range ends {
		data = appendSlot(data, end)
	}
	return append(append(data, coded...), make([]byte, codePadding)...)
}

// columnHead returns the head of a page, with room for the rest: its slots are as wide as the last
// end needs.
func columnHead(count, rowWidth int, last uint32, payload int) []byte {
	slot := 2
	if last > 1<<16-1 {
		slot = 4
	}
	data := make([]byte, 0, columnHeadLen+count*slot+payload)
	data = append(data, magicPage, formatVersion, pageValues, byte(slot), 0, 0, 0, 0)
	data = binary.LittleEndian.AppendUint32(data, uint32(count))
	return append(data, byte(rowWidth), 0, 0, 0)
}

// appendSlot appends an end to the slots of a page.
func appendSlot(page []byte, end uint32) []byte {
	if page[3] == 2 {
		return binary.LittleEndian.AppendUint16(page, uint16(end))
	}
	return binary.LittleEndian.AppendUint32(page, end)
}
