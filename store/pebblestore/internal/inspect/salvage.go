// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package inspect

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/uproar-db/uproar/store/pebblestore/internal/disk"
)

// Salvaged is a file system in which a damaged log ends before the damage, for which the engine
// would refuse the store; in which single bits of tables are put right; and which has the markers
// that the engine wants.
type Salvaged struct {
	vfs.FS
	Mended   *Mended // is told which bits were put right
	Manifest []byte  // stands in the place of the one that is there; nil: it is that one
}

const (
	madeManifest   = "MANIFEST-000001"
	manifestMarker = "marker.manifest."
	formatMarker   = "marker.format-version."
)

// Open implements vfs.FS.
func (s Salvaged) Open(name string, opts ...vfs.OpenOption) (vfs.File, error) {
	if s.Manifest != nil && filepath.Base(name) == madeManifest {
		return vfs.NewMemFile(s.Manifest), nil
	}
	f, err := s.FS.Open(name, opts...)
	if err != nil {
		return nil, err
	}
	log := disk.LogNumber(name)
	switch {
	case disk.TableNumber(name) > 0:
		info, err := f.Stat()
		if err != nil {
			return nil, errors.Join(err, f.Close())
		}
		return repairedTable{f, name, info.Size(), s.Mended}, nil
	case log == 0 && disk.ManifestNumber(name) == 0:
		return f, nil
	}
	was, err := io.ReadAll(f)
	content := bytes.Clone(was)
	repairRecords(content)
	if log > 0 {
		whole, _ := readLog(bytes.NewReader(content), log, func(_, _ uint64) bool { return false })
		content = content[:whole]
	}
	s.Mended.note(name, 0, was[:len(content)], content)
	return vfs.NewMemFile(content), errors.Join(err, f.Close())
}

// List implements vfs.FS.
func (s Salvaged) List(dir string) ([]string, error) {
	all, err := s.FS.List(dir)
	if err != nil {
		return nil, err
	}
	var names []string
	manifest, marked, versioned := "", false, false
	for _, name := range all {
		isManifest, isMarker := disk.ManifestNumber(name) > 0, strings.HasPrefix(name, manifestMarker)
		if s.Manifest != nil && (isManifest || isMarker) {
			continue
		}
		if isManifest && disk.ManifestNumber(name) > disk.ManifestNumber(manifest) {
			manifest = name
		}
		marked = marked || isMarker
		versioned = versioned || strings.HasPrefix(name, formatMarker)
		names = append(names, name)
	}
	if s.Manifest != nil {
		manifest = madeManifest
		names = append(names, manifest)
	}
	if !marked && manifest != "" {
		names = append(names, manifestMarker+"000001."+manifest)
	}
	if !versioned {
		names = append(names, fmt.Sprintf("%s000001.%03d", formatMarker, int(disk.Format)))
	}
	return names, nil
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
