// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import "sync"

// buffers are reused between replies.
type buffers struct{ pool sync.Pool }

// maxKept is the largest buffer that is reused, so that one huge reply does not
// stay in memory.
const maxKept = 256 << 10

func (b *buffers) take() *[]byte {
	if buf, ok := b.pool.Get().(*[]byte); ok {
		return buf
	}
	return new([]byte)
}

func (b *buffers) give(buf *[]byte) {
	if cap(*buf) <= maxKept {
		*buf = (*buf)[:0]
		b.pool.Put(buf)
	}
}
