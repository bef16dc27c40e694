// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package reader

import (
	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/prefetch"
)

// mostVisits is how many pages are visited together: as many slots as a processor asks memory for
// at a time, where few records of each are counted.
const mostVisits = 16

// rowVisit is records of a page with any number of rows for each.
type rowVisit struct {
	page   *format.Page
	ref    *format.Ref
	lows   []uint16
	offset int // as of a tally
}

// rowVisits gathers the visits of one block. It prefetches the slots of all their records before it
// reads the first.
type rowVisits struct {
	room [mostVisits]rowVisit
	n    int
}

// askForSlots asks for the head of each page and the slots of the first records of each.
func askForSlots(visits []rowVisit) {
	var room [64][]byte
	list := room[:0]
	for i := range visits {
		v := &visits[i]
		data, width := v.page.Data, int(v.page.Width)
		if len(list)+9 > len(room) {
			prefetch.Ends(list)
			list = room[:0]
		}
		list = append(list, data[:format.ColumnHeaderLen])
		for _, low := range v.lows[:min(len(v.lows), 8)] {
			at := format.ColumnHeaderLen + (v.offset+int(low))*width
			list = append(list, data[at-width:at+width])
		}
	}
	prefetch.Ends(list)
}
