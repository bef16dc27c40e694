// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package recordapi

import (
	"encoding/binary"
	"io"

	"github.com/uproar-db/uproar/internal/export"
	"github.com/uproar-db/uproar/server/streaming"
)

// carry reads records in the order of their IDs, and tells each as it is to be sent: a line of
// JSON, or the cells of its row.
func (l *listing) carry(ids []uint64, tell func(i int, of []byte) error) error {
	keys, err := l.s.KeysOf(ids)
	if err != nil {
		return err
	}
	var line []byte
	for from := 0; from < len(ids); l.atOnce = min(2*l.atOnce, mostSorted) {
		n, err := l.fitting(len(ids)-from, func(n int) error {
			return l.readSome(ids[from:from+n], keys[from:from+n])
		})
		for i := from; i < from+n && err == nil; i++ {
			if l.isTable {
				line = appendCells(line[:0], l.header, l.cells[(i-from)*len(l.header):])
			} else {
				line = l.append(line[:0], keys[i], i-from)
			}
			err = tell(i, line)
		}
		if err != nil {
			return err
		}
		from += n
	}
	return nil
}

// readSome reads records, for append or in cells.
func (l *listing) readSome(ids []uint64, keys []string) error {
	if l.isTable {
		return l.readCells(ids, keys)
	}
	l.count(keys)
	return l.read(ids)
}

// carried writes the records that come next as long as the sorting carries them.
func (l *listing) carried(out *streaming.Out) error {
	of := l.sorting.Carried()
	if len(of) == 0 {
		return nil
	}
	of = of[len(l.some)-len(l.unread):]
	for len(of) > 0 && len(of[0]) > 0 {
		if !l.isTable {
			out.Append(func(dst []byte) []byte { return append(dst, of[0]...) })
		} else if err := l.carriedRow(out, of[0]); err != nil {
			return err
		}
		of, l.unread = of[1:], l.unread[1:]
	}
	return nil
}

// carriedRow writes the row of cells that are carried.
func (l *listing) carriedRow(out *streaming.Out, cells []byte) error {
	l.cells = append(l.cells[:0], make([]export.Cell, len(l.header))...)
	var ok bool
	r := cellReader{whole: string(cells), bytes: cells}
	if l.texts, ok = r.cells(l.cells, l.header, l.texts[:0]); !ok {
		return io.ErrUnexpectedEOF
	}
	return out.Row(l.cells...)
}

// notCarried returns how many of the records that come next are to be read, up to one that is
// carried.
func (l *listing) notCarried() int {
	of := l.sorting.Carried()
	if len(of) == 0 {
		return len(l.unread)
	}
	for n, one := range of[len(l.some)-len(l.unread):] {
		if len(one) > 0 {
			return n
		}
	}
	return len(l.unread)
}

// appendCells appends the cells of a row: for each a number that is 0 for none, and else one more
// than the bytes of the text that follows, or than the texts, each with its length before it; or 1
// before an integer.
func appendCells(dst []byte, columns []export.Column, cells []export.Cell) []byte {
	for i := range columns {
		cell := &cells[i]
		switch kind := columns[i].Kind; {
		case cell.Null:
			dst = append(dst, 0)
		case kind == export.Text:
			dst = binary.AppendUvarint(dst, uint64(len(cell.Text))+1)
			dst = append(dst, cell.Text...)
		case kind == export.Texts:
			dst = binary.AppendUvarint(dst, uint64(len(cell.Texts))+1)
			for _, text := range cell.Texts {
				dst = append(binary.AppendUvarint(dst, uint64(len(text))), text...)
			}
		default:
			dst = binary.AppendVarint(append(dst, 1), cell.Integer)
		}
	}
	return dst
}

// cellReader reads what appendCells wrote.
type cellReader struct {
	whole string // all of it
	bytes []byte // not read yet
	wrong bool   // it is something else
}

// number reads a number; 0 if there is none.
func (r *cellReader) number() uint64 {
	n, size := binary.Uvarint(r.bytes)
	if size <= 0 {
		r.wrong = true
		return 0
	}
	r.bytes = r.bytes[size:]
	return n
}

// text reads a text of so many bytes; "" if there is none.
func (r *cellReader) text(n uint64) string {
	if n > uint64(len(r.bytes)) {
		r.wrong = true
		return ""
	}
	from := len(r.whole) - len(r.bytes)
	r.bytes = r.bytes[n:]
	return r.whole[from : from+int(n)]
}

// cells reads the cells of a row. The texts of lists are appended to texts. ok is false for bytes
// of something else.
func (r *cellReader) cells(cells []export.Cell, columns []export.Column, texts []string) (all []string, ok bool) {
	for i := range columns {
		cell, n := &cells[i], r.number()
		switch kind := columns[i].Kind; {
		case n == 0:
			cell.Null = true
		case kind == export.Text:
			cell.Text = r.text(n - 1)
		case kind == export.Texts:
			from := len(texts)
			for left := n - 1; left > 0 && !r.wrong; left-- {
				texts = append(texts, r.text(r.number()))
			}
			cell.Texts = texts[from:len(texts):len(texts)]
		default:
			x, size := binary.Varint(r.bytes)
			if size <= 0 {
				return texts, false
			}
			cell.Integer, r.bytes = x, r.bytes[size:]
		}
	}
	return texts, !r.wrong && len(r.bytes) == 0
}
