// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package inspect reads the files of a store on Pebble past the engine: whether commits are missing
// from the log, whether every block is whole, and what a salvage can make of what is left. It
// changes nothing but the mark.
package inspect

import (
	"encoding/binary"
	"hash/crc32"
	"os"
	"path/filepath"

	"github.com/cockroachdb/pebble/v2/sstable"
)

// The engine takes the first record of the newest log that is not whole for the log's end: damage
// in the middle, a cut, and a log that is missing look to it like an older state. So a file beside
// them has a mark: the log of the last commit that was acknowledged, and the sequence number behind
// it. It is written when the log was synced, and not synced itself: a process that is killed leaves
// it exact, a power cut some seconds behind, and never ahead. A mark that cannot be read says
// nothing: who empties the file goes on with the older state.

// WriteMark makes the mark; log 0 says nothing.
func WriteMark(f *os.File, log, sequence uint64) error {
	mark := binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, log), sequence)
	_, err := f.WriteAt(binary.BigEndian.AppendUint32(mark, crc32.ChecksumIEEE(mark)), 0)
	return err
}

// ReadMark returns what the mark says. whole is false when there is something else in its place.
func ReadMark(f *os.File) (log, sequence uint64, whole bool) {
	var mark [20]byte
	n, err := f.ReadAt(mark[:], 0)
	if err != nil || crc32.ChecksumIEEE(mark[:16]) != binary.BigEndian.Uint32(mark[16:]) {
		return 0, 0, n == 0
	}
	return binary.BigEndian.Uint64(mark[:]), binary.BigEndian.Uint64(mark[8:]), true
}

// Files are the files of a store.
type Files struct {
	Mark *os.File // has the mark; the others lie in its folder
	Read sstable.ReaderOptions
}

func (f *Files) dir() string { return filepath.Dir(f.Mark.Name()) }

// path returns where a file lies.
func (f *Files) path(name string) string { return filepath.Join(f.dir(), name) }
