// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"unsafe"

	"github.com/uproar-db/uproar/internal/extsort"
	"github.com/uproar-db/uproar/internal/posting/format"
)

// deferredPairs holds temporary files of pairs with a key that the table had no room for. Passes
// over the files, each with an empty table, go on until all keys have had their turn. Each pass
// gives IDs to as many keys as memory holds. Keys still get IDs in the order of first appearance,
// since the earliest keys get the room. Most pairs are done in the first passes: keys of many pairs
// come early.
type deferredPairs struct {
	temp  extsort.Files
	out   *bufio.Writer // to the last of them; nil: nothing was put in
	code  []byte        // scratch
	pairs []int         // in each
}

// deferredMost is how many pairs a file has at most: each goes as soon as it was read, while others
// are written.
const deferredMost = 4 << 20

// deferredNumber marks an ID that is the number of a key without an ID.
const deferredNumber = 1 << 62

// deferredKey is a key: its ID or its number, or while neither is known its text.
type deferredKey struct {
	id   uint64
	text []byte // nil: id says it
}

// add puts a pair in: uvarint field, then for each key uvarint 2 × ID + 1, or uvarint 2 × length
// and the encoded key.
func (s *deferredPairs) add(field uint32, sides [2]deferredKey) error {
	if s.out == nil || s.pairs[len(s.pairs)-1] == deferredMost {
		if err := s.begin(); err != nil {
			return err
		}
	}
	b := binary.AppendUvarint(s.out.AvailableBuffer(), uint64(field))
	for _, side := range sides {
		if side.text == nil {
			b = binary.AppendUvarint(b, side.id<<1|1)
		} else {
			// which reads it only
			s.code = format.AppendKey(s.code[:0], unsafe.String(unsafe.SliceData(side.text), len(side.text)))
			b = append(binary.AppendUvarint(b, uint64(len(s.code))<<1), s.code...)
		}
	}
	s.pairs[len(s.pairs)-1]++
	_, err := s.out.Write(b)
	return err
}

// begin begins a file.
func (s *deferredPairs) begin() error {
	f, err := s.temp.Create()
	if err != nil {
		return err
	}
	if s.out == nil {
		s.out = bufio.NewWriterSize(f, runBuffer)
	} else if err := s.out.Flush(); err != nil {
		return err
	}
	s.out.Reset(f)
	s.pairs = append(s.pairs, 0)
	return nil
}

// all calls fn with the pairs of one field, many at a time, as keys and IDs. They are fn's until it
// returns. Nothing is left of them afterwards.
func (s *deferredPairs) all(fn func(field uint32, keys [][]byte, ids []uint64) error) error {
	err := s.out.Flush()
	for err == nil && len(s.pairs) > 0 {
		if err = s.file(s.pairs[0], fn); err == nil {
			s.pairs = s.pairs[1:]
			err = s.temp.CloseFirst()
		}
	}
	return errors.Join(err, s.close())
}

// file is all for the first file, which has the given number of pairs.
func (s *deferredPairs) file(pairs int, fn func(field uint32, keys [][]byte, ids []uint64) error) error {
	if _, err := s.temp.Open[0].Seek(0, io.SeekStart); err != nil {
		return err
	}
	in := bufio.NewReaderSize(s.temp.Open[0], runBuffer)
	var keys [][]byte
	var ids []uint64
	var texts []byte
	last := uint64(0)
	for left := pairs; ; left-- {
		field, err := uint64(0), error(nil)
		if left > 0 {
			field, err = binary.ReadUvarint(in)
		}
		if err == nil && len(keys) > 0 && (left == 0 || field != last || len(keys) >= relateGroup) {
			err = fn(uint32(last), keys, ids)
			keys, ids, texts = keys[:0], ids[:0], texts[:0]
		}
		if err != nil || left == 0 {
			return err
		}
		last = field
		for range 2 {
			n, err := binary.ReadUvarint(in)
			if err != nil {
				return errors.Join(unexpected(err), err)
			}
			if n&1 != 0 {
				keys, ids = append(keys, nil), append(ids, n>>1)
				continue
			}
			at := len(texts)
			if texts, s.code, err = readKey(in, texts, s.code, n>>1); err != nil {
				return err
			}
			keys, ids = append(keys, texts[at:len(texts):len(texts)]), append(ids, 0)
		}
	}
}

// Count returns how many pairs there are.
func (s *deferredPairs) Count() (n int) {
	for _, pairs := range s.pairs {
		n += pairs
	}
	return n
}

// close deletes the files.
func (s *deferredPairs) close() error {
	err := s.temp.Close()
	*s = deferredPairs{}
	return err
}

// relateGroup is how many keys are numbered between two looks whether there is room.
const relateGroup = 2 << 10
