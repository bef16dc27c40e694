// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package inspect

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cockroachdb/pebble/v2"

	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/pebblestore/internal/disk"
)

// Watch looks for files that vanish beneath an engine that writes: one that is open goes on without
// its name, and what is acknowledged in it would be gone at the next opening.
type Watch struct {
	Files
	DB       *pebble.DB
	Log      func() uint64 // the number of the newest log
	Manifest func() uint64 // that of the newest manifest; 0: it is not known
	Listed   time.Time     // when the folder had changed at the last look
}

// clockTick is within what time two changes of a folder may have one time.
const clockTick = 2 * time.Second

// Look returns which of the files is missing that the next opening needs. It lists them only if the
// folder has changed, and asks twice: the engine makes and removes files meanwhile. A folder that
// cannot be listed is looked at the next time.
func (w *Watch) Look() (err error) {
	info, failed := w.FS.Stat(w.Dir)
	if failed != nil || info.ModTime().Equal(w.Listed) && time.Since(w.Listed) > clockTick {
		return nil
	}
	for range 2 {
		missing, failed := w.missing()
		if failed != nil {
			return nil
		}
		if missing == "" {
			w.Listed = info.ModTime() // of before: what changed since is looked at again
			return nil
		}
		err = fmt.Errorf("%w: %s was deleted beneath the open store. Try: stop what deletes it, then uproar salvage or a "+
			"backup", store.ErrCorrupt, missing)
	}
	return err
}

// missing returns the name of a file that is missing, "" for none. What the engine wanted before
// the files were listed and wants after it was there meanwhile.
func (w *Watch) missing() (string, error) {
	before, err := w.wanted()
	if err != nil {
		return "", err
	}
	names, err := w.FS.List(w.Dir)
	if err != nil {
		return "", err
	}
	after, err := w.wanted()
	if err != nil {
		return "", err
	}
	there := make(map[string]bool, len(names))
	for _, name := range names {
		there[name] = true
	}
	for name := range before {
		if after[name] && !there[name] {
			return name, nil
		}
	}
	for _, marker := range []string{manifestMarker, formatMarker} {
		if !slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(name, marker) }) {
			return marker + "*", nil
		}
	}
	return "", nil
}

// wanted returns the files that the next opening needs, but for the markers.
func (w *Watch) wanted() (map[string]bool, error) {
	names, err := tablesOf(w.DB)
	if err != nil {
		return nil, err
	}
	if log := w.Log(); log > 0 {
		names[disk.LogName(log)] = true
	}
	if manifest := w.Manifest(); manifest > 0 {
		names[fmt.Sprintf("MANIFEST-%06d", manifest)] = true
	}
	return names, nil
}
