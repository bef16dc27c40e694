// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/uproar-db/uproar/internal/posting"
)

// backupHead is the first block of a backup (docs/format/backup.md).
type backupHead struct {
	Version int         `json:"version"`
	Time    time.Time   `json:"time"`
	Origin  string      `json:"origin,omitempty"` // of the database
	Base    string      `json:"base,omitempty"`
	Catalog *catalog    `json:"catalog"`
	Indexes []headIndex `json:"indexes"` // as in the catalog
}

// headIndex says what there is of an index.
type headIndex struct {
	ID    uint32    `json:"id"`
	Since *headMark `json:"since,omitempty"` // as far as the base has it; none: all of it is here
	To    headMark  `json:"to"`
	Pages uint64    `json:"pages"`
	Bytes uint64    `json:"bytes"` // of the pages
}

// headMark is a posting.Mark.
type headMark struct {
	Sequence   uint64 `json:"sequence"`
	Flushed    uint64 `json:"flushed"`
	Generation uint64 `json:"generation"`
	Tail       uint32 `json:"tail"`
}

func newHeadMark(m posting.Mark) headMark { return headMark(m) }

// mark returns the mark; that of nothing if there is none.
func (h *headMark) mark() posting.Mark {
	if h == nil {
		return posting.Mark{}
	}
	return posting.Mark(*h)
}

// decodeHead reads and checks a head.
func decodeHead(body []byte) (*backupHead, error) {
	h := new(backupHead)
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	if err := d.Decode(h); err != nil {
		return nil, fmt.Errorf("%w: backup: head: %w", ErrCorrupt, err)
	}
	switch {
	case h.Version != backupVersion:
		return nil, fmt.Errorf("%w: backup: head: got %d, want %d", ErrVersion, h.Version, backupVersion)
	case h.Catalog == nil || d.More() || len(h.Indexes) != len(h.Catalog.Indexes):
		return nil,
			fmt.Errorf(
				"%w: backup: head: got no catalog, more than one object, or another number of indexes than in its "+
					"catalog", ErrCorrupt)
	case h.Catalog.Version != catalogVersion:
		return nil, fmt.Errorf("%w: backup: catalog: got %d, want %d", ErrVersion, h.Catalog.Version, catalogVersion)
	}
	for i := range h.Indexes {
		if got, want := h.Indexes[i].ID, h.Catalog.Indexes[i].ID; got != want {
			return nil, fmt.Errorf("%w: backup: head: got index %d, want %d as in its catalog", ErrCorrupt, got, want)
		}
	}
	return h, h.Catalog.check()
}

// ReadBackup reads the head of a backup: what it has, and what Backup must know to go on from it.
// When r is an io.Seeker, ReadBackup also sees that the end is there, so that a backup which was
// cut short is found out; the bytes between are checked by Restore only. r is left anywhere.
//
// Errors: ErrNotBackup, ErrCorrupt, ErrVersion, or r's.
func ReadBackup(r io.Reader) (*BackupInfo, error) {
	b, err := newBackupReader(r)
	if err != nil {
		return nil, err
	}
	info := b.head.info(b.id)
	s, ok := r.(io.Seeker)
	if !ok {
		return info, nil
	}
	if _, err := s.Seek(-backupEndLen, io.SeekEnd); err != nil {
		return nil, errors.Join(b.cut(), err)
	}
	return info, b.checkEnd()
}
