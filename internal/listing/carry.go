// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package listing

import (
	"encoding/binary"
	"io"
)

// Reading tells something of each record, by its place among those that are asked for. They ascend.
type Reading func(records []uint64, tell func(i int, of []byte) error) error

// carrying is what the lines of a sorting carry.
type carrying struct {
	read Reading  // nil: nothing
	of   [][]byte // by the records that Next returned last
}

// mostCarried is how many bytes a line carries at most.
const mostCarried = 4096

// carriedHead is how many bytes of a line, its last ones, say how many stand before them that it
// carries.
const carriedHead = 4

// carryShare is of how many records one must be wanted, or their lines carry nothing.
const carryShare = 8

// Carry has the lines carry what read tells of their records, if most of them are wanted: so each
// is read in the order of the IDs, a page once. Those that come in another order lie anywhere, and
// pages would be read again and again. It is called before Next.
//
// Cost: what is carried is written to temporary files, as lines are.
func (s *Sorting) Carry(read Reading) { s.carry.read = read }

// Carried returns what the lines of the records carry that Next returned last, in their order,
// valid until it is called again. It is empty for a record of which too much was told, and nil if
// nothing is carried.
func (s *Sorting) Carried() [][]byte { return s.carry.of }

// carries decides whether lines carry something.
func (s *Sorting) carries() bool {
	if s.carry.read != nil && uint64(s.wanted) < s.set.Len()/carryShare {
		s.carry.read = nil
	}
	return s.carry.read != nil
}

// appendCarried ends a line with what it carries.
func appendCarried(line, of []byte) []byte {
	if len(of) > mostCarried {
		of = nil
	}
	line = append(line, of...)
	return binary.BigEndian.AppendUint32(line, uint32(len(of)))
}

// takeLine returns the record of a line, and keeps what the line carries.
func (s *Sorting) takeLine(line []byte) (record uint64, err error) {
	if s.carry.read != nil {
		head := len(line) - carriedHead
		if head < 0 {
			return 0, io.ErrUnexpectedEOF
		}
		n := head - int(min(binary.BigEndian.Uint32(line[head:]), 2*mostCarried))
		if n < recordBytes {
			return 0, io.ErrUnexpectedEOF
		}
		s.carry.of = append(s.carry.of, line[n:head])
		line = line[:n]
	}
	return binary.BigEndian.Uint64(line[len(line)-recordBytes:]), nil
}
