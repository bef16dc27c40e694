// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package inspect

import (
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/cockroachdb/pebble/v2/record"
	"github.com/cockroachdb/pebble/v2/vfs/atomicfs"

	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/pebblestore/internal/disk"
)

// CheckManifest looks whether the manifest has all that the mark knows of. At opening it is called
// before the engine, which deletes tables that the manifest does not name. A manifest of another
// number is not looked at: an older one is that of an engine that was cut off while it made the
// newer, and the mark does not know of a newer one after a power cut. Errors: store.ErrCorrupt.
func (f *Files) CheckManifest() error {
	mark, _ := readMark(f.Mark)
	if mark.Manifest == 0 {
		return nil
	}
	name, whole, err := f.readManifest()
	if err != nil || name == "" || disk.ManifestNumber(name) != mark.Manifest || uint64(whole) >= mark.Size {
		return err
	}
	return fmt.Errorf("%w: %s, the list of tables, is damaged or cut at byte %d, of %d that were written: tables that it "+
		"named would be deleted. Try: restore a backup, or uproar salvage", store.ErrCorrupt, name, whole, mark.Size)
}

// readManifest reads the manifest that counts. It returns its name, "" if there is none, which the
// engine tells, and how many bytes have whole records.
func (f *Files) readManifest() (name string, whole int64, err error) {
	names, err := f.FS.List(f.Dir)
	if err != nil {
		return "", 0, err
	}
	marker, name, err := atomicfs.LocateMarkerInListing(f.FS, f.Dir, "manifest", names)
	if err != nil || name == "" {
		return "", 0, nil
	}
	defer marker.Close()
	file, err := f.FS.Open(f.path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return "", 0, nil
	}
	if err != nil {
		return "", 0, err
	}
	defer file.Close()
	for records := newReader(record.NewReader, file, 0); ; whole = records.Offset() {
		r, err := records.Next()
		if err == nil {
			_, err = io.Copy(io.Discard, r)
		}
		if err != nil {
			return name, whole, nil
		}
	}
}
