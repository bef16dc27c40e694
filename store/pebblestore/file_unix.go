// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build unix && !solaris && !aix

package pebblestore

import (
	"errors"
	"fmt"
	"os"
	"syscall"

	"github.com/uproar-db/uproar/store"
)

// locks tells that lock keeps other processes away, and the engine need not.
const locks = true

// lock takes the lock of an open file. It ends when the file is closed, or the process ends.
func lock(f *os.File, shared bool) error {
	how := syscall.LOCK_EX
	if shared {
		how = syscall.LOCK_SH
	}
	err := syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return store.ErrLocked
	}
	if err != nil {
		return fmt.Errorf("lock %s: %w", f.Name(), err)
	}
	return nil
}
