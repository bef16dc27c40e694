// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package listing

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"syscall"

	"github.com/uproar-db/uproar/internal/descriptor"
)

// Reading tells something of each record, by its place among those that are asked for. They ascend.
type Reading func(records []uint64, tell func(i int, of []byte) error) error

// carrying is what the lines of a sorting carry.
type carrying struct {
	read Reading  // nil: nothing
	of   [][]byte // by the records that Next returned last
	left int64    // how many bytes more they may carry in all
}

// mostCarried is how many bytes a line carries at most.
const mostCarried = 4096

// carriedHead is how many bytes of a line, its last ones, say how many stand before them that it
// carries.
const carriedHead = 4

// diskShare is of what the disk of temporary files still takes: lines carry one byte in so many.
const diskShare = 4

// carryShare is of how many records one must be wanted, or their lines carry nothing.
const carryShare = 8

// Carry has the lines carry what read tells of their records, if most of them are wanted: so each
// is read in the order of the IDs, a page once. Those that come in another order lie anywhere, and
// pages would be read again and again. It is called before Next.
//
// Cost: what is carried is written to temporary files, as lines are. It takes at most a share of
// the space that their disk has: the lines behind carry nothing, and none does if the disk is full
// nevertheless.
func (s *Sorting) Carry(read Reading) { s.carry.read = read }

// Carried returns what the lines of the records carry that Next returned last, in their order,
// valid until it is called again. It is empty for a record of which too much was told or for which
// there was no room, and nil if nothing is carried.
func (s *Sorting) Carried() [][]byte { return s.carry.of }

// carries decides whether lines carry something, and how much in all.
func (s *Sorting) carries() bool {
	if s.carry.read != nil && uint64(s.wanted) < s.set.Len()/carryShare {
		s.carry.read = nil
	}
	if s.carry.read != nil && s.bounds.carried == 0 {
		bytes, _, err := descriptor.Space(os.TempDir())
		if err != nil {
			bytes = 0
		}
		s.bounds.carried = int64(min(bytes/diskShare, math.MaxInt64))
	}
	s.carry.left = s.bounds.carried
	return s.carry.read != nil
}

// filesError says that temporary files do not take lines.
type filesError struct{ err error }

func (e *filesError) Error() string {
	if errors.Is(e.err, syscall.EMFILE) || errors.Is(e.err, syscall.ENFILE) {
		return fmt.Sprintf("listing: temporary files of a sorting: %v; try again later, with a higher limit of open files "+
			"(ulimit -n), or with a limit of at most %d records, which takes no files", e.err, fewLimit)
	}
	return fmt.Sprintf("listing: temporary files of a sorting: %v; want space for its lines in %s (TMPDIR names another "+
		"folder), or a limit of at most %d records, which takes no files", e.err, os.TempDir(), fewLimit)
}

func (e *filesError) Unwrap() error { return e.err }

// appendCarried ends a line with what it carries.
func (s *Sorting) appendCarried(line, of []byte) []byte {
	if len(of) > mostCarried || int64(len(of)) > s.carry.left {
		of = nil
	}
	s.carry.left -= int64(len(of))
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
