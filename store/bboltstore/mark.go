// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bboltstore

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"

	"github.com/uproar-db/uproar/store"
)

const (
	// markSuffix is what the name of the mark's file has after that of the store's.
	markSuffix = ".mark"
	markSize   = 12
)

// openMark opens the mark, which has the number of the last commit that was acknowledged. It is
// written when a commit is on the disk, and itself not synced: so it may be old after a power cut,
// but never ahead.
func (s *Store) openMark() (err error) {
	how := os.O_RDWR | os.O_CREATE
	if s.readOnly {
		how = os.O_RDONLY
	}
	if s.mark, err = os.OpenFile(s.path+markSuffix, how, 0o600); s.readOnly && errors.Is(err, fs.ErrNotExist) {
		s.mark, err = nil, nil
	}
	return err
}

func (s *Store) closeMark() error {
	if s.mark == nil {
		return nil
	}
	return s.mark.Close()
}

// acknowledged returns the number in the mark, 0 when it has none.
func (s *Store) acknowledged() (txid uint64, err error) {
	if s.mark == nil {
		return 0, nil
	}
	var b [markSize]byte
	if n, err := s.mark.ReadAt(b[:], 0); n == 0 && errors.Is(err, io.EOF) || n > 0 && allZero(b[:]) {
		return 0, nil
	} else if err != nil && !errors.Is(err, io.EOF) {
		return 0, err
	}
	if crc32.Checksum(b[:8], castagnoli) != binary.LittleEndian.Uint32(b[8:]) {
		return 0, corrupt("%s is damaged", s.mark.Name())
	}
	return binary.LittleEndian.Uint64(b[:]), nil
}

// acknowledge writes the number of a commit into the mark.
func (s *Store) acknowledge(txid uint64) error {
	b := binary.LittleEndian.AppendUint64(make([]byte, 0, markSize), txid)
	_, err := s.mark.WriteAt(binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli)), 0)
	return err
}

// settle compares the roots of a file that nobody uses yet with the mark. A root that is not whole
// is what a commit leaves that a kill or power cut has ended, or a damaged one. Only in the first
// case has the other root all that was acknowledged. Then both are written anew, with a number that
// no commit can have had.
//
// A salvage goes on with the latest root that is whole, whatever damage else was found.
func (s *Store) settle(f *os.File, whole []meta, damage error) error {
	if damage == nil {
		damage = s.compareMark(f, whole)
	}
	if s.salvage && len(whole) > 0 && errors.Is(damage, store.ErrCorrupt) {
		s.lost, damage = damage, nil
	}
	return damage
}

// Lost tells what is wrong with a store that was opened with Options.Salvage, that Open would have
// refused it for: commits that were acknowledged may be missing. nil: nothing was noticed.
func (s *Store) Lost() error { return s.lost }

// compareMark is settle of a file that is else whole.
func (s *Store) compareMark(f *os.File, whole []meta) error {
	known, err := s.acknowledged()
	if err != nil && (!errors.Is(err, store.ErrCorrupt) || len(whole) != 2) {
		return fmt.Errorf("%w. Try: restore a backup; or remove that file, to open the latest state that is whole", err)
	}
	latest := uint64(0)
	if len(whole) > 0 {
		latest = whole[0].txid
	}
	if latest < known {
		return corrupt("acknowledged commits are missing: commit %d was acknowledged, the latest root that is whole is "+
			"that of commit %d. Try: restore a backup; or remove %s, to open that older state", known, latest,
			s.mark.Name())
	}
	if len(whole) != 1 || s.readOnly {
		return nil
	}
	return twice(f, latest+2)
}
