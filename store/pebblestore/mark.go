// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pebblestore

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/cockroachdb/pebble/v2/record"

	"github.com/uproar-db/uproar/store"
)

// The engine takes the first record of the newest log that is not whole for the log's end: damage
// in the middle, a cut, and a log that is missing look to it like an older state. So the file
// FileName has a mark: the log of the last commit that was acknowledged, and the sequence number
// behind it. It is written when the log was synced, and not synced itself: a process that is killed
// leaves it exact, a power cut some seconds behind, and never ahead. A mark that cannot be read says
// nothing: who empties the file goes on with the older state.

// writeMark makes the mark; log 0 says nothing.
func (s *Store) writeMark(log, sequence uint64) error {
	mark := binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, log), sequence)
	_, err := s.locked.WriteAt(binary.BigEndian.AppendUint32(mark, crc32.ChecksumIEEE(mark)), 0)
	return err
}

// readMark returns what the mark says.
func (s *Store) readMark() (log, sequence uint64) {
	var mark [20]byte
	_, err := s.locked.ReadAt(mark[:], 0)
	if err != nil || crc32.ChecksumIEEE(mark[:16]) != binary.BigEndian.Uint32(mark[16:]) {
		return 0, 0
	}
	return binary.BigEndian.Uint64(mark[:]), binary.BigEndian.Uint64(mark[8:])
}

// logNumber returns the number in the name of a log, 0 for other files.
func logNumber(name string) (number uint64) {
	if name, ok := strings.CutSuffix(filepath.Base(name), ".log"); ok {
		_, _ = fmt.Sscan(strings.TrimLeft(name, "0"), &number)
	}
	return number
}

// checkLog looks for the commit of the mark in its log, before the engine does, which deletes logs.
// A log is deleted when its entries are in tables, but never the newest.
func (s *Store) checkLog(log, sequence, newest uint64) error {
	name := fmt.Sprintf("%06d.log", log)
	lost := func(what string) error {
		return fmt.Errorf("%w: %s is %s: commits that were acknowledged are not there. Try: restore a backup, or empty %s "+
			"to go on without them", store.ErrCorrupt, name, what, FileName)
	}
	f, err := os.Open(filepath.Join(s.dir, name))
	if os.IsNotExist(err) {
		if newest < log {
			return lost("missing")
		}
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	for records := newReader(record.NewReader, f, log); ; {
		r, err := records.Next()
		if err == nil {
			var head [12]byte // of a batch: its first sequence number, and how many it has
			if _, err = io.ReadFull(r, head[:]); err == nil {
				_, err = io.Copy(io.Discard, r)
			}
			if err == nil && binary.LittleEndian.Uint64(head[:])+uint64(binary.LittleEndian.Uint32(head[8:])) >= sequence {
				return nil
			}
		}
		if err != nil {
			return lost(fmt.Sprintf("damaged or cut at byte %d", records.Offset()))
		}
	}
}

// newReader calls open with a number of a type of the engine's that has no name here.
func newReader[N ~uint64, R any](open func(io.Reader, N) R, log io.Reader, number uint64) R {
	return open(log, N(number))
}
