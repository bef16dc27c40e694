// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pack

import (
	"strings"
	"unsafe"
)

// Fresh returns n bytes, at least one, that are not cleared: the caller must write all of them.
// Clearing would cost as much as writing.
//
// In the standard library, only a strings.Builder allocates such memory and lets it be filled in
// part. The builder is not used again, nor is its string.
func Fresh(n int) []byte {
	var b strings.Builder
	b.Grow(n)
	b.WriteByte(0)
	return unsafe.Slice(unsafe.StringData(b.String()), n)
}
