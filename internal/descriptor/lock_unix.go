// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build unix && !solaris && !aix

package descriptor

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// Locks tells that Lock keeps other users away.
const Locks = true

// Lock takes the lock of an open file, without waiting, for one user or shared by several. It is
// false when another user has it. The lock ends when the file is closed, or the process ends.
// Errors: the system's.
func Lock(f *os.File, shared bool) (bool, error) {
	how := syscall.LOCK_EX
	if shared {
		how = syscall.LOCK_SH
	}
	err := syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("lock %s: %w", f.Name(), err)
	}
	return true, nil
}
