// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package format

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/uproar-db/uproar/internal/posting/model"
)

// ColumnHeaderLen is the length of the head of a page of a value column with slots; the slots
// follow.
const ColumnHeaderLen = ValueHeaderLen

// checkColumn checks the slots of a page of a value column with any number of rows for each
// record.
func (p *Page) checkColumn(where *Ref) error {
	if len(p.Data) < ColumnHeaderLen {
		return model.Corrupt(where.String(), "got %d bytes, want at least %d", len(p.Data), ColumnHeaderLen)
	}
	w := p.RowWidth()
	if w > 4 && w != 8 && w != edgeKeyRows || p.Data[13] != 0 || p.Data[14] != 0 || p.Data[15] != 0 {
		return model.Corrupt(where.String(), "got row width % x, want 0–4, 8 or 9 and three zeros", p.Data[12:16])
	}
	p.Stride = p.Width
	unit, padding := w, 0
	switch w {
	case 0:
		unit, padding = 1, codePadding
	case edgeKeyRows:
		unit = 1
	}
	if p.Count < 1 || p.Count > MaxRows || p.Payload()+padding > len(p.Data) {
		return model.Corrupt(where.String(), "got %d slots in %d bytes", p.Count, len(p.Data))
	}
	if where.Piece > 0 && p.Count != 1 {
		return model.Corrupt(where.String(), "got %d records in a piece, want 1", p.Count)
	}
	end := 0
	for i := range p.Count {
		next := p.columnEnd(i)
		if next < end {
			return model.Corrupt(where.String(), "slot %d: got end %d, want at least %d", i, next, end)
		}
		end = next
	}
	if end > len(p.Data) || p.Payload()+end*unit+padding != len(p.Data) {
		return model.Corrupt(where.String(), "got %d bytes of payload, want %d", len(p.Data)-p.Payload(),
			end*unit+padding)
	}
	return nil
}

// RowWidth returns how many bytes a row of a column page takes; 0: rows are coded as gaps.
func (p *Page) RowWidth() int { return int(p.Data[12]) }

// edgeKeyRows stands in the place of the width of rows in a page of values whose slots have the
// keys of edges: as bytes, which AppendEdgeKeys reads.
const edgeKeyRows = 9

// HasKeys reports whether a page of values has the keys of edges.
func (p *Page) HasKeys() bool {
	return p.Kind == Values && p.Width > 0 && p.Data[12] == edgeKeyRows
}

// columnEnd returns where the rows of slot i end in the payload: in rows, or in bytes when they are
// coded.
func (p *Page) columnEnd(i int) int {
	at := ColumnHeaderLen + i*int(p.Width)
	if p.Width == 2 {
		return int(binary.LittleEndian.Uint16(p.Data[at:]))
	}
	return int(binary.LittleEndian.Uint32(p.Data[at:]))
}

// Span returns where the rows of slot i begin and end in the payload.
func (p *Page) Span(i int) (from, to int) {
	if i > 0 {
		from = p.columnEnd(i - 1)
	}
	return from, p.columnEnd(i)
}

// AppendRows appends the rows of a record, counted from the page's first, ascending. ok is false
// when the bytes are none that a writer makes.
func (p *Page) AppendRows(dst []uint64, record uint64) (rows []uint64, ok bool) {
	if record >= uint64(p.Count) {
		return dst, true
	}
	if p.HasKeys() {
		return dst, false
	}
	from, to := p.Span(int(record))
	if from == to {
		return dst, true
	}
	start := len(dst)
	w := p.RowWidth()
	if w == 0 {
		return p.appendCoded(dst, from, to)
	}
	for i := from; i < to; i++ {
		row := p.number(p.Payload()+i*w, w)
		if row > model.MaxID || len(dst) > start && row <= dst[len(dst)-1] {
			return dst[:start], false
		}
		dst = append(dst, row)
	}
	return dst, true
}

// appendCoded is AppendRows for a stream of gaps between two bytes of the payload.
func (p *Page) appendCoded(dst []uint64, from, to int) (rows []uint64, ok bool) {
	start := len(dst)
	r := bitReader{Data: p.Data[p.Payload():], At: 8 * from, End: 8 * to}
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
	return dst, r.End-r.At < 8
}

// ColumnRows is the rows of consecutive records, to be laid out in a page.
type ColumnRows struct {
	Ends []uint32 // of each record in rows
	Rows []uint64 // ascending in each record
}

// Of returns the rows of record i.
func (c *ColumnRows) Of(i int) []uint64 {
	if i == 0 {
		return c.Rows[:c.Ends[0]]
	}
	return c.Rows[c.Ends[i-1]:c.Ends[i]]
}

// RowWidthOf returns the least width of a page that rows of at most one fit into.
func RowWidthOf(most uint64) int {
	switch n := (bits.Len64(most) + 7) / 8; {
	case n == 0:
		return 1
	case n > 4:
		return 8
	default:
		return n
	}
}

// AppendColumnPage lays out a page of records and returns it unsealed. The last record must have
// rows.
func AppendColumnPage(c ColumnRows, layout model.Column) []byte {
	if layout == model.SmallColumn {
		return appendCodedPage(c)
	}
	w := RowWidthOf(slices.Max(c.Rows))
	data := columnHeader(len(c.Ends), w, c.Ends[len(c.Ends)-1], len(c.Rows)*w)
	for _, end := range c.Ends {
		data = appendSlot(data, end)
	}
	var b [8]byte
	for _, row := range c.Rows {
		binary.LittleEndian.PutUint64(b[:], row)
		data = append(data, b[:w]...)
	}
	return data
}

// appendCodedPage is AppendColumnPage for rows that are coded.
func appendCodedPage(c ColumnRows) []byte {
	var coded []byte
	ends := make([]uint32, len(c.Ends))
	for i := range c.Ends {
		if rows := c.Of(i); len(rows) > 0 {
			coded = appendGaps(coded, rows)
		}
		ends[i] = uint32(len(coded))
	}
	data := columnHeader(len(ends), 0, uint32(len(coded)), len(coded)+codePadding)
	for _, end := range ends {
		data = appendSlot(data, end)
	}
	return append(append(data, coded...), make([]byte, codePadding)...)
}

// columnHeader returns the head of a page, with room for the rest: its slots are as wide as the
// last end needs.
func columnHeader(count, rowWidth int, last uint32, payload int) []byte {
	slot := 2
	if last > 1<<16-1 {
		slot = 4
	}
	data := make([]byte, 0, ColumnHeaderLen+count*slot+payload)
	data = append(data, MagicPage, FormatVersion, Values, byte(slot), 0, 0, 0, 0)
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
