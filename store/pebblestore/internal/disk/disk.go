// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package disk is the file system that Pebble is given, and what hears of its work: a full or a
// broken disk and damage become errors, where the engine would end the process. It knows files and
// the engine, and neither the store above nor what is in the files.
package disk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/uproar-db/uproar/internal/descriptor"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/groupcommit"
)

// Disk is a file system. Pebble ends the process when its log or its manifest cannot be written,
// and tries a table again at once. So:
//
//   - A table that cannot be written is an error, and the next one waits: nothing is lost, the
//     engine tries again.
//   - Any other file that there is no room for is tried again, until there is.
//   - Any other failure is told to the store and stays here: the goroutine that met it stays too.
//     It holds none of the locks that readers need, and an error would have the engine unlock twice
//     what it has locked once, which ends the process.
//
// Until Opened every failure is one of opening. The fields are set before the engine is opened; all
// methods are safe for concurrent use.
type Disk struct {
	vfs.FS
	Fault func(operation, name string) error // nil: none; tests have operations fail by it

	// Space returns how many bytes and files the disk of a folder still takes: that of descriptor.
	Space func(dir string) (bytes, files uint64, err error)

	// Listed is told of a manifest that was synced: its number, and how many bytes it has. Its
	// errors are logged only: who has not heard knows less, and nothing wrong. Nil: nobody is told.
	Listed func(manifest, size uint64) error

	fail  func(error) error // told of failures that stay
	moved func() error      // tells why a file would be made in another folder
	log   *slog.Logger

	expected

	reusing sync.Mutex // held while a log gets the name of a newer one

	opened atomic.Bool
	ending atomic.Bool   // the engine is to end: no table is written
	dead   atomic.Bool   // the engine was given up, and must not change a file any more
	pause  atomic.Int64  // before the next table is made
	newest atomic.Uint64 // number of the newest log that was made since opening; 0: none
	synced atomic.Uint64 // number of the log that was last synced

	trouble atomic.Pointer[error]         // the last flush has failed with it, and is tried again
	stuck   atomic.Pointer[error]         // the last merge has failed with it, for no lack of room
	stalled atomic.Pointer[chan struct{}] // writers wait for flushes or merges until it is closed
}

const (
	tablePause = 100 * time.Millisecond // before the next table after one that could not be written
	stuckPause = time.Second            // before the next table after a merge that failed: it is tried at once

	// RoomPause goes by before a file is tried again that there was no room for.
	RoomPause = 50 * time.Millisecond

	tableWrite = 256 << 10 // of what is written to a table: the engine writes a block at a time
)

var errEnding = errors.New("the store is being closed")

// New returns the disk of a store. fail is told of failures that stay, and moved tells why a file
// would be made in another folder.
func New(fail func(error) error, moved func() error, log *slog.Logger) *Disk {
	return &Disk{FS: vfs.Default, Space: descriptor.Space, fail: fail, moved: moved, log: log,
		expected: expected{files: map[string]*written{}}}
}

// Opened tells that the engine was opened.
func (d *Disk) Opened() { d.opened.Store(true) }

// End has no table written any more: the engine is to be closed.
func (d *Disk) End() { d.ending.Store(true) }

// GiveUp has no file changed any more: goroutines of the engine that would do so stay.
func (d *Disk) GiveUp() { d.dead.Store(true) }

// NewestLog returns the number of the newest log that was made since opening; 0: none was.
func (d *Disk) NewestLog() uint64 { return d.newest.Load() }

// DropLogs removes the logs before one, whose entries are all in tables: the engine keeps them to
// use them again.
func (d *Disk) DropLogs(dir string, before uint64) error {
	d.reusing.Lock()
	defer d.reusing.Unlock()
	names, err := d.FS.List(dir)
	for _, name := range names {
		if log := LogNumber(name); log > 0 && log < before {
			d.drop(name)
			err = errors.Join(err, d.FS.Remove(filepath.Join(dir, name)))
		}
	}
	return err
}

// SyncedLog returns the number of the log that was last synced.
func (d *Disk) SyncedLog() uint64 { return d.synced.Load() }

// change runs an operation that changes a file. It may run it several times.
func (d *Disk) change(operation, name string, run func() error) error {
	for {
		d.park()
		if isTable(name) && d.ending.Load() {
			return errEnding
		}
		if isTable(name) && operation == "create" {
			time.Sleep(time.Duration(d.pause.Swap(0)))
		}
		var err error
		if d.Fault != nil {
			err = d.Fault(operation, name)
		}
		if err == nil && operation == "create" && d.opened.Load() {
			err = d.moved()
		}
		if err == nil {
			err = run()
		}
		switch {
		case err == nil:
			if log := LogNumber(name); log > 0 && operation == "sync" {
				d.synced.Store(log)
			}
			return nil
		case !d.opened.Load():
			return d.fail(err)
		case isTable(name):
			d.pause.Store(int64(tablePause))
			return err
		case groupcommit.IsFull(err) && operation != "sync": // what a failed sync has reached is not known
			time.Sleep(RoomPause)
		default:
			_ = d.fail(err)
			select {}
		}
	}
}

// park never returns once the engine was given up.
func (d *Disk) park() {
	if d.dead.Load() {
		select {}
	}
}

// wrap runs an operation that opens a file for changes.
func (d *Disk) wrap(operation, name string, open func() (vfs.File, error)) (vfs.File, error) {
	f := &file{disk: d, name: name}
	err := d.change(operation, name, func() (err error) {
		f.File, err = open()
		return err
	})
	if err != nil {
		return nil, err
	}
	f.written = d.expect(name)
	if log := LogNumber(name); log > 0 {
		d.newest.Store(log)
	}
	return f, nil
}

// Create implements vfs.FS.
func (d *Disk) Create(name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	return d.wrap("create", name, func() (vfs.File, error) { return d.FS.Create(name, category) })
}

// ReuseForWrite implements vfs.FS. It makes a file where DropLogs has removed the old one.
func (d *Disk) ReuseForWrite(old, name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	d.reusing.Lock()
	_, err := d.FS.Stat(old)
	dropped := errors.Is(err, fs.ErrNotExist)
	if !dropped {
		err = d.Rename(old, name)
	}
	d.reusing.Unlock()
	switch {
	case dropped:
		return d.Create(name, category)
	case err != nil:
		return nil, err
	}
	return d.wrap("create", name, func() (vfs.File, error) { return d.FS.OpenReadWrite(name, category) })
}

// OpenDir implements vfs.FS.
func (d *Disk) OpenDir(name string) (vfs.File, error) {
	return d.wrap("open", name, func() (vfs.File, error) { return d.FS.OpenDir(name) })
}

// Open implements vfs.FS. It tells readers of a table that is missing, or none, as damage.
func (d *Disk) Open(name string, opts ...vfs.OpenOption) (vfs.File, error) {
	f, err := d.FS.Open(name, opts...)
	if !isTable(name) {
		return f, err
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: the table %s is missing", store.ErrCorrupt, filepath.Base(name))
	}
	if err == nil {
		if err = CheckFooter(f); err != nil {
			err = errors.Join(fmt.Errorf("%s: %w", filepath.Base(name), err), f.Close())
		}
	}
	if err != nil {
		return nil, err
	}
	return f, nil
}

// Rename implements vfs.FS.
func (d *Disk) Rename(old, name string) error {
	d.drop(old)
	err := d.change("rename", name, func() error { return d.FS.Rename(old, name) })
	if err == nil {
		d.expect(name)
	}
	return err
}

// Link implements vfs.FS.
func (d *Disk) Link(old, name string) error {
	err := d.FS.Link(old, name)
	if err == nil {
		d.expect(name)
	}
	return err
}

// Remove implements vfs.FS. It leaves logs until there is a newer one, because the store looks for
// its last commit in the newest: the engine comes back to them at the end of opening.
func (d *Disk) Remove(name string) error {
	d.park()
	if LogNumber(name) > 0 && d.newest.Load() == 0 {
		return nil
	}
	d.drop(name)
	return d.FS.Remove(name)
}

// List implements vfs.FS. It leaves out the files in which the engine notes its options: it would
// only compare them with those that it is given, and refuse a store for damage to one.
func (d *Disk) List(dir string) ([]string, error) {
	names, err := d.FS.List(dir)
	return slices.DeleteFunc(names, isOptions), err
}

// Lock implements vfs.FS. It leaves it to the store, which can give its lock back while the engine
// does not end.
func (d *Disk) Lock(name string) (io.Closer, error) {
	if descriptor.Locks {
		return io.NopCloser(nil), nil
	}
	return d.FS.Lock(name)
}

// file is a file that the engine changes.
type file struct {
	vfs.File
	disk     *Disk
	name     string
	written  *written
	gathered []byte // what is to be written
}

func (f *file) Write(p []byte) (int, error) {
	if f.gathered = append(f.gathered, p...); isTable(f.name) && len(f.gathered) < tableWrite {
		return len(p), nil
	}
	return len(p), f.flush()
}

func (f *file) flush() error {
	if len(f.gathered) == 0 {
		return nil
	}
	return f.disk.change("write", f.name, func() error {
		if err := f.cut(); err != nil {
			return err
		}
		n, err := f.File.Write(f.gathered)
		f.written.size.Add(int64(max(n, 0)))
		f.gathered = f.gathered[:copy(f.gathered, f.gathered[n:])]
		return err
	})
}

func (f *file) Sync() error { return f.SyncData() }

func (f *file) SyncData() error {
	if err := f.flush(); err != nil {
		return err
	}
	err := f.disk.change("sync", f.name, f.File.SyncData)
	if manifest := ManifestNumber(f.name); err == nil && manifest > 0 && f.disk.Listed != nil {
		if failed := f.disk.Listed(manifest, uint64(f.written.size.Load())); failed != nil {
			f.disk.log.Warn("the mark of a store cannot be written", "manifest", f.name, "error", failed)
		}
	}
	return err
}

// Preallocate does nothing: a store takes the room that it has filled.
func (f *file) Preallocate(int64, int64) error { return nil }
