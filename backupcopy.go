// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"encoding/hex"
	"io"

	"github.com/uproar-db/uproar/internal/dump"
)

// CopyBackup copies a backup from r to w and verifies it on the way. It verifies every block up to
// the end, and that nothing follows. Use it for backups that come over a network. After an error,
// what w has got is not a backup. progress, if not nil, receives how many bytes of pages have come,
// and of how many. It holds one block in memory, about a megabyte.
//
// Errors: ErrNotBackup, ErrCorrupt (also for a backup that was cut short), ErrVersion, r's or w's.
func CopyBackup(w io.Writer, r io.Reader, progress func(done, total int64)) (*BackupInfo, error) {
	b, err := dump.Copy(w, r, progress)
	if err != nil {
		return nil, err
	}
	return infoOf(b.ID, b.Head), nil
}

// ReadBackup reads the head of a backup: what it has, and what Backup must know to go on from it.
// When r is an io.Seeker, ReadBackup also sees that the end is there, so that a backup which was
// cut short is found out; the bytes between are checked by Restore only. r is left anywhere.
//
// Errors: ErrNotBackup, ErrCorrupt, ErrVersion, or r's.
func ReadBackup(r io.Reader) (*BackupInfo, error) {
	b, err := dump.NewReader(r)
	if err != nil {
		return nil, err
	}
	info := infoOf(b.ID, b.Head)
	s, ok := r.(io.Seeker)
	if !ok {
		return info, nil
	}
	if err := b.SeekEnd(s); err != nil {
		return nil, err
	}
	return info, b.CheckEnd()
}

// WriteHead writes the head of the backup: all that another database needs to make the next
// increment. ReadBackup reads it, as it reads a whole backup, from a reader that is no io.Seeker.
// The head contains the secrets of the indexes. Errors: w's, or ErrInvalid when the info came from
// neither Backup nor ReadBackup.
func (b *BackupInfo) WriteHead(w io.Writer) error {
	if b.head == nil {
		return invalid("backup: got an info with ID %q that neither Backup nor ReadBackup returned", b.ID)
	}
	var id dump.ID
	if n, err := hex.Decode(id[:], []byte(b.ID[:min(len(b.ID), 2*len(id))])); err != nil || n < len(id) {
		return invalid("backup: got an ID %q, want %d hex digits", b.ID, 2*len(id))
	}
	_, err := dump.NewWriter(w, id, b.head)
	return err
}
