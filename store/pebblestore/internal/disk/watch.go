// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/uproar-db/uproar/store"
)

// expected is the files that must be there: those that were there at opening and those that were
// made since, without those that were removed. It is safe for concurrent use.
type expected struct {
	mu    sync.Mutex
	files map[string]*written // by name
}

// written is what is known of a file.
type written struct {
	file os.FileInfo  // of a log or a manifest; nil: not to be told from another
	size atomic.Int64 // at least
}

// expect adds a file, when it is there.
func (e *expected) expect(path string) *written {
	w := new(written)
	if LogNumber(path) > 0 || ManifestNumber(path) > 0 {
		w.file, _ = os.Stat(path)
	}
	if isNamed(path) {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.files[filepath.Base(path)] = w
	}
	return w
}

// drop takes a file out, before it is removed.
func (e *expected) drop(path string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.files, filepath.Base(path))
}

func (e *expected) all() map[string]*written {
	e.mu.Lock()
	defer e.mu.Unlock()
	return maps.Clone(e.files)
}

// Expect notes the files of a folder, before the engine is opened.
func (d *Disk) Expect(dir string) error {
	names, err := d.FS.List(dir)
	if errors.Is(err, fs.ErrNotExist) { // the engine makes it
		return nil
	}
	for _, name := range names {
		path := filepath.Join(dir, name)
		if w := d.expect(path); w.file != nil {
			w.size.Store(w.file.Size())
		}
	}
	return err
}

// Watch looks for files that vanish beneath an engine that writes: one that is open goes on without
// its name, and what is acknowledged in it would be gone at the next opening.
type Watch struct {
	Disk   *Disk
	Dir    string
	listed time.Time // when the folder had changed at the last look
}

// clockTick is within what time two changes of a folder may have one time.
const clockTick = 2 * time.Second

// Look returns which file was deleted, or which log or manifest was cut or replaced. It lists files
// only if the folder has changed. A folder that cannot be listed is looked at the next time.
func (w *Watch) Look() error {
	before := w.Disk.all()
	info, err := w.Disk.FS.Stat(w.Dir)
	if err != nil {
		return nil
	}
	there := maps.Clone(before)
	if !info.ModTime().Equal(w.listed) || time.Since(w.listed) <= clockTick {
		names, err := w.Disk.FS.List(w.Dir)
		if err != nil {
			return nil
		}
		clear(there)
		for _, name := range names {
			there[name] = before[name]
		}
	}
	wrong := map[string]string{}
	for name, known := range before {
		if what := known.compare(filepath.Join(w.Dir, name)); what != "" {
			wrong[name] = what
		} else if _, ok := there[name]; !ok {
			wrong[name] = "deleted"
		}
	}
	now := w.Disk.all()
	for name, what := range wrong {
		if now[name] == before[name] { // else the engine has removed it
			return vanished(name, what)
		}
	}
	w.listed = info.ModTime() // of before: what changed since is looked at again
	return nil
}

// vanished is the error that ends writing when something was done to a file.
func vanished(name, what string) error {
	return fmt.Errorf("%w: %s was %s beneath the open store. Try: first a backup from the running server (uproar backup "+
		"--url), whose memory may be all that has the newest writes; stop what did it; then restore it, or uproar salvage",
		store.ErrCorrupt, name, what)
}

// cut fails when a file is shorter than what was written to it. What is written next would have its
// size fit again, with a hole before it.
func (f *file) cut() error {
	if info, err := f.File.Stat(); err == nil && info.Size() < f.written.size.Load() {
		return vanished(filepath.Base(f.name), "cut")
	}
	return nil
}

// compare says what was done to a log or a manifest; "": nothing.
func (w *written) compare(path string) string {
	if w.file == nil {
		return ""
	}
	size := w.size.Load()
	switch info, err := os.Stat(path); {
	case os.IsNotExist(err):
		return "deleted"
	case err != nil: // the disk does not answer
		return ""
	case !os.SameFile(info, w.file):
		return "replaced"
	case info.Size() < size:
		return "cut"
	}
	return ""
}
