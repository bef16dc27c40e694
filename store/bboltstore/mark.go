// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bboltstore

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"hash/fnv"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/uproar-db/uproar/store"
)

const (
	metaMagic   = 0xED0CDAED
	metaVersion = 2
	metaSize    = 64 // the last 8 bytes are the checksum of the others

	// markSuffix is what the name of the mark's file has after that of the store's.
	markSuffix = ".mark"
	markSize   = 12
)

// meta is what is needed of a root. Its number is that of its commit. Commits write their root to
// page 0 and page 1 by turns, so that a root that is half written leaves the one before it.
type meta struct {
	pageSize, root, freelist, pages, txid uint64
	slot                                  uint64 // the page that it stands in
	content                               [metaSize]byte
}

// readMetas returns the roots that are whole, the latest first. The second one stands at the size
// of a page, which the first one may be too damaged to tell.
func readMetas(f *os.File) (whole []meta, err error) {
	for offset := uint64(0); offset <= 1<<16; offset = max(2*offset, 1<<10) {
		var b [pageHeader + metaSize]byte
		if _, err := f.ReadAt(b[:], int64(offset)); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		m := meta{content: [metaSize]byte(b[pageHeader:]), slot: min(offset, 1)}
		c := m.content[:]
		if order.Uint32(c) != metaMagic || order.Uint32(c[4:]) != metaVersion || order.Uint64(c[metaSize-8:]) != sum64(c) {
			continue
		}
		m.pageSize, m.root, m.freelist = uint64(order.Uint32(c[8:])), order.Uint64(c[16:]), order.Uint64(c[32:])
		m.pages, m.txid = order.Uint64(c[40:]), order.Uint64(c[48:])
		if offset != 0 && offset != m.pageSize || len(whole) > 0 && whole[0].pageSize != m.pageSize {
			continue
		}
		if m.pageSize < 1<<10 || m.pageSize > 1<<16 || m.pageSize&(m.pageSize-1) != 0 || m.pages < 4 {
			return nil, corrupt("a root with pages of %d bytes, %d of them", m.pageSize, m.pages)
		}
		whole = append(whole, m)
	}
	if len(whole) == 0 {
		return nil, corrupt("no root of bbolt in the file: it is another program's, or damaged")
	}
	slices.SortFunc(whole, func(a, b meta) int { return cmp.Compare(b.txid, a.txid) })
	return whole, nil
}

func sum64(content []byte) uint64 {
	sum := fnv.New64a()
	sum.Write(content[:metaSize-8])
	return sum.Sum64()
}

// writeTo writes the root with a number into one of the two pages, and syncs.
func (m *meta) writeTo(f *os.File, slot, txid uint64) error {
	b := make([]byte, m.pageSize)
	order.PutUint64(b, slot)
	order.PutUint16(b[8:], metaKind)
	c := b[pageHeader : pageHeader+metaSize]
	copy(c, m.content[:])
	order.PutUint64(c[48:], txid)
	order.PutUint64(c[metaSize-8:], sum64(c))
	if _, err := f.WriteAt(b, int64(slot*m.pageSize)); err != nil {
		return err
	}
	return f.Sync()
}

// alike reports whether either root is enough.
func alike(f *os.File) (bool, error) {
	whole, err := readMetas(f)
	return len(whole) == 2 && whole[0].txid == whole[1].txid, err
}

// twice writes the latest root into both pages, first over the one that is older or not whole, with
// a number that is not less than its own. Then either page is enough.
func twice(f *os.File, txid uint64) error {
	whole, err := readMetas(f)
	if err != nil {
		return err
	}
	m := whole[0]
	txid = max(txid, m.txid)
	if err := m.writeTo(f, 1-m.slot, txid); err != nil || txid == m.txid {
		return err
	}
	return m.writeTo(f, m.slot, txid)
}

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
func (s *Store) settle(f *os.File, whole []meta) error {
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
