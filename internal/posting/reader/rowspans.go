// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package reader

import (
	"encoding/binary"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/roaring"
)

// Bounds of the spans that are counted together: enough for many pages, so that memory can be asked
// for ahead; and few enough bytes for a call, with those of one page more.
const (
	mostSpans     = 256
	mostSpanBytes = 64 << 10
)

// rowSpans gathers the rows of records, of one width, from any number of pages, to be counted
// together.
type rowSpans struct {
	room  [mostSpans][]byte
	spans int
	bytes int
	width int // 0: none were gathered yet
}

// gather gathers the rows of records, for which there is room.
func (w *rowSpans) gather(p *format.Page, offset int, lows []uint16) {
	room, rows, bytes := w.room[w.spans:w.spans+len(lows)], p.Data[p.Payload():], 0
	for i, low := range lows {
		from, to := p.Span(offset + int(low))
		room[i] = rows[w.width*from : w.width*to]
		bytes += w.width * (to - from)
	}
	w.spans, w.bytes = w.spans+len(lows), w.bytes+bytes
}

// count counts the rows and releases them. It returns the rows without a counter, which are rare.
func (w *rowSpans) count(counts []uint32) (beyond []uint64) {
	if w.spans == 0 {
		return nil
	}
	spans := w.room[:w.spans]
	if roaring.CountRows(counts, spans, w.width) > 0 {
		var b [8]byte
		for _, rows := range spans {
			for ; len(rows) >= w.width; rows = rows[w.width:] {
				copy(b[:], rows[:w.width])
				if row := binary.LittleEndian.Uint64(b[:]); row >= uint64(len(counts)) {
					beyond = append(beyond, row)
				}
			}
		}
	}
	w.spans, w.bytes = 0, 0
	return beyond
}
