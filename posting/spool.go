// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
)

// spool is a temporary file of pairs, of which one key at least had no room in the table of keys. They are gone through again, with an empty table, until all keys have
// had their turn: each pass gives IDs to as many keys as there is memory for. Keys get IDs in the order of their first appearance all the same, since those that
// come first are those that have room, and far fewer passes have much to do than there are: keys that stand in many pairs come early.
type spool struct {
	temp  tempFiles
	file  *os.File // the only one of them; nil: nothing was put in
	out   *bufio.Writer
	pairs int
}

// spoolKey is a key: its ID, or while that is not known its text.
type spoolKey struct {
	id   uint64
	text []byte // nil: id says it
}

// add puts a pair in: uvarint field, then for each key uvarint 2 × ID + 1, or uvarint 2 × length and the text.
func (s *spool) add(field uint32, sides [2]spoolKey) error {
	if s.file == nil {
		f, err := s.temp.create()
		if err != nil {
			return err
		}
		s.file, s.out = f, bufio.NewWriterSize(f, runBuffer)
	}
	b := binary.AppendUvarint(s.out.AvailableBuffer(), uint64(field))
	for _, side := range sides {
		if side.text == nil {
			b = binary.AppendUvarint(b, side.id<<1|1)
		} else {
			b = append(binary.AppendUvarint(b, uint64(len(side.text))<<1), side.text...)
		}
	}
	s.pairs++
	_, err := s.out.Write(b)
	return err
}

// all calls fn with the pairs of one field, many at a time, as keys and IDs. They are fn's until it returns.
func (s *spool) all(fn func(field uint32, keys [][]byte, ids []uint64) error) error {
	if err := s.out.Flush(); err != nil {
		return err
	}
	if _, err := s.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	in := bufio.NewReaderSize(s.file, runBuffer)
	var keys [][]byte
	var ids []uint64
	var texts []byte
	last := uint64(0)
	for left := s.pairs; ; left-- {
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
			var text []byte
			n, err := binary.ReadUvarint(in)
			if err == nil && n&1 == 0 {
				if n > MaxKey<<1 {
					return fmt.Errorf("posting: temporary file: got a key of %d bytes, want at most %d", n>>1, MaxKey)
				}
				texts = append(texts, make([]byte, n>>1)...)
				text = texts[len(texts)-int(n>>1):]
				_, err = io.ReadFull(in, text)
			}
			if err != nil {
				return errors.Join(unexpected(err), err)
			}
			keys, ids = append(keys, text), append(ids, n>>1)
		}
	}
}

// close deletes the file.
func (s *spool) close() error {
	err := s.temp.close()
	*s = spool{}
	return err
}

// passes goes through the spool until it is empty.
func (l *Loader) passes() error {
	for l.spool.file != nil {
		if err := l.renew(); err != nil {
			return err
		}
		before := l.spool
		l.spool = spool{}
		err := before.all(func(field uint32, keys [][]byte, ids []uint64) error {
			if err := l.ctx.Err(); err != nil {
				return err
			}
			return l.relate(l.pairsOf(field, l.ix.fieldOf(field).Inverse), keys, ids)
		})
		if err = errors.Join(err, before.close()); err != nil {
			return err
		}
	}
	return nil
}
