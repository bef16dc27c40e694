// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pebblestore

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"
	"github.com/cockroachdb/pebble/v2/record"
	"github.com/cockroachdb/pebble/v2/sstable/block"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/uproar-db/uproar/internal/descriptor"
	"github.com/uproar-db/uproar/store"
)

// format is the version of the engine's files. It is raised by hand only: older programs do not
// open a store of a newer one.
const format = pebble.FormatWALSyncChunks

// optionsPrefix is how names of files begin in which the engine notes its options.
const optionsPrefix = "OPTIONS-"

// Open opens the store in the folder dir, making both if need be. The folder belongs to the store
// alone.
//
// Opening reads the list of tables, and the log of a store that was not closed, as much as
// memtables hold: once to see that no commit is missing, before a file changes, once to replay it.
//
// Errors: store.ErrLocked when another user has it open, store.ErrFull when the disk has no room
// for it, store.ErrCorrupt when a file that is needed is missing, not Pebble's, or damaged, or
// commits are missing that were acknowledged; else the file system's.
func Open(dir string, opts *Options) (*Store, error) {
	s := newStore(dir, cmp.Or(opts, new(Options)))
	if err := s.open(); err != nil {
		return nil, openError(dir, s.readOnly, err)
	}
	return s, nil
}

// newStore returns a store that is to be opened.
func newStore(dir string, opts *Options) *Store {
	s := &Store{dir: dir, readOnly: opts.ReadOnly || opts.Salvage,
		memory: cmp.Or(opts.Memory, 128<<20), compression: opts.Compression,
		ending: make(chan struct{}), queue: make(chan *commit, queueLength), broken: make(chan struct{})}
	s.cache = cmp.Or(opts.BlockCache, max(s.memory/16, 2<<20))
	s.log = &logger{to: cmp.Or(opts.Logger, slog.New(slog.DiscardHandler)), fail: s.fail}
	s.disk = &disk{FS: vfs.Default, salvage: opts.Salvage, fail: s.fail,
		fault: func(string, string) error { return nil }}
	s.disk.opening.Store(true)
	return s
}

func (s *Store) open() (err error) {
	flags := os.O_RDONLY
	if !s.readOnly {
		if err := os.MkdirAll(s.dir, 0o700); err != nil {
			return err
		}
		flags = os.O_RDWR | os.O_CREATE
	}
	if s.locked, err = os.OpenFile(filepath.Join(s.dir, FileName), flags, 0o600); err != nil {
		return err
	}
	if err = s.openLocked(); err != nil {
		s.disk.dead.Store(true)
		return errors.Join(err, s.locked.Close())
	}
	s.disk.opening.Store(false)
	if !s.readOnly {
		s.work.Go(s.commit)
	}
	return nil
}

// openLocked looks at the files before the engine does, removes those that disk.List hides and the
// tables of ingestions that did not end, and opens the engine.
func (s *Store) openLocked() error {
	if free, err := descriptor.Lock(s.locked, s.readOnly); err != nil || !free {
		return cmp.Or(err, store.ErrLocked)
	}
	entries, err := os.ReadDir(s.dir)
	if err == nil {
		s.folder, err = os.Stat(s.dir)
	}
	log, sequence := s.readMark()
	exists, newest := log > 0, uint64(0)
	for _, e := range entries {
		newest = max(newest, logNumber(e.Name()))
		exists = exists || isTable(e.Name()) && !isIngested(e.Name())
	}
	if err == nil && log > 0 {
		err = s.checkLog(log, sequence, newest)
	}
	if s.disk.salvage && errors.Is(err, store.ErrCorrupt) {
		s.disk.lost, err = err, nil
	}
	for _, e := range entries {
		passing := strings.HasPrefix(e.Name(), optionsPrefix) || isIngested(e.Name())
		if err == nil && !s.readOnly && passing {
			err = os.Remove(filepath.Join(s.dir, e.Name()))
		}
	}
	if err != nil {
		return err
	}
	return s.openEngine(exists)
}

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

// checkLog looks for the commit of the mark in its log, before the engine does, which deletes logs:
// those whose entries are in tables, but never the newest.
func (s *Store) checkLog(log, sequence, newest uint64) error {
	name := fmt.Sprintf("%06d.log", log)
	lost := func(what string) error {
		return fmt.Errorf("%w: %s is %s: commits that were acknowledged are not there. Try: restore a backup, or empty %s "+
			"to go on without them", store.ErrCorrupt, name, what, FileName)
	}
	f, err := os.Open(filepath.Join(s.dir, name))
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if newest < log {
			return lost("missing")
		}
		return nil
	}
	defer f.Close()
	for records := newReader(record.NewReader, f, log); ; {
		var head [12]byte // of a batch: its first sequence number, and how many it has
		r, err := records.Next()
		if err == nil {
			_, err = io.ReadFull(r, head[:])
		}
		if err == nil {
			_, err = io.Copy(io.Discard, r)
		}
		if err != nil {
			return lost(fmt.Sprintf("damaged or cut at byte %d", records.Offset()))
		}
		if binary.LittleEndian.Uint64(head[:])+uint64(binary.LittleEndian.Uint32(head[8:])) >= sequence {
			return nil
		}
	}
}

// newReader calls open with a number of a type of the engine's that has no name here.
func newReader[N ~uint64, R any](open func(io.Reader, N) R, log io.Reader, number uint64) R {
	return open(log, N(number))
}

// openEngine opens the engine. It may stop where it does not return, which is given up.
func (s *Store) openEngine(exists bool) (err error) {
	opened := start(func() (err error) {
		s.db, err = pebble.Open(s.dir, s.settings(exists))
		return err
	})
	select {
	case err = <-opened:
	case <-s.broken:
		select {
		case <-opened:
		case <-time.After(openPatience):
		}
	}
	var system syscall.Errno
	switch failed := s.failed.Load(); {
	case failed != nil:
		return *failed
	case errors.Is(err, pebble.ErrDBDoesNotExist) && !exists:
		return fmt.Errorf("its making was cut off: %w", fs.ErrNotExist)
	case err == nil, errors.Is(err, store.ErrCorrupt), errors.As(err, &system) && system != syscall.ENOENT:
		return err
	}
	// What is there is not what the engine has left.
	return fmt.Errorf("%w: %s. Try: restore a backup", store.ErrCorrupt, firstLine(err.Error()))
}

// memTable returns the size of a memtable.
func (s *Store) memTable() uint64 { return uint64(min(max(s.memory/16, 1<<20), 64<<20)) }

// settings returns the options of the engine.
func (s *Store) settings(exists bool) *pebble.Options {
	o := &pebble.Options{
		FS:                          s.disk,
		Logger:                      s.log,
		EventListener:               s.listener(),
		ReadOnly:                    s.readOnly,
		DisableConsistencyCheck:     s.disk.salvage,
		ErrorIfNotExists:            s.readOnly || exists,
		FormatMajorVersion:          format,
		MemTableSize:                s.memTable(),
		MemTableStopWritesThreshold: 2,
		CacheSize:                   s.cache,
		MaxOpenFiles:                256,
		L0CompactionThreshold:       4,
		L0StopWritesThreshold:       24,
		LBaseMaxBytes:               64 << 20,
		CompactionConcurrencyRange:  func() (int, int) { return 1, 2 },
	}
	for i := range o.Levels {
		o.Levels[i].BlockSize = 8 << 10
		o.Levels[i].FilterPolicy = bloom.FilterPolicy(10)
	}
	// Mark knows the log's commits only: what is ingested must stand in the manifest.
	o.Experimental.DisableIngestAsFlushable = func() bool { return true }
	profile := block.NoCompression
	switch s.compression {
	case Snappy:
		profile = block.SnappyCompression
	case Zstd:
		profile = block.ZstdCompression
	}
	o.ApplyCompressionSettings(func() pebble.DBCompressionSettings {
		return pebble.UniformDBCompressionSettings(profile)
	})
	return o
}

// openError says what to do about the engine's error.
func openError(dir string, readOnly bool, err error) error {
	advice := ""
	switch {
	case errors.Is(err, store.ErrLocked), !descriptor.Locks && strings.Contains(err.Error(), "lock"):
		err, advice = store.ErrLocked, ". Try: end the program that has it open, or choose another folder"
	case isFull(err):
		err = fmt.Errorf("%w: %w", store.ErrFull, err)
		advice = ". Try: make room on that disk, or more files that may be open"
	case !readOnly && (errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)):
		advice = ". Try: another user, or open it for reading only"
	}
	return fmt.Errorf("pebblestore: open %s: %w%s", dir, engineError(err), advice)
}
