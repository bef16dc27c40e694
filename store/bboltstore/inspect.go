// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bboltstore

import (
	"fmt"
	"io"
	"os"
	"slices"
)

// noFreelist stands in a root whose list of free pages is not kept in the file.
const noFreelist = ^uint64(0)

// inspection reads a file before it is mapped.
type inspection struct {
	f    *os.File
	meta          // the latest root that is whole
	free []uint64 // pages, ascending
	used []uint64 // pages that something leads to, without those that follow and belong to them
	seen map[uint64]bool
}

// inspect checks what bbolt trusts: the roots, that no page is missing at the end, the list of free
// pages, that the branches of the tree lead down and not in circles, and that none leads to a free
// page: an old state of an entry may stand there. An empty file is a new one, and so is one that
// was never more than zeros: its making was cut off; it is emptied. It returns the roots, none for
// a new file, also with an error about what they lead to.
func inspect(f *os.File, readOnly bool) ([]meta, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	size := uint64(info.Size())
	if size == 0 && !readOnly {
		return nil, nil
	}
	if size > 0 && size <= 1<<18 && !readOnly {
		content, err := io.ReadAll(io.NewSectionReader(f, 0, 1<<18))
		if err != nil {
			return nil, err
		}
		if allZero(content) {
			return nil, f.Truncate(0)
		}
	}
	roots, err := readMetas(f)
	if err != nil {
		return nil, err
	}
	in := &inspection{f: f, meta: roots[0], seen: map[uint64]bool{}}
	if in.pages > size/in.pageSize {
		return roots, corrupt("the file is cut short: got %d bytes, want %d pages of %d", size, in.pages, in.pageSize)
	}
	if err := in.readFree(); err != nil {
		return roots, err
	}
	if err := in.checkTree(in.root, 0, bucketFlag); err != nil {
		return roots, err
	}
	return roots, in.checkUse()
}

func allZero(b []byte) bool {
	return !slices.ContainsFunc(b, func(c byte) bool { return c != 0 })
}

// read reads a page with the overflow pages that belong to it, or its beginning.
func (in *inspection) read(id uint64, whole bool) ([]byte, error) {
	if id < 2 || id >= in.pages {
		return nil, corrupt("page %d, of %d", id, in.pages)
	}
	b := make([]byte, pageHeader)
	if _, err := in.f.ReadAt(b, int64(id*in.pageSize)); err != nil {
		return nil, fmt.Errorf("page %d: %w", id, err)
	}
	more := uint64(order.Uint32(b[12:]))
	if got := order.Uint64(b); got != id || more >= in.pages-id {
		return nil, corrupt("page %d: it says that it is page %d, and %d more of %d", id, got, more, in.pages)
	}
	if whole {
		b = make([]byte, in.pageSize*(more+1))
		if _, err := in.f.ReadAt(b, int64(id*in.pageSize)); err != nil {
			return nil, fmt.Errorf("page %d: %w", id, err)
		}
	}
	return b, nil
}

// readFree reads the list of free pages: bbolt would write over any page that stands there.
func (in *inspection) readFree() error {
	if in.freelist == noFreelist {
		return nil
	}
	b, err := in.read(in.freelist, true)
	if err != nil {
		return err
	}
	in.used = append(in.used, in.freelist)
	count, ids := uint64(order.Uint16(b[10:])), b[pageHeader:]
	if count == 0xFFFF {
		count, ids = order.Uint64(ids), ids[8:]
	}
	if order.Uint16(b[8:]) != freelistKind || count > uint64(len(ids))/8 {
		return corrupt("page %d is no list of %d free pages", in.freelist, count)
	}
	in.free = make([]uint64, count)
	last := uint64(1)
	for i := range in.free {
		id := order.Uint64(ids[8*i:])
		if id <= last || id >= in.pages {
			return corrupt("free page %d after %d, of %d", id, last, in.pages)
		}
		in.free[i], last = id, id
	}
	return nil
}

// checkTree checks the branches below a page. The topmost tree is one leaf, which holds the root of
// the tree of entries.
func (in *inspection) checkTree(id uint64, depth int, flag uint32) error {
	b, err := in.read(id, false)
	if err != nil {
		return err
	}
	if in.seen[id] || depth > maxDepth {
		return corrupt("page %d is in two places of the tree", id)
	}
	in.seen[id] = true
	in.used = append(in.used, id)
	kind := order.Uint16(b[8:])
	if kind == leafKind && flag == 0 {
		return nil
	}
	if b, err = in.read(id, true); err != nil {
		return err
	}
	p, err := pageAt(b, id)
	if err == nil {
		err = p.check(int(in.pageSize), flag)
	}
	if err != nil {
		return err
	}
	for i := range p.count {
		next := uint64(0)
		switch {
		case !p.leaf:
			next = p.child(i)
		case len(p.value(i)) >= pageHeader:
			next, flag = order.Uint64(p.value(i)), 0
		}
		if err := in.checkTree(next, depth+1, flag); err != nil {
			return err
		}
	}
	return nil
}

// checkUse checks that each page is either used or free. A page that is neither belongs to the one
// that is used before it. Where free pages follow, that one must say so; others are not read.
func (in *inspection) checkUse() error {
	slices.Sort(in.used)
	for i, id := range in.free {
		if i > 0 && in.free[i-1] == id-1 {
			continue
		}
		at, found := slices.BinarySearch(in.used, id)
		if found {
			return corrupt("page %d is used and free", id)
		}
		if at == 0 || in.used[at-1] == id-1 || i > 0 && in.free[i-1] > in.used[at-1] {
			continue
		}
		before := in.used[at-1]
		b, err := in.read(before, false)
		if err != nil {
			return err
		}
		if more := uint64(order.Uint32(b[12:])); before+more >= id {
			return corrupt("page %d is free, and belongs to page %d", id, before)
		}
	}
	return nil
}
