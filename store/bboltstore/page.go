// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bboltstore

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"sort"

	"github.com/uproar-db/uproar/store"
)

// The layout of bbolt's file, version 2, in the byte order of the machine. A page begins with its
// number (8 bytes), its kind (2), the count of its elements (2) and the number of pages that follow
// and belong to it (4). Elements, of 16 bytes each, come next, and then keys and values, in order
// and without gaps. Pages 0 and 1 are the roots of the last two commits.
const (
	pageHeader  = 16
	elementSize = 16

	branchKind   = 0x01
	leafKind     = 0x02
	metaKind     = 0x04
	freelistKind = 0x10

	pageSize   = 4096 // of new files
	bucketFlag = 1    // of an element that is a bucket
	maxDepth   = 64
)

var order = binary.NativeEndian

func corrupt(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{store.ErrCorrupt}, args...)...)
}

// page is a branch or leaf of the tree.
type page struct {
	b     []byte
	id    uint64
	count int
	leaf  bool
}

// pageAt returns the page at the beginning of b.
func pageAt(b []byte, id uint64) (page, error) {
	p := page{b: b, id: id, count: int(order.Uint16(b[10:])), leaf: order.Uint16(b[8:]) == leafKind}
	if got, kind := order.Uint64(b), order.Uint16(b[8:]); got != id || !p.leaf && kind != branchKind {
		return p, corrupt("page %d: it says that it is page %d, of kind %d", id, got, kind)
	}
	return p, nil
}

// check checks that every number in a page is what bbolt would have written. Where an element lies
// follows from those before it, and how many pages there are from the last one. So any changed
// number is noticed, but for the lengths of the last key and value.
func (p *page) check(size int, flag uint32) error {
	end := pageHeader + elementSize*p.count
	if end > len(p.b) {
		return corrupt("page %d has no room for %d elements", p.id, p.count)
	}
	for at := pageHeader; at < pageHeader+elementSize*p.count; at += elementSize {
		e := p.b[at : at+elementSize]
		position, key, value := order.Uint32(e), order.Uint32(e[4:]), uint32(0)
		if p.leaf {
			position, key, value = key, order.Uint32(e[8:]), order.Uint32(e[12:])
		}
		if p.leaf && order.Uint32(e) != flag || uint64(at)+uint64(position) != uint64(end) || key == 0 ||
			uint64(key)+uint64(value) > uint64(len(p.b)-end) {
			return corrupt("page %d: element %d of %d is not where it must be", p.id, (at-pageHeader)/elementSize,
				p.count)
		}
		end += int(key) + int(value)
	}
	if more := uint64(order.Uint32(p.b[12:])); more != uint64((end-1)/size) {
		return corrupt("page %d has %d bytes and %d more pages", p.id, end, more)
	}
	return nil
}

// key returns the key of an element.
func (p *page) key(i int) []byte {
	at := pageHeader + elementSize*i
	e := p.b[at:]
	if p.leaf {
		return e[order.Uint32(e[4:]):][:order.Uint32(e[8:])]
	}
	return e[order.Uint32(e):][:order.Uint32(e[4:])]
}

// value returns the value of an element of a leaf.
func (p *page) value(i int) []byte {
	at := pageHeader + elementSize*i
	e := p.b[at:]
	return e[order.Uint32(e[4:])+order.Uint32(e[8:]):][:order.Uint32(e[12:])]
}

// child returns the number of the page that an element of a branch points to.
func (p *page) child(i int) uint64 { return order.Uint64(p.b[pageHeader+elementSize*i+8:]) }

// find returns the first element whose key is not less than a key, or count.
func (p *page) find(key []byte) int {
	return sort.Search(p.count, func(i int) bool { return bytes.Compare(p.key(i), key) >= 0 })
}

// What finds a changed bit:
//   - in a root: bbolt's checksum, and the mark (mark.go);
//   - in the number, kind, count or overflow of a page, or a place or length in it: check, when the
//     page is first read after opening;
//   - in the key of an entry: its seal, when it is met. A search that it misleads ends beside it;
//   - in the key of a branch: the page below begins with another. A search that it misleads ends
//     there or in the page before, whose successor is looked at;
//   - in a pointer of a branch, or the root of the tree: the same, the number of the page, and at
//     opening the list of free pages, where every old copy of a page stands;
//   - in a value: its seal. One of a page or more is checked when it is first read after opening,
//     because that costs as much as to copy it;
//   - in the list of free pages: its order, and that no page is used too, at opening. A page that
//     is missing there is lost until Compact;
//   - in the sum of all entries, which is the sequence number of the bucket: Verify and Compact.
//
// A commit checks the pages that it is about to change: bbolt would write a damaged one anew, as if
// it were whole. Then that batch is refused, and others go on. Not found, until the next opening or
// Verify, is what changes after it was read first; and never what is made on purpose.

// What is stored of an entry: its key behind a byte, and its value behind a seal. The seal is the
// CRC-32C of the stored key, and that of the stored key and the value, as little-endian numbers.
// Key and seal lie side by side, so that Keys touches no value.
const (
	entryByte = 1
	sealSize  = 8

	// A store has two entries of its own, before and behind all others. Then every key that is not
	// there would lie between two that are.
	firstKey, lastKey = "\x00", "\x02"

	// firstValue is what the first one holds. With so much bbolt gives the tree pages of its own.
	firstValue = pageSize/4 + 1
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// storedKey appends what is stored of a key.
func storedKey(b, key []byte) []byte { return append(append(b, entryByte), key...) }

// sealed returns what is stored of a value. The engine keeps it.
func sealed(key, value []byte) []byte {
	b := make([]byte, sealSize, sealSize+len(value))
	sum := crc32.Checksum(key, castagnoli)
	binary.LittleEndian.PutUint32(b, sum)
	binary.LittleEndian.PutUint32(b[4:], crc32.Update(sum, castagnoli, value))
	return append(b, value...)
}

// checkKey checks the seal of a stored key.
func checkKey(key, stored []byte) error {
	if len(stored) < sealSize || crc32.Checksum(key, castagnoli) != binary.LittleEndian.Uint32(stored) {
		return corrupt("key %.64q is not what was stored", key)
	}
	return nil
}

// unseal returns the value of a stored key that was checked.
func unseal(key, stored []byte) ([]byte, error) {
	value := stored[sealSize:]
	if crc32.Update(binary.LittleEndian.Uint32(stored), castagnoli, value) != binary.LittleEndian.Uint32(stored[4:]) {
		return nil, corrupt("the value of key %.64q is not what was stored", key[1:])
	}
	return value, nil
}

// weight returns what a stored entry adds to the sum of all, which is kept with the tree.
func weight(stored []byte) uint64 {
	x := binary.LittleEndian.Uint64(stored) + 0x9E3779B97F4A7C15 // splitmix64: Steele, Lea, Flood 2014
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}
