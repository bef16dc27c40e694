// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bboltstore

import (
	"bytes"
	"sync/atomic"
	"unsafe"

	"go.etcd.io/bbolt"
)

// tree is the tree of entries as a transaction sees it. It is read past bbolt, which trusts its
// pages: a changed byte would make entries vanish without an error.
type tree struct {
	data     []byte // the mapping, as far as the transaction has pages
	pageSize int
	known    *known
	root     uint64 // 0: nothing was ever stored
	sum      uint64 // of the weights of all entries
}

// treeOf returns the tree of a transaction, as it was when that began.
func (e *engine) treeOf(tx *bbolt.Tx) (*tree, error) {
	info := tx.DB().Info()
	t := &tree{pageSize: info.PageSize, known: &e.known}
	t.data = unsafe.Slice(*(**byte)(unsafe.Pointer(&info.Data)), tx.Size())
	top, err := t.page(uint64(tx.Cursor().Bucket().Root()), bucketFlag)
	switch {
	case err != nil:
		return nil, err
	case top.count == 0 && tx.ID() <= 2: // before the commit that makes the bucket, or in it
		return t, nil
	case !top.leaf || top.count != 1 || string(top.key(0)) != string(entries) || len(top.value(0)) != 16:
		return nil, corrupt("page %d does not lead to the entries: this is not a store of this version, or damaged",
			top.id)
	}
	t.root, t.sum = order.Uint64(top.value(0)), order.Uint64(top.value(0)[8:])
	return t, nil
}

// page returns a page. Flag is what elements of a leaf must have.
func (t *tree) page(id uint64, flag uint32) (page, error) {
	if id < 2 || id >= uint64(len(t.data)/t.pageSize) {
		return page{}, corrupt("page %d, of %d", id, len(t.data)/t.pageSize)
	}
	p, err := pageAt(t.data[int(id)*t.pageSize:], id)
	if err != nil || t.known.has(2*id) {
		return p, err
	}
	if err = p.check(t.pageSize, flag); err == nil {
		t.known.add(2*id, 2*uint64(len(t.data)/t.pageSize))
	}
	return p, err
}

// value returns the value of a key that was checked. A large one is checked once: what stands there
// later was written since, by this process. No other large one ends in the same page.
func (t *tree) value(key, stored []byte) ([]byte, error) {
	last, first := uintptr(unsafe.Pointer(&stored[len(stored)-1])), uintptr(unsafe.Pointer(&t.data[0]))
	end := uint64(last-first) / uint64(t.pageSize)
	large := len(stored) >= t.pageSize
	if large && t.known.has(2*end+1) {
		return stored[sealSize:], nil
	}
	value, err := unseal(key, stored)
	if err == nil && large {
		t.known.add(2*end+1, 2*uint64(len(t.data)/t.pageSize))
	}
	return value, err
}

// known is what was checked since the file was opened: a bit for each page, and for each value.
type known struct {
	bits atomic.Pointer[[]atomic.Uint64]
}

func (k *known) has(i uint64) bool {
	bits := k.bits.Load()
	return bits != nil && i/64 < uint64(len(*bits)) && (*bits)[i/64].Load()>>(i%64)&1 != 0
}

// add adds a bit, of so many. When the file has grown it begins anew.
func (k *known) add(i, of uint64) {
	bits := k.bits.Load()
	if bits == nil || i/64 >= uint64(len(*bits)) {
		more := make([]atomic.Uint64, of/32+1)
		bits = &more
		k.bits.Store(bits)
	}
	(*bits)[i/64].Or(1 << (i % 64))
}

// cursor stands at an entry.
type cursor struct {
	t    *tree
	path []step
	room [8]step // for most paths
}

// step is a page on the way from the root, with the element that the way goes through.
type step struct {
	page
	i int
}

// enter returns a page that a branch points to. The key there is the first one of the page.
func (c *cursor) enter(from *page, i int) (page, error) {
	p, err := c.t.page(from.child(i), 0)
	if err == nil && (p.count == 0 || !bytes.Equal(p.key(0), from.key(i))) {
		err = corrupt("page %d does not begin with the key that leads to it from page %d, %.64q", p.id, from.id,
			from.key(i))
	}
	return p, err
}

// seek moves to the first entry whose stored key is not less than a key.
//
// When one key in a page has changed, a search that is misled by it ends beside it. So a branch's
// key must be the first of the page that it leads to, here and in next, and the keys on both sides
// of the result must have their seals.
func (c *cursor) seek(key []byte) error {
	c.path = c.room[:0]
	p, err := c.t.page(c.t.root, 0)
	for err == nil && !p.leaf {
		i := p.find(key)
		if i == p.count || i > 0 && !bytes.Equal(p.key(i), key) {
			i--
		}
		if err = c.push(p, i); err == nil {
			p, err = c.enter(&p, i)
		}
	}
	if err != nil {
		return err
	}
	i := p.find(key)
	switch {
	case i == 0 && (p.count == 0 || !bytes.Equal(p.key(0), key)):
		return corrupt("page %d begins behind the key that leads to it, %.64q", p.id, key)
	case i > 0:
		if err := checkKey(p.key(i-1), p.value(i-1)); err != nil {
			return err
		}
	}
	if err := c.push(p, i-1); err != nil {
		return err
	}
	return c.next()
}

func (c *cursor) push(p page, i int) error {
	if len(c.path) == maxDepth {
		return corrupt("page %d is %d steps below the root", p.id, maxDepth)
	}
	c.path = append(c.path, step{p, i})
	return nil
}

// next moves to the next entry. Behind the last one of the store it fails.
func (c *cursor) next() error {
	at := len(c.path) - 1
	for at >= 0 && c.path[at].i+1 >= c.path[at].count {
		at--
	}
	if at < 0 {
		return corrupt("the tree of page %d ends before the last entry", c.t.root)
	}
	c.path = c.path[:at+1]
	c.path[at].i++
	for last := &c.path[at]; !last.leaf; last = &c.path[len(c.path)-1] {
		p, err := c.enter(&last.page, last.i)
		if err == nil {
			err = c.push(p, 0)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// entry returns the entry as it is stored. Its key is what was stored.
func (c *cursor) entry() (key, stored []byte, err error) {
	last := &c.path[len(c.path)-1]
	key, stored = last.key(last.i), last.value(last.i)
	return key, stored, checkKey(key, stored)
}

// find returns what is stored under a key, nil if nothing is. When the entry is to be deleted, the
// pages beside its own are checked: bbolt may merge it with them.
func (t *tree) find(key []byte, deleted bool) ([]byte, error) {
	c := &cursor{t: t}
	if err := c.seek(key); err != nil {
		return nil, err
	}
	got, stored, err := c.entry()
	if err != nil || !bytes.Equal(got, key) {
		return nil, err
	}
	for at := range c.path {
		s := &c.path[at]
		for i := max(s.i-1, 0); deleted && !s.leaf && i < min(s.i+2, s.count); i++ {
			if _, err := c.enter(&s.page, i); err != nil {
				return nil, err
			}
		}
	}
	return stored, nil
}

// walk calls fn for the entries from start on, as they are stored, until it returns false. Of those
// that the store has for itself it does not call it.
func (t *tree) walk(start []byte, fn func(key, stored []byte) (bool, error)) error {
	if t.root == 0 {
		return nil
	}
	c := &cursor{t: t}
	err := c.seek(start)
	for last := []byte(firstKey); err == nil; err = c.next() {
		key, stored, wrong := c.entry()
		switch {
		case wrong != nil:
			return wrong
		case string(key) == lastKey:
			return nil
		case string(key) != firstKey && bytes.Compare(key, last) <= 0:
			return corrupt("after key %.64q comes key %.64q, want a greater one", last, key)
		case string(key) != firstKey:
			if more, err := fn(key, stored); !more || err != nil {
				return err
			}
		}
		last = key
	}
	return err
}
