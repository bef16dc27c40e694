// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !unix || solaris || aix

package badgerstore

import "os"

// lock takes no lock: where there is no flock, Badger has locks of other kinds, and systems such as Windows do not remove a file in use.
func lock(string, bool) (unlock func(), err error) { return func() {}, nil }

// allocated returns the size of a file, for want of anything better.
func allocated(info os.FileInfo) int64 { return info.Size() }
