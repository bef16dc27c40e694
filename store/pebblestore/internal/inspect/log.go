// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package inspect

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/cockroachdb/pebble/v2/record"

	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/pebblestore/internal/disk"
)

// CheckLog looks for the commit of the mark in its log. At opening it is called before the engine,
// which deletes logs: those whose entries are in tables, but never the newest. Errors:
// store.ErrCorrupt when commits are missing that were acknowledged.
func (f *Files) CheckLog() error {
	mark, _ := readMark(f.Mark)
	log := mark.Log
	if log == 0 {
		return nil
	}
	name := disk.LogName(log)
	lost := func(what string) error {
		return fmt.Errorf("%w: %s is %s: commits that were acknowledged are not there. Try: restore a backup, or empty %s "+
			"to go on without them", store.ErrCorrupt, name, what,
			filepath.Base(f.Mark.Name()))
	}
	file, err := f.FS.Open(f.path(name))
	if errors.Is(err, fs.ErrNotExist) {
		names, err := f.FS.List(f.Dir)
		if err != nil || slices.ContainsFunc(names, func(name string) bool { return disk.LogNumber(name) > log }) {
			return err
		}
		return lost("missing")
	}
	if err != nil {
		return err
	}
	defer file.Close()
	if whole, found := readLog(file, log, func(_, end uint64) bool { return end >= mark.Sequence }); !found {
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
