// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaringtest

import (
	"encoding/binary"
	"slices"
)

// Edited returns a copy of b, changed by f.
func Edited(b []byte, f func(b []byte)) []byte {
	b = slices.Clone(b)
	f(b)
	return b
}

// Set16 is a change of two bytes.
func Set16(at int, x uint16) func([]byte) {
	return func(b []byte) { binary.LittleEndian.PutUint16(b[at:], x) }
}

// Set64 is a change of eight bytes.
func Set64(at int, x uint64) func([]byte) {
	return func(b []byte) { binary.LittleEndian.PutUint64(b[at:], x) }
}
