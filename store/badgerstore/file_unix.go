// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build unix && !solaris && !aix

package badgerstore

import (
	"errors"
	"fmt"
	"os"
	"syscall"

	"github.com/uproar-db/uproar/store"
)

// locks tells that lock keeps other processes away.
const locks = true

// lock takes the lock that Badger takes when it opens the folder, shared for reading only. Unlock
// must be called before Badger is to open it.
func lock(dir string, shared bool) (unlock func(), err error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	how := syscall.LOCK_EX
	if shared {
		how = syscall.LOCK_SH
	}
	if err := syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB); err != nil {
		f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, store.ErrLocked
		}
		return nil, fmt.Errorf("lock %s: %w", dir, err)
	}
	return func() { f.Close() }, nil
}

// allocated returns the bytes that a file takes on the disk: Badger makes its log files larger than
// their content.
func allocated(info os.FileInfo) int64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return int64(st.Blocks) * 512
	}
	return info.Size()
}

// syncFolder makes renames in a folder durable.
func syncFolder(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
