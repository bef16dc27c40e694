// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build (amd64 || arm64) && !purego

package column

// countInParts counts rows by assembly: as many spans in a call as it may take, and a span that is
// longer alone, in parts.
func countInParts(counts []uint32, spans [][]byte, width int) (beyond int) {
	for len(spans) > 0 {
		n := spansAtOnce(spans)
		if n > 0 {
			beyond += countPart(counts, spans[:n], width)
			spans = spans[n:]
			continue
		}
		for rows := spans[0]; len(rows) > 0; {
			part := rows[:min(len(rows), maxRowBytes)]
			beyond += countPart(counts, [][]byte{part}, width)
			rows = rows[len(part):]
		}
		spans = spans[1:]
	}
	return beyond
}

// spansAtOnce returns how many of the first spans are counted in one call: none if the first is too
// long. It looks at eight at a time, as short spans are counted in few cycles each.
func spansAtOnce(spans [][]byte) (n int) {
	room := maxRowBytes + spanBytes
	for ; len(spans)-n >= 8; n += 8 {
		s := (*[8][]byte)(spans[n:])
		size := len(s[0]) + len(s[1]) + len(s[2]) + len(s[3]) + len(s[4]) + len(s[5]) + len(s[6]) + len(s[7]) +
			8*spanBytes
		if size > room {
			break
		}
		room -= size
	}
	for ; n < len(spans); n++ {
		if room -= len(spans[n]) + spanBytes; room < 0 {
			break
		}
	}
	return n
}
