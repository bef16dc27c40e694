// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pebblestore

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cockroachdb/pebble/v2/record"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/uproar-db/uproar/store"
)

// The engine takes the first record of the newest log that is not whole for the log's end: damage
// in the middle, a cut, and a log that is missing look to it like an older state. So the file
// FileName has a mark: the log of the last commit that was acknowledged, and the sequence number
// behind it. It is written when the log was synced, and not synced itself: a process that is killed
// leaves it exact, a power cut some seconds behind, and never ahead. A mark that cannot be read
// says nothing: who empties the file goes on with the older state.

// writeMark makes the mark; log 0 says nothing.
func (s *Store) writeMark(log, sequence uint64) error {
	mark := binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, log), sequence)
	_, err := s.locked.WriteAt(binary.BigEndian.AppendUint32(mark, crc32.ChecksumIEEE(mark)), 0)
	return err
}

// readMark returns what the mark says. whole is false when there is something else in its place.
func (s *Store) readMark() (log, sequence uint64, whole bool) {
	var mark [20]byte
	n, err := s.locked.ReadAt(mark[:], 0)
	if err != nil || crc32.ChecksumIEEE(mark[:16]) != binary.BigEndian.Uint32(mark[16:]) {
		return 0, 0, n == 0
	}
	return binary.BigEndian.Uint64(mark[:]), binary.BigEndian.Uint64(mark[8:]), true
}

// logNumber returns the number in the name of a log, 0 for other files.
func logNumber(name string) uint64 { return fileNumber(name, ".log") }

// fileNumber returns the number in a name before a suffix, 0 for other files.
func fileNumber(name, suffix string) (number uint64) {
	if name, ok := strings.CutSuffix(filepath.Base(name), suffix); ok {
		_, _ = fmt.Sscan(strings.TrimLeft(name, "0"), &number)
	}
	return number
}

// checkLog looks for the commit of the mark in its log. At opening it does so before the engine,
// which deletes logs: those whose entries are in tables, but never the newest.
func (s *Store) checkLog() error {
	log, sequence, _ := s.readMark()
	if log == 0 {
		return nil
	}
	name := fmt.Sprintf("%06d.log", log)
	lost := func(what string) error {
		return fmt.Errorf("%w: %s is %s: commits that were acknowledged are not there. Try: restore a backup, or empty %s "+
			"to go on without them", store.ErrCorrupt, name, what, FileName)
	}
	f, err := os.Open(filepath.Join(s.dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		names, err := vfs.Default.List(s.dir)
		if err != nil || slices.ContainsFunc(names, func(name string) bool { return logNumber(name) > log }) {
			return err
		}
		return lost("missing")
	}
	if err != nil {
		return err
	}
	defer f.Close()
	if whole, found := readLog(f, log, func(_, end uint64) bool { return end >= sequence }); !found {
		return lost(fmt.Sprintf("damaged or cut at byte %d", whole))
	}
	return nil
}

// readLog reads the batches of a log, until one is wanted of such sequence numbers, which end
// before the second. It returns how many bytes have whole records, and whether that was found.
func readLog(log io.Reader, number uint64, wanted func(first, end uint64) bool) (whole int64, found bool) {
	for records := newReader(record.NewReader, log, number); ; {
		whole = records.Offset()
		var head [12]byte // of a batch: its first sequence number, and how many it has
		r, err := records.Next()
		if err == nil {
			_, err = io.ReadFull(r, head[:])
		}
		if err == nil {
			_, err = io.Copy(io.Discard, r)
		}
		if err != nil {
			return whole, false
		}
		first := binary.LittleEndian.Uint64(head[:])
		if wanted(first, first+uint64(binary.LittleEndian.Uint32(head[8:]))) {
			return whole, true
		}
	}
}

// newReader calls open with a number of a type of the engine's that has no name here.
func newReader[N ~uint64, R any](open func(io.Reader, N) R, log io.Reader, number uint64) R {
	return open(log, N(number))
}

// cutLog returns a log that ends where its first record begins that is not whole: the engine would
// refuse the store for it.
func cutLog(f vfs.File, number uint64) (vfs.File, error) {
	whole, _ := readLog(f, number, func(_, _ uint64) bool { return false })
	content := make([]byte, whole)
	_, err := f.ReadAt(content, 0)
	return vfs.NewMemFile(content), errors.Join(err, f.Close())
}

// Lost tells of commits that were acknowledged and are not there, of a store that was opened with
// Options.Salvage. nil: none was noticed.
func (s *Store) Lost() error { return s.disk.lost }
