// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bboltstore

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"

	"github.com/uproar-db/uproar/store"
)

// The layout of bbolt's file, version 2, in the byte order of the machine. A page begins with its
// number (8 bytes), its kind (2), the count of its elements (2) and the number of pages that follow
// and belong to it (4). Pages 0 and 1 are the roots of the last two commits.
const (
	pageHeader  = 16
	metaMagic   = 0xED0CDAED
	metaVersion = 2
	metaSize    = 64 // the last 8 bytes are the checksum of the others

	branchKind   = 0x01
	leafKind     = 0x02
	freelistKind = 0x10

	elementSize = 16
	noFreelist  = ^uint64(0)
	maxDepth    = 64
)

var order = binary.NativeEndian

// meta is what is needed of a root.
type meta struct{ pageSize, root, freelist, pages, txid uint64 }

// inspection reads a file before it is mapped.
type inspection struct {
	f    *os.File
	size uint64
	meta
	seen map[uint64]bool
}

func corrupt(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{store.ErrCorrupt}, args...)...)
}

// inspect checks what bbolt trusts: the roots, that no page is missing at the end, the list of free
// pages, and that the branches of the tree lead down and not in circles. An empty file is a new
// one, and so is one that was never more than zeros: its making was cut off; it is emptied.
func inspect(f *os.File, readOnly bool) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	in := &inspection{f: f, size: uint64(info.Size()), seen: map[uint64]bool{}}
	if in.size == 0 && !readOnly {
		return nil
	}
	if in.size > 0 && in.size <= 1<<18 && !readOnly {
		content, err := io.ReadAll(io.NewSectionReader(f, 0, 1<<18))
		if err != nil {
			return err
		}
		if allZero(content) {
			return f.Truncate(0)
		}
	}
	if err := in.readMeta(); err != nil {
		return err
	}
	if in.pages > in.size/in.pageSize {
		return corrupt("the file is cut short: got %d bytes, want %d pages of %d", in.size, in.pages, in.pageSize)
	}
	if err := in.checkFree(); err != nil {
		return err
	}
	return in.checkTree(in.root, 0, true)
}

func allZero(b []byte) bool {
	for _, c := range b {
		if c != 0 {
			return false
		}
	}
	return true
}

// readMeta finds the latest root that is whole. The second one stands at the size of a page, which
// the first one may be too damaged to tell.
func (in *inspection) readMeta() error {
	found := false
	for offset := int64(0); offset <= 1<<16; offset = max(2*offset, 1<<10) {
		var b [pageHeader + metaSize]byte
		if _, err := in.f.ReadAt(b[:], offset); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return err
		}
		m := b[pageHeader:]
		sum := fnv.New64a()
		sum.Write(m[:metaSize-8])
		if order.Uint32(m) != metaMagic || order.Uint32(m[4:]) != metaVersion ||
			order.Uint64(m[metaSize-8:]) != sum.Sum64() {
			continue
		}
		got := meta{uint64(order.Uint32(m[8:])), order.Uint64(m[16:]), order.Uint64(m[32:]), order.Uint64(m[40:]),
			order.Uint64(m[48:])}
		if offset != 0 && uint64(offset) != got.pageSize || found && got.txid < in.txid {
			continue
		}
		if got.pageSize < 1<<10 || got.pageSize > 1<<16 || got.pageSize&(got.pageSize-1) != 0 || got.pages < 4 {
			return corrupt("a root with pages of %d bytes, %d of them", got.pageSize, got.pages)
		}
		in.meta, found = got, true
	}
	if !found {
		return corrupt("no root of bbolt in the file: it is another program's, or damaged")
	}
	return nil
}

// page reads a page with the overflow pages that belong to it.
func (in *inspection) page(id uint64, whole bool) ([]byte, error) {
	if id < 2 || id >= in.pages {
		return nil, corrupt("page %d, of %d", id, in.pages)
	}
	b := make([]byte, in.pageSize)
	if _, err := in.f.ReadAt(b, int64(id*in.pageSize)); err != nil {
		return nil, fmt.Errorf("page %d: %w", id, err)
	}
	more := uint64(order.Uint32(b[12:]))
	if got := order.Uint64(b); got != id || more >= in.pages-id {
		return nil, corrupt("page %d: it says that it is page %d, and %d more of %d", id, got, more, in.pages)
	}
	if whole && more > 0 {
		b = make([]byte, in.pageSize*(more+1))
		if _, err := in.f.ReadAt(b, int64(id*in.pageSize)); err != nil {
			return nil, fmt.Errorf("page %d: %w", id, err)
		}
	}
	return b, nil
}

// checkFree checks the list of free pages: bbolt would write over any page that stands there.
func (in *inspection) checkFree() error {
	if in.freelist == noFreelist {
		return nil
	}
	b, err := in.page(in.freelist, true)
	if err != nil {
		return err
	}
	count, ids := uint64(order.Uint16(b[10:])), b[pageHeader:]
	if count == 0xFFFF {
		count, ids = order.Uint64(ids), ids[8:]
	}
	if order.Uint16(b[8:]) != freelistKind || count > uint64(len(ids))/8 {
		return corrupt("page %d is no list of %d free pages", in.freelist, count)
	}
	last := uint64(1)
	for i := range count {
		id := order.Uint64(ids[8*i:])
		if id <= last || id >= in.pages {
			return corrupt("free page %d after %d, of %d", id, last, in.pages)
		}
		last = id
	}
	return nil
}

// checkTree checks the branches below a page. The leaf of the topmost tree holds the root of the
// tree of entries.
func (in *inspection) checkTree(id uint64, depth int, top bool) error {
	b, err := in.page(id, false)
	if err != nil {
		return err
	}
	kind, count := order.Uint16(b[8:]), uint64(order.Uint16(b[10:]))
	switch {
	case kind == leafKind && !top:
		return nil
	case kind != leafKind && kind != branchKind:
		return corrupt("page %d is of kind %d, want a branch or leaf", id, kind)
	case in.seen[id] || depth > maxDepth:
		return corrupt("page %d is in two places of the tree", id)
	}
	in.seen[id] = true
	if b, err = in.page(id, true); err != nil {
		return err
	}
	if elementSize*count > uint64(len(b)-pageHeader) {
		return corrupt("page %d has no room for %d elements", id, count)
	}
	for i := range count {
		at := pageHeader + elementSize*i
		e := b[at:]
		if kind == branchKind {
			if uint64(order.Uint32(e))+uint64(order.Uint32(e[4:])) > uint64(len(e)) {
				return corrupt("page %d: element %d lies beyond its end", id, i)
			}
			if err := in.checkTree(order.Uint64(e[8:]), depth+1, top); err != nil {
				return err
			}
			continue
		}
		key, value := uint64(order.Uint32(e[4:]))+uint64(order.Uint32(e[8:])), uint64(order.Uint32(e[12:]))
		if key+value > uint64(len(e)) || value < pageHeader {
			return corrupt("page %d: element %d lies beyond its end", id, i)
		}
		if root := order.Uint64(e[key:]); root != 0 { // else the tree is small and stands here
			if err := in.checkTree(root, depth+1, false); err != nil {
				return err
			}
		}
	}
	return nil
}
