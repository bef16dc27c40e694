// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build unix && !solaris && !aix

package bboltstore

import (
	"errors"
	"os"
	"syscall"
)

// closeLocked closes a file, and returns what gives up its lock. By itself the system would keep
// that until a call that hangs has ended, or not at all.
func closeLocked(f *os.File) (release func(), err error) {
	fd, err := syscall.Dup(int(f.Fd()))
	if err != nil {
		return func() {}, errors.Join(err, f.Close())
	}
	return func() { _, _ = syscall.Flock(fd, syscall.LOCK_UN), syscall.Close(fd) }, f.Close()
}

// keepOwner gives a file the owner, the group and the permissions of another.
func keepOwner(f *os.File, from os.FileInfo) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	want, ok := from.Sys().(*syscall.Stat_t)
	got, too := info.Sys().(*syscall.Stat_t)
	if ok && too && (got.Uid != want.Uid || got.Gid != want.Gid) {
		if err := f.Chown(int(want.Uid), int(want.Gid)); err != nil {
			return err
		}
	}
	return f.Chmod(from.Mode().Perm())
}

// allocated returns the bytes that a file takes on the disk: bbolt makes its file larger than its
// content.
func allocated(info os.FileInfo) int64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return int64(st.Blocks) * 512
	}
	return info.Size()
}
