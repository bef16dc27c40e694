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

// mostVain bounds the bytes of a table in which bits are looked for in vain, which takes some
// seconds. Beyond it blocks are read as they are.
const mostVain = 256 << 20

// Mended is the bits that a salvage has put right, and what it cannot. It is safe for concurrent
// use.
type Mended struct {
	mu     sync.Mutex
	bits   map[store.Bit]bool
	more   bool
	broken map[part]bool
	vain   map[string]int64 // bytes of parts that are broken, by file
}

// part is bytes of a file that were read as one.
type part struct {
	name   string
	offset int64
	length int
}

// mayTry reports whether a part may be put right: it was not tried in vain, nor too much else.
func (m *Mended) mayTry(name string, offset int64, length int) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return !m.broken[part{name, offset, length}] && m.vain[name]+int64(length) <= mostVain
}

// failed notes a part that no bit makes whole.
func (m *Mended) failed(name string, offset int64, length int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.broken == nil {
		m.broken, m.vain = map[part]bool{}, map[string]int64{}
	}
	m.broken[part{name, offset, length}] = true
	m.vain[name] += int64(length)
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
