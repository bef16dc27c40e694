// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"maps"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/uproar-db/uproar"
)

// The bounds of what is kept of an attribute, and of a value.
const (
	mostKnown    = 1024
	longestKnown = 64
)

// known is the rows of values of one attribute that searches have named, so that they are not looked up again: a row never changes. It is a map that is read without a lock, and replaced as a whole; the zero value is
// empty. Safe for concurrent use.
type known struct {
	rows atomic.Pointer[map[string]uproar.RowID]

	mu     sync.Mutex
	fresh  map[string]uproar.RowID // not in rows yet
	missed int                     // look-ups since rows was replaced
}

// find returns the row of a value.
func (k *known) find(value string) (row uproar.RowID, ok bool) {
	if rows := k.rows.Load(); rows != nil {
		row, ok = (*rows)[value]
	}
	return row, ok
}

// note takes down the row of a value that find did not know. A map of n values is replaced after n/4 more look-ups at the soonest, so that copying costs each of them little.
func (k *known) note(value string, row uproar.RowID) {
	if len(value) > longestKnown || !k.mu.TryLock() {
		return
	}
	defer k.mu.Unlock()
	rows := map[string]uproar.RowID{}
	if old := k.rows.Load(); old != nil {
		rows = *old
	}
	if len(rows)+len(k.fresh) < mostKnown {
		if k.fresh == nil {
			k.fresh = make(map[string]uproar.RowID)
		}
		k.fresh[strings.Clone(value)] = row
	}
	if k.missed++; len(k.fresh) == 0 || k.missed < len(rows)/4 {
		return
	}
	next := make(map[string]uproar.RowID, len(rows)+len(k.fresh))
	maps.Copy(next, rows)
	maps.Copy(next, k.fresh)
	k.rows.Store(&next)
	k.fresh, k.missed = nil, 0
}
