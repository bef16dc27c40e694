// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pebblestore

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/uproar-db/uproar/internal/descriptor"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/groupcommit"
)

// disk is the file system that the engine is given. Pebble ends the process when its log or its
// manifest cannot be written, and tries a table again at once. So:
//
//   - A table that cannot be written is an error, and the next one waits: nothing is lost, the
//     engine tries again.
//   - Any other file that there is no room for is tried again, until there is.
//   - Any other failure is told to the store and stays here: the goroutine that met it stays too.
//     It holds none of the locks that readers need, and an error would have the engine unlock twice
//     what it has locked once, which ends the process.
//
// While the store is opened every failure is one of opening.
type disk struct {
	vfs.FS
	fail     func(error) error                  // told of failures that stay
	moved    func() error                       // tells why a file would be made in another folder
	fault    func(operation, name string) error // tests have operations fail by it
	salvage  bool                               // a damaged log ends before the damage
	lost     error                              // tells of commits that are missing, in a salvage
	manifest []byte                             // made by a salvage, in the place of the one that is there
	opening  atomic.Bool
	ending   atomic.Bool           // the engine is to end: no table is written
	dead     atomic.Bool           // the engine was given up, and must not change a file any more
	stuck    atomic.Pointer[error] // the last merge has failed with it, for no lack of room
	pause    atomic.Int64          // before the next table is made
	made     atomic.Bool           // a log was made since opening
	synced   atomic.Uint64         // number of the log that was last synced
}

const (
	tablePause = 100 * time.Millisecond // before the next table after one that could not be written
	stuckPause = time.Second            // before the next table after a merge that failed: it is tried at once
	roomPause  = 50 * time.Millisecond  // before a file is tried again that there was no room for

	tableWrite = 256 << 10 // of what is written to a table: the engine writes a block at a time
)

var errEnding = errors.New("the store is being closed")

// ingestPrefix is how names of tables begin that the engine does not know yet. Those that a crash
// leaves are removed at opening.
const ingestPrefix = "ingest-"

// isIngested reports whether a file is a table of an ingestion that has not ended.
func isIngested(name string) bool { return strings.HasPrefix(filepath.Base(name), ingestPrefix) }

func isTable(name string) bool { return strings.HasSuffix(name, ".sst") }

// change runs an operation that changes a file. It may run it several times.
func (d *disk) change(operation, name string, run func() error) error {
	for {
		d.park()
		if isTable(name) && d.ending.Load() {
			return errEnding
		}
		if isTable(name) && operation == "create" {
			time.Sleep(time.Duration(d.pause.Swap(0)))
		}
		err := d.fault(operation, name)
		if err == nil && operation == "create" && !d.opening.Load() {
			err = d.moved()
		}
		if err == nil {
			err = run()
		}
		switch {
		case err == nil:
			if log := logNumber(name); log > 0 && operation == "sync" {
				d.synced.Store(log)
			}
			return nil
		case d.opening.Load():
			return d.fail(err)
		case isTable(name):
			d.pause.Store(int64(tablePause))
			return err
		case groupcommit.IsFull(err) && operation != "sync": // what a failed sync has reached is not known
			time.Sleep(roomPause)
		default:
			_ = d.fail(err)
			select {}
		}
	}
}

// park never returns once the engine was given up.
func (d *disk) park() {
	if d.dead.Load() {
		select {}
	}
}

// wrap runs an operation that opens a file for changes.
func (d *disk) wrap(operation, name string, open func() (vfs.File, error)) (vfs.File, error) {
	f := &file{disk: d, name: name}
	err := d.change(operation, name, func() (err error) {
		f.File, err = open()
		return err
	})
	if err != nil {
		return nil, err
	}
	if logNumber(name) > 0 {
		d.made.Store(true)
	}
	return f, nil
}

func (d *disk) Create(name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	return d.wrap("create", name, func() (vfs.File, error) { return d.FS.Create(name, category) })
}

func (d *disk) ReuseForWrite(old, name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	if err := d.Rename(old, name); err != nil {
		return nil, err
	}
	return d.wrap("create", name, func() (vfs.File, error) { return d.FS.OpenReadWrite(name, category) })
}

func (d *disk) OpenDir(name string) (vfs.File, error) {
	return d.wrap("open", name, func() (vfs.File, error) { return d.FS.OpenDir(name) })
}

// Open tells readers of a table that is missing as damage.
func (d *disk) Open(name string, opts ...vfs.OpenOption) (vfs.File, error) {
	if d.manifest != nil && filepath.Base(name) == madeManifest {
		return vfs.NewMemFile(d.manifest), nil
	}
	f, err := d.FS.Open(name, opts...)
	if isTable(name) && errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: the table %s is missing", store.ErrCorrupt, filepath.Base(name))
	}
	if d.salvage && err == nil && logNumber(name) > 0 {
		return cutLog(f, logNumber(name))
	}
	return f, err
}

func (d *disk) Rename(old, name string) error {
	return d.change("rename", name, func() error { return d.FS.Rename(old, name) })
}

// Remove leaves logs until there is a newer one, which checkLog relies on: the engine comes back to
// them at the end of opening.
func (d *disk) Remove(name string) error {
	d.park()
	if logNumber(name) > 0 && !d.made.Load() {
		return nil
	}
	return d.FS.Remove(name)
}

// List leaves out the files in which the engine notes its options: it would only compare them with
// those that it is given, and refuse a store for damage to one.
func (d *disk) List(dir string) ([]string, error) {
	names, err := d.FS.List(dir)
	if d.manifest != nil {
		names = hideManifest(names)
	}
	return slices.DeleteFunc(names, func(name string) bool { return strings.HasPrefix(name, optionsPrefix) }), err
}

// Lock leaves it to the store, which can give its lock back while the engine does not end.
func (d *disk) Lock(name string) (io.Closer, error) {
	if descriptor.Locks {
		return io.NopCloser(nil), nil
	}
	return d.FS.Lock(name)
}

// file is a file that the engine changes.
type file struct {
	vfs.File
	disk     *disk
	name     string
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
		n, err := f.File.Write(f.gathered)
		f.gathered = f.gathered[:copy(f.gathered, f.gathered[n:])]
		return err
	})
}

func (f *file) Sync() error { return f.SyncData() }

func (f *file) SyncData() error {
	if err := f.flush(); err != nil {
		return err
	}
	return f.disk.change("sync", f.name, f.File.SyncData)
}

// Preallocate does nothing: a store takes the room that it has filled.
func (f *file) Preallocate(int64, int64) error { return nil }
