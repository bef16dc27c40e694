// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package inspect

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"path/filepath"
	"strings"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/uproar-db/uproar/store/pebblestore/internal/disk"
)

// Salvaged is a file system in which a damaged log ends before the damage: the engine would refuse
// the store for it.
type Salvaged struct {
	vfs.FS
	Manifest []byte // stands in the place of the one that is there; nil: it is that one
}

const (
	madeManifest = "MANIFEST-000001"
	madeMarker   = "marker.manifest.000001." + madeManifest
)

// Open implements vfs.FS.
func (s Salvaged) Open(name string, opts ...vfs.OpenOption) (vfs.File, error) {
	if s.Manifest != nil && filepath.Base(name) == madeManifest {
		return vfs.NewMemFile(s.Manifest), nil
	}
	f, err := s.FS.Open(name, opts...)
	if log := disk.LogNumber(name); err == nil && log > 0 {
		whole, _ := readLog(f, log, func(_, _ uint64) bool { return false })
		content := make([]byte, whole)
		_, err := f.ReadAt(content, 0)
		return vfs.NewMemFile(content), errors.Join(err, f.Close())
	}
	return f, err
}

// List implements vfs.FS.
func (s Salvaged) List(dir string) ([]string, error) {
	names, err := s.FS.List(dir)
	if s.Manifest == nil || err != nil {
		return names, err
	}
	kept := []string{madeManifest, madeMarker}
	for _, name := range names {
		if !strings.HasPrefix(name, "MANIFEST-") && !strings.HasPrefix(name, "marker.manifest.") {
			kept = append(kept, name)
		}
	}
	return kept, nil
}

// Scanning reads an engine with a manifest of Rebuild: its own Get would end at the first table
// that has the key.
type Scanning struct{ pebble.Reader }

// Get returns the latest value of a key.
func (r Scanning) Get(key []byte) (value []byte, closer io.Closer, err error) {
	it, err := r.NewIter(&pebble.IterOptions{LowerBound: key, UpperBound: append(bytes.Clone(key), 0)})
	if err != nil {
		return nil, nil, err
	}
	if it.First() {
		if value, err = it.ValueAndErr(); err == nil {
			return value, it, nil
		}
	}
	return nil, nil, cmp.Or(err, it.Close(), pebble.ErrNotFound)
}
