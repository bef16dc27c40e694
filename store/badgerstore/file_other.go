// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !unix || solaris || aix

package badgerstore

import "os"

// locks tells that lock keeps no other process away: what a process that has the store open would
// stumble over must not be done.
const locks = false

// lock takes no lock: where there is no flock, Badger has locks of other kinds, and systems such as
// Windows do not remove a file in use.
func lock(string, bool) (unlock func(), err error) { return func() {}, nil }

// allocated returns the size of a file, for want of anything better.
func allocated(info os.FileInfo) int64 { return info.Size() }

// syncFolder does nothing: not everywhere can folders be synced.
func syncFolder(string) error { return nil }
