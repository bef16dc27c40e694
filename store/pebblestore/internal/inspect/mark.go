// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package inspect reads the files of a store on Pebble past the engine: whether commits are missing
// from the log, whether every block is whole, and what a salvage can make of what is left. It
// changes nothing but the mark.
package inspect

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/cockroachdb/pebble/v2/sstable"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// The engine takes the first record of the newest log that is not whole for the log's end, and of
// its manifest, the list of tables: damage in the middle, a cut, and a log that is missing look to
// it like an older state, whose younger tables it deletes. So a file beside them has a mark. It is
// written when the log or the manifest was synced, and not synced itself: a process that is killed
// leaves it exact, a power cut some seconds behind, and never ahead. A mark that cannot be read
// says nothing: who empties the file goes on with the older state.

// Mark says what there must be. 0 in the place of a log or a manifest says nothing.
type Mark struct {
	Log, Sequence  uint64 // of the last acknowledged commit: its log, and the number behind its own
	Manifest, Size uint64 // the number of the last manifest that was synced, and its bytes
}

// markBytes is how long a mark is: the numbers and their checksum.
const markBytes = 4*8 + 4

// write writes the mark.
func (m Mark) write(f *os.File) error {
	mark := make([]byte, 0, markBytes)
	for _, n := range []uint64{m.Log, m.Sequence, m.Manifest, m.Size} {
		mark = binary.BigEndian.AppendUint64(mark, n)
	}
	_, err := f.WriteAt(binary.BigEndian.AppendUint32(mark, crc32.ChecksumIEEE(mark)), 0)
	return err
}

// readMark returns what the mark says. whole is false when there is something else in its place.
func readMark(f *os.File) (m Mark, whole bool) {
	var mark [markBytes]byte
	n, err := f.ReadAt(mark[:], 0)
	if err != nil || crc32.ChecksumIEEE(mark[:markBytes-4]) != binary.BigEndian.Uint32(mark[markBytes-4:]) {
		return Mark{}, n == 0 && errors.Is(err, io.EOF)
	}
	for i, to := range []*uint64{&m.Log, &m.Sequence, &m.Manifest, &m.Size} {
		*to = binary.BigEndian.Uint64(mark[8*i:])
	}
	return m, true
}

// Marker writes the mark of a store that is open. It is safe for concurrent use: the engine writes
// its manifest when it wants.
type Marker struct {
	mu    sync.Mutex
	file  *os.File
	mark  Mark
	known bool // else the file has something else in its place
}

// Begin goes on with the mark in a file, and returns it.
func (m *Marker) Begin(f *os.File) Mark {
	m.file = f
	m.mark, m.known = readMark(f)
	return m.mark
}

// Closed reports whether the mark says that the tables have all.
func (m *Marker) Closed() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.known && m.mark.Log == 0
}

// Commit notes the last commit; log 0: the tables have all.
func (m *Marker) Commit(log, sequence uint64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.mark.Log, m.mark.Sequence, m.known = log, sequence, true
	return m.mark.write(m.file)
}

// List notes how long the manifest is. It leaves a mark that cannot be read to the next commit.
func (m *Marker) List(manifest, size uint64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.mark.Manifest, m.mark.Size = manifest, size; !m.known {
		return nil
	}
	return m.mark.write(m.file)
}

// Files are the files of a store.
type Files struct {
	Dir  string
	Mark *os.File // has the mark
	FS   vfs.FS   // in which tables and manifest are read
	Read sstable.ReaderOptions
}

// path returns where a file lies.
func (f *Files) path(name string) string { return filepath.Join(f.Dir, name) }
