// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package badgerstore

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/dgraph-io/badger/v4"

	"github.com/uproar-db/uproar/store"
)

// reserve is the room on the disk that no batch may use up. Badger writes through mapped files,
// where a full disk is not an error but a signal that ends the process; so the disk must not get
// full. The reserve is what its background work may take meanwhile. With larger settings it is more
// (reserveOf).
const reserve = 128 << 20

// reserveOf returns the reserve of an engine, in bytes. It has room for the tables of its largest
// merge, which are there beside the tables that they replace. It has room for the logs of all
// memtables too: opening after a kill needs as much again.
func reserveOf(o badger.Options) int64 {
	logs := int64(o.NumMemtables+1) * 2 * o.MemTableSize
	return max(reserve, mergedBytes(o)+logs+openReserve)
}

// checkRoom returns an error when n more bytes could fill the disk.
func (s *Store) checkRoom(n int64) error {
	want := reserveOf(s.db.Opts())
	if free := s.room(s.dir); free < n+want {
		return fmt.Errorf(
			"badgerstore: %w: %d MB free at %s, want %d MB for the batch and %d MB to work in. Try: make room on "+
				"that disk",
			store.ErrFull, free>>20, s.dir, n>>20, want>>20)
	}
	return nil
}

// openReserve is the room that opening for writing needs for the beginnings of some files. Tables
// of the logs that a killed process has left need room beside it.
const openReserve = 4 << 20

// checkRoomToOpen fails when there is too little room for what Badger writes at opening. The reason
// is that of checkRoom.
func checkRoomToOpen(dir string, room func(dir string) int64) error {
	want := int64(openReserve)
	logs, err := filesOf(dir, ".mem")
	if err != nil {
		return err
	}
	for _, name := range logs {
		if info, err := os.Stat(name); err == nil {
			want += info.Size()
		}
	}
	if free := room(dir); free < want {
		return fmt.Errorf("%w: %d MB free, want %d MB. Try: make room on that disk", store.ErrFull, free>>20, want>>20)
	}
	return nil
}

// Size implements store.Sizer: Values is the value log, Tree all else.
func (s *Store) Size() (store.Size, error) {
	pass, ok := s.gate.enter()
	if !ok {
		return store.Size{}, store.ErrClosed
	}
	defer s.gate.leave(pass)
	return folderSize(s.dir)
}

func folderSize(dir string) (store.Size, error) {
	var size store.Size
	entries, err := os.ReadDir(dir)
	if err != nil {
		return size, fmt.Errorf("badgerstore: size of %s: %w", dir, err)
	}
	for _, e := range entries {
		info, err := e.Info()
		switch {
		case errors.Is(err, fs.ErrNotExist): // deleted since
		case err != nil:
			return size, fmt.Errorf("badgerstore: size of %s: %w", dir, err)
		case filepath.Ext(e.Name()) == ".vlog":
			size.Values += allocated(info)
		default:
			size.Tree += allocated(info)
		}
	}
	return size, nil
}
