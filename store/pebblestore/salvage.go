// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pebblestore

import (
	"io"

	"github.com/cockroachdb/pebble/v2/record"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// Lost tells of commits that were acknowledged and are not there, of a store that was opened with
// Options.Salvage. nil: none was noticed.
func (s *Store) Lost() error { return s.disk.lost }

// cutFile is a file as far as it is whole.
type cutFile struct {
	vfs.File
	whole int64 // bytes
	at    int64
}

// Read reads up to the end of what is whole.
func (f *cutFile) Read(p []byte) (int, error) {
	if f.at >= f.whole {
		return 0, io.EOF
	}
	n, err := f.File.Read(p[:min(int64(len(p)), f.whole-f.at)])
	f.at += int64(n)
	return n, err
}

// cutLog returns a log that ends where its first record begins that is not whole: the engine would
// refuse the store for it.
func cutLog(f vfs.File, number uint64) (vfs.File, error) {
	info, err := f.Stat()
	if err != nil {
		return f, err
	}
	records, whole := newReader(record.NewReader, io.NewSectionReader(f, 0, info.Size()), number), int64(0)
	for err == nil {
		whole = records.Offset()
		var r io.Reader
		if r, err = records.Next(); err == nil {
			_, err = io.Copy(io.Discard, r)
		}
	}
	return &cutFile{File: f, whole: whole}, nil
}
