// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pack

import (
	"strings"
	"unsafe"
)

// Fresh returns n bytes, at least one, that whoever asks for them is going to write, every one of
// them: they have not been cleared, which would cost as much as writing them.
//
// Of what the standard library exports, only a strings.Builder allocates such memory and lets it be
// filled in part. It is not used again, nor is its string.
func Fresh(n int) []byte {
	var b strings.Builder
	b.Grow(n)
	b.WriteByte(0)
	return unsafe.Slice(unsafe.StringData(b.String()), n)
}
