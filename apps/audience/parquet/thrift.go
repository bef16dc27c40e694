// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// compact walks over a struct in the compact protocol of Thrift. Lengths are never trusted: the
// library takes the memory that they claim, so that what it is to decode is walked over before. An
// error that is io.ErrUnexpectedEOF says that bytes are missing.
type compact struct {
	data   []byte
	at     int
	memory int64 // about what the library takes for the elements of lists
}

// The types of values.
const (
	typeStop   = 0
	typeTrue   = 1
	typeFalse  = 2
	typeByte   = 3
	typeInt16  = 4
	typeInt64  = 6
	typeDouble = 7
	typeBinary = 8
	typeList   = 9
	typeSet    = 10
	typeMap    = 11
	typeStruct = 12
)

const (
	maxDepth = 32 // of structs and lists within each other

	// What an element of a list takes, by how deep the list lies: columns of row groups and
	// elements of the schema are large, what they list is not.
	largeElement, smallElement = 1 << 10, 64
	largeDepth                 = 4
)

var (
	errThrift = errors.New("got bytes that are no Thrift")
	errDepth  = fmt.Errorf("got more than %d structs and lists within each other", maxDepth)
)

// fields walks over a struct. It calls visit with the type of each field, which it then skips
// unless visit has moved on.
func (c *compact) fields(depth int, visit func(id int64, kind byte) error) error {
	if depth > maxDepth {
		return errDepth
	}
	for id := int64(0); ; {
		head, err := c.byte()
		if err != nil {
			return err
		}
		kind := head & 15
		if kind == typeStop {
			return nil
		}
		if delta := int64(head >> 4); delta != 0 {
			id += delta
		} else if id, err = c.varint(); err != nil {
			return err
		}
		at := c.at
		if err := visit(id, kind); err != nil {
			return err
		}
		if c.at == at {
			if err := c.skip(kind, depth); err != nil {
				return err
			}
		}
	}
}

// ignore visits no field.
func ignore(int64, byte) error { return nil }

// skip walks over a value, but for a truth value of a field, which its type says.
func (c *compact) skip(kind byte, depth int) error {
	switch kind {
	case typeTrue, typeFalse:
		return nil
	case typeByte:
		return c.forward(1)
	case typeDouble:
		return c.forward(8)
	case typeBinary:
		n, err := c.uvarint()
		if err != nil {
			return err
		}
		return c.forward(n)
	case typeList, typeSet:
		return c.skipList(depth + 1)
	case typeMap:
		return c.skipMap(depth + 1)
	case typeStruct:
		return c.fields(depth+1, ignore)
	}
	if kind < typeInt16 || kind > typeInt64 {
		return errThrift
	}
	_, err := c.varint()
	return err
}

func (c *compact) skipList(depth int) error {
	head, err := c.byte()
	if err != nil {
		return err
	}
	size := uint64(head >> 4)
	if size == 15 {
		if size, err = c.uvarint(); err != nil {
			return err
		}
	}
	return c.elements(size, depth, head&15)
}

func (c *compact) skipMap(depth int) error {
	size, err := c.uvarint()
	if err != nil || size == 0 {
		return err
	}
	kinds, err := c.byte()
	if err != nil {
		return err
	}
	return c.elements(size, depth, kinds>>4, kinds&15)
}

// elements walks over the elements of a list, or the pairs of a map.
func (c *compact) elements(size uint64, depth int, kinds ...byte) error {
	if size > uint64(len(c.data)-c.at) { // each takes a byte or more
		return io.ErrUnexpectedEOF
	}
	if depth > maxDepth {
		return errDepth
	}
	each := int64(smallElement)
	if depth <= largeDepth && kinds[0] == typeStruct {
		each = largeElement
	}
	c.memory += int64(size) * each
	for range size {
		for _, kind := range kinds {
			var err error
			if kind == typeTrue || kind == typeFalse { // which is a byte here
				err = c.forward(1)
			} else {
				err = c.skip(kind, depth)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *compact) byte() (byte, error) {
	if c.at == len(c.data) {
		return 0, io.ErrUnexpectedEOF
	}
	c.at++
	return c.data[c.at-1], nil
}

func (c *compact) forward(n uint64) error {
	if n > uint64(len(c.data)-c.at) {
		return io.ErrUnexpectedEOF
	}
	c.at += int(n)
	return nil
}

func (c *compact) uvarint() (uint64, error) {
	x, n := binary.Uvarint(c.data[c.at:])
	switch {
	case n == 0:
		return 0, io.ErrUnexpectedEOF
	case n < 0:
		return 0, errThrift
	}
	c.at += n
	return x, nil
}

func (c *compact) varint() (int64, error) {
	x, err := c.uvarint()
	return int64(x>>1) ^ -int64(x&1), err
}
