// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package disk

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/uproar-db/uproar/store"
)

// The footer of a table has no checksum: the kind of checksums, where two blocks lie, the version
// of the table, which is that of all tables of the store, and their name. The engine would read a
// table of another version as it is not, and find nothing.
const (
	FooterBytes = 53
	FooterKind  = 1
	FooterEnd   = "\x05\x00\x00\x00\xf0\x9f\xaa\xb3\xf0\x9f\xaa\xb3"
)

// CheckFooter fails for a table that does not end as all do. Errors: store.ErrCorrupt, or those of
// reading.
func CheckFooter(table vfs.File) error {
	info, err := table.Stat()
	if err != nil {
		return err
	}
	var footer [FooterBytes]byte
	if size := info.Size(); size >= FooterBytes {
		if _, err := table.ReadAt(footer[:], size-FooterBytes); err != nil && !errors.Is(err, io.EOF) {
			return err
		}
	}
	ok := footer[0] == FooterKind && string(footer[FooterBytes-len(FooterEnd):]) == FooterEnd
	handles := footer[1:]
	for i := 0; i < 2 && ok; i++ {
		_, _, handles, ok = Handle(handles, info.Size())
	}
	if !ok {
		return fmt.Errorf("%w: the table does not end as tables do", store.ErrCorrupt)
	}
	return nil
}

// Handle returns where a block lies in a table of a size, and what follows that in b. The engine's
// own function panics at numbers beyond 64 bits.
func Handle(b []byte, size int64) (offset, length int64, rest []byte, ok bool) {
	from, b, ok := shortest(b)
	if !ok || from > uint64(size) {
		return 0, 0, nil, false
	}
	long, b, ok := shortest(b)
	if !ok || long > uint64(size)-from {
		return 0, 0, nil, false
	}
	return int64(from), int64(long), b, true
}

// shortest reads a number that takes no byte too many.
func shortest(b []byte) (x uint64, rest []byte, ok bool) {
	x, n := binary.Uvarint(b)
	if n <= 0 || n > 1 && b[n-1] == 0 {
		return 0, nil, false
	}
	return x, b[n:], true
}
