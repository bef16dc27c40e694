// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package badgerstore

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/dgraph-io/badger/v4"
	"github.com/uproar-db/uproar/store"
)

// replayManifest returns which tables there are.
func replayManifest(f *os.File) (badger.Manifest, error) {
	manifest, _, err := badger.ReplayManifestFile(f, 0, badger.DefaultOptions(filepath.Dir(f.Name())).WithLogger(nil))
	if err != nil {
		return manifest, fmt.Errorf("%w: %s: %w", store.ErrCorrupt, f.Name(), err)
	}
	return manifest, nil
}

// filesOf returns the paths of the files of a folder whose names end so.
func filesOf(dir, suffix string) (paths []string, err error) {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), suffix) {
			paths = append(paths, filepath.Join(dir, e.Name()))
		}
	}
	return paths, err
}

// openEngine is Badger's open, with a panic over damaged files made an error.
func openEngine(o badger.Options) (db *badger.DB, err error) {
	defer func() {
		if r := recover(); r != nil {
			db, err = nil, fmt.Errorf("%w: the engine gave up: %.200v", store.ErrCorrupt, r)
		}
	}()
	return badger.OpenManaged(o)
}
