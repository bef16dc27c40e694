// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package merge

import (
	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
)

const (
	// edgeKeyPiece is up to how many keys a record shares pages with others, and how many a piece
	// has at most.
	edgeKeyPiece = 1 << 10
	// edgePieceShift leaves of a key what a piece is named by.
	edgePieceShift = 15
)

// edgePiece returns the number of the piece that would begin with a key.
func edgePiece(key uint64) uint64 { return key>>edgePieceShift + 1 }

// edgeKeyWriter lays the keys of records out in pages: up to format.Target bytes each, never less
// than half of it when there is enough.
type edgeKeyWriter struct {
	Out    *PageBatch
	Field  uint32
	first  uint64   // the first record that waits
	bodies []byte   // of the records that wait
	ends   []uint32 // of each in bodies
	counts []uint64 // keys of each
}

// bytes returns what the waiting records and their slots take.
func (w *edgeKeyWriter) bytes() int { return 2*len(w.ends) + len(w.bodies) }

// reaches reports whether a record can stand on the page that waits to be written.
func (w *edgeKeyWriter) reaches(record uint64) bool {
	return len(w.ends) > 0 && record-w.first < format.MaxRows && record-w.first < uint64(len(w.ends)+columnGap)
}

// begin makes room for a record on the waiting page, or ends that page.
func (w *edgeKeyWriter) begin(record uint64) error {
	if !w.reaches(record) {
		if err := w.finish(); err != nil {
			return err
		}
		w.first = record
	}
	for record-w.first > uint64(len(w.ends)) {
		w.end(0)
	}
	return nil
}

// end ends the record to which bodies were appended last.
func (w *edgeKeyWriter) end(keys uint64) {
	w.ends, w.counts = append(w.ends, uint32(len(w.bodies))), append(w.counts, keys)
}

// add appends a record; records come in ascending order. One without keys is left out.
func (w *edgeKeyWriter) add(record uint64, keys []model.EdgeKey) error {
	switch {
	case len(keys) == 0:
		return nil
	case len(keys) > edgeKeyPiece:
		if err := w.finish(); err != nil {
			return err
		}
		return w.pieces(record, 1, keys)
	}
	if err := w.begin(record); err != nil {
		return err
	}
	w.bodies = format.AppendEdgeKeyBody(w.bodies, keys)
	w.end(uint64(len(keys)))
	return w.overflow()
}

// copy appends a record as another page has it.
func (w *edgeKeyWriter) copy(record uint64, body []byte) error {
	if len(body) == 0 {
		return nil
	}
	if err := w.begin(record); err != nil {
		return err
	}
	w.bodies = append(w.bodies, body...)
	w.end(format.EdgeKeyCount(body))
	return w.overflow()
}

// overflow writes a page when there is more than enough for one.
func (w *edgeKeyWriter) overflow() error {
	if w.bytes() >= 2*format.Target {
		return w.cut(format.Room)
	}
	return nil
}

// pieces writes a record that is too large for a page with others, or a part of it from a piece on:
// cut evenly, between keys that are named otherwise.
func (w *edgeKeyWriter) pieces(record, piece uint64, keys []model.EdgeKey) error {
	parts := (len(keys) + edgeKeyPiece - 1) / edgeKeyPiece
	each := (len(keys) + parts - 1) / parts
	for len(keys) > 0 {
		n := min(each, len(keys))
		for n < len(keys) && edgePiece(keys[n].Key) == edgePiece(keys[n-1].Key) {
			n++
		}
		body := format.AppendEdgeKeyBody(nil, keys[:n])
		err := w.Out.page(format.Ref{Field: w.Field, First: record, Piece: piece, Rows: 1, Values: uint64(n)},
			format.AppendEdgeKeyPage([]uint32{uint32(len(body))}, body))
		if err != nil {
			return err
		}
		if keys = keys[n:]; len(keys) > 0 {
			piece = edgePiece(keys[0].Key)
		}
	}
	return nil
}

// cut writes the first records as one page, as many as reach the given size, or have room.
func (w *edgeKeyWriter) cut(size int) error {
	n, last, bytes, values := 0, 0, 0, uint64(0)
	for n < len(w.ends) && bytes < size {
		more := 2*(n+1) + int(w.ends[n])
		if isFull(bytes, more) {
			break
		}
		bytes, values = more, values+w.counts[n]
		if n++; w.counts[n-1] > 0 {
			last = n
		}
	}
	end := w.ends[n-1]
	err := w.Out.page(format.Ref{Field: w.Field, First: w.first, Rows: uint32(last), Values: values},
		format.AppendEdgeKeyPage(w.ends[:last], w.bodies[:end]))
	for n < len(w.ends) && w.counts[n] == 0 {
		n++
	}
	w.first += uint64(n)
	w.bodies = append(w.bodies[:0], w.bodies[end:]...)
	w.ends, w.counts = append(w.ends[:0], w.ends[n:]...), append(w.counts[:0], w.counts[n:]...)
	for i := range w.ends {
		w.ends[i] -= end
	}
	return err
}

// finish writes what is left: one page, or two halves.
func (w *edgeKeyWriter) finish() error {
	for len(w.ends) > 0 {
		size := w.bytes()
		if size > format.Room {
			size /= 2
		}
		if err := w.cut(size); err != nil {
			return err
		}
	}
	return nil
}
