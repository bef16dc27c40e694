// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package disk

import (
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
	if footer[0] != FooterKind || string(footer[FooterBytes-len(FooterEnd):]) != FooterEnd {
		return fmt.Errorf("%w: the table does not end as tables do", store.ErrCorrupt)
	}
	return nil
}
