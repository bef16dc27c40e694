// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build unix

package resp

import (
	"errors"
	"syscall"
)

// atEnd reports whether a socket, which does not block, has ended on the other side.
func atEnd(fd uintptr) bool {
	n, _, err := syscall.Recvfrom(int(fd), make([]byte, 1), syscall.MSG_PEEK)
	return n == 0 && err == nil || errors.Is(err, syscall.ECONNRESET)
}
