// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bboltstore

import (
	"cmp"
	"errors"
	"hash/fnv"
	"io"
	"os"
	"slices"
)

const (
	metaMagic   = 0xED0CDAED
	metaVersion = 2
	metaSize    = 64 // the last 8 bytes are the checksum of the others
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
		if order.Uint32(c) != metaMagic || order.Uint32(c[4:]) != metaVersion ||
			order.Uint64(c[metaSize-8:]) != sum64(c) {
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
