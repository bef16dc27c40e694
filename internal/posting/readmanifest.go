// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"slices"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"

	"github.com/uproar-db/uproar/store"
)

// storedManifest is a manifest read from the store, with what its keeper must know.
type storedManifest struct {
	manifest *format.Manifest
	first    uint64 // number of the oldest record
	last     uint64 // number of the newest record, 0: none
	whole    uint64 // number of the newest record with which a checkpoint or change was whole
	churn    int    // pages named by changes since the checkpoint

	sum        format.ManifestChange // all changes since the checkpoint, and the checkpoint, as one
	generation uint64
}

// ReadManifest reads the manifest of an index as it is stored, for who reads a damaged store and
// opens no index. Errors: ErrCorrupt, ErrVersion, or the store's.
func ReadManifest(s store.Store, index uint32) (*format.Manifest, error) {
	stored, err := readManifest(s, index)
	return stored.manifest, err
}

// readManifest reads the records of an index: the newest whole checkpoint, then the whole changes
// after it.
func readManifest(s store.Store, index uint32) (*storedManifest, error) {
	out := &storedManifest{sum: format.ManifestChange{Next: map[uint32]uint64{}}}
	var group []*format.ManifestRecord // the parts met so far
	// a record that is not there, and that no whole checkpoint has made up for; 0: none
	missing := uint64(0)
	// Changes after a hole are passed over: deleting what a checkpoint made needless may have been
	// interrupted, and the checkpoint is still to come.
	err := s.Scan(format.AppendIndexPrefix(nil, format.KindManifest, index), nil, func(key, value []byte) error {
		if len(key) != format.ManifestKeyLen {
			return model.Corrupt("manifest", "got a key of %d bytes, want %d", len(key), format.ManifestKeyLen)
		}
		r, err := format.DecodeManifestRecord(key, value)
		if err != nil {
			return err
		}
		number := format.NumberOfKey(key)
		if number != out.last+1 {
			missing, group = out.last+1, group[:0]
		}
		if out.last == 0 {
			out.first = number
		}
		out.last = number
		if group = r.Join(group); uint64(len(group)) < r.Parts {
			return nil // the parts of one that was not finished say nothing
		}
		out.whole = number
		if r.Kind == format.RecordCheckpoint {
			missing = 0 // it states everything, whatever came before
		}
		if missing != 0 {
			group = group[:0]
			return nil
		}
		out.apply(group)
		group = group[:0]
		return nil
	})
	if err == nil && missing != 0 {
		err = model.Corrupt("manifest", "got records up to %d, want %d among them, or a whole checkpoint after it",
			out.last,
			missing)
	}
	if err == nil {
		err = out.build()
	}
	return out, err
}

// apply adds the parts of one checkpoint or change to the sum.
func (s *storedManifest) apply(parts []*format.ManifestRecord) {
	last := parts[len(parts)-1]
	if last.Kind == format.RecordCheckpoint {
		s.sum, s.generation, s.churn = format.ManifestChange{}, 0, 0
	}
	for _, r := range parts {
		s.sum.Added = append(s.sum.Added, r.Added...)
		if last.Kind == format.RecordChange {
			s.sum.Dropped = append(s.sum.Dropped, r.Dropped...)
			s.churn += len(r.Dropped) + len(r.Added)
		}
	}
	s.sum.Flushed, s.sum.Next, s.generation = last.Flushed, last.Next, max(s.generation, last.Generation)
}

// build makes the manifest of the sum: changes are not applied one by one, because each costs a
// walk over the pages of its fields.
func (s *storedManifest) build() (err error) {
	gone := make(map[uint64]bool, len(s.sum.Dropped))
	for i := range s.sum.Dropped {
		gone[s.sum.Dropped[i].Generation] = true
	}
	named := len(s.sum.Added)
	s.sum.Added = slices.DeleteFunc(s.sum.Added, func(r format.Ref) bool { return gone[r.Generation] })
	if found := named - len(s.sum.Added); found != len(gone) || len(gone) != len(s.sum.Dropped) {
		return model.Corrupt("manifest", "got %d pages to drop, found %d of them", len(s.sum.Dropped), found)
	}
	s.manifest, err = format.EmptyManifest().Apply(&format.ManifestChange{Flushed: s.sum.Flushed, Next: s.sum.Next,
		Added: s.sum.Added}, s.generation)
	s.sum = format.ManifestChange{}
	return err
}
