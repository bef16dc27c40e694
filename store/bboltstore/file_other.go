// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !unix || solaris || aix

package bboltstore

import "os"

// closeLocked closes a file, whose lock the system then gives up.
func closeLocked(f *os.File) (release func(), err error) { return func() {}, f.Close() }

// keepOwner gives a file the permissions of another.
func keepOwner(f *os.File, from os.FileInfo) error { return f.Chmod(from.Mode().Perm()) }

// allocated returns the size of a file, for want of anything better.
func allocated(info os.FileInfo) int64 { return info.Size() }
