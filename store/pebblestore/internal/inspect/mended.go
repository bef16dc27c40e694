// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package inspect

import (
	"cmp"
	"maps"
	"math/bits"
	"path/filepath"
	"slices"
	"sync"

	"github.com/uproar-db/uproar/store"
)

// mostMended is how many bits are kept.
const mostMended = 1000

// Mended is the bits that a salvage has put right. It is safe for concurrent use.
type Mended struct {
	mu   sync.Mutex
	bits map[store.Bit]bool
	more bool
}

// note keeps what differs between bytes of a file at an offset as they were and as they are now.
func (m *Mended) note(name string, offset int64, was, now []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i := range was {
		for differs := was[i] ^ now[i]; differs != 0; differs &= differs - 1 {
			bit := store.Bit{File: filepath.Base(name), Offset: offset + int64(i), Bit: bits.TrailingZeros8(differs)}
			switch {
			case m.bits[bit]: // it is read again
			case len(m.bits) == mostMended:
				m.more = true
			case m.bits == nil:
				m.bits = map[store.Bit]bool{bit: true}
			default:
				m.bits[bit] = true
			}
		}
	}
}

// Bits returns the bits in the order of files and offsets, and whether there are more.
func (m *Mended) Bits() (list []store.Bit, more bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.SortedFunc(maps.Keys(m.bits), func(a, b store.Bit) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Offset, b.Offset), cmp.Compare(a.Bit, b.Bit))
	}), m.more
}
