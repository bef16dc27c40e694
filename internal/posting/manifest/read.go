// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package manifest reads the manifest of an index, as it is stored: records, of which the newest
// whole checkpoint and the changes after it count.
package manifest

import (
	"slices"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"

	"github.com/uproar-db/uproar/store"
)

// Stored is a manifest read from the store, with what its keeper must know.
type Stored struct {
	Manifest *format.Manifest
	First    uint64 // number of the oldest record
	Last     uint64 // number of the newest record, 0: none
	Whole    uint64 // number of the newest record with which a checkpoint or change was whole
	Churn    int    // pages named by changes since the checkpoint

	sum        format.ManifestChange // all changes since the checkpoint, and the checkpoint, as one
	generation uint64
}

// Read reads the records of an index: the newest whole checkpoint, then the whole changes after it.
// Errors: ErrCorrupt, ErrVersion, or the store's.
func Read(s store.Store, index uint32) (*Stored, error) {
	out := &Stored{sum: format.ManifestChange{Next: map[uint32]uint64{}}}
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
		if number != out.Last+1 {
			missing, group = out.Last+1, group[:0]
		}
		if out.Last == 0 {
			out.First = number
		}
		out.Last = number
		if group = r.Join(group); uint64(len(group)) < r.Parts {
			return nil // the parts of one that was not finished say nothing
		}
		out.Whole = number
		if r.Kind == format.RecordCheckpoint {
			missing = 0 // it states everything, whatever came before
		}
		if missing != 0 {
			group = group[:0]
			return nil
		}
		out.Apply(group)
		group = group[:0]
		return nil
	})
	if err == nil && missing != 0 {
		err = model.Corrupt("manifest", "got records up to %d, want %d among them, or a whole checkpoint after it",
			out.Last,
			missing)
	}
	if err == nil {
		err = out.Build()
	}
	return out, err
}

// Apply adds the parts of one checkpoint or change to the sum.
func (s *Stored) Apply(parts []*format.ManifestRecord) {
	last := parts[len(parts)-1]
	if last.Kind == format.RecordCheckpoint {
		s.sum, s.generation, s.Churn = format.ManifestChange{}, 0, 0
	}
	for _, r := range parts {
		s.sum.Added = append(s.sum.Added, r.Added...)
		if last.Kind == format.RecordChange {
			s.sum.Dropped = append(s.sum.Dropped, r.Dropped...)
			s.Churn += len(r.Dropped) + len(r.Added)
		}
	}
	s.sum.Flushed, s.sum.Next, s.generation = last.Flushed, last.Next, max(s.generation, last.Generation)
}

// Build makes the manifest of the sum: changes are not applied one by one, because each costs a
// walk over the pages of its fields.
func (s *Stored) Build() (err error) {
	gone := make(map[uint64]bool, len(s.sum.Dropped))
	for i := range s.sum.Dropped {
		gone[s.sum.Dropped[i].Generation] = true
	}
	named := len(s.sum.Added)
	s.sum.Added = slices.DeleteFunc(s.sum.Added, func(r format.Ref) bool { return gone[r.Generation] })
	if found := named - len(s.sum.Added); found != len(gone) || len(gone) != len(s.sum.Dropped) {
		return model.Corrupt("manifest", "got %d pages to drop, found %d of them", len(s.sum.Dropped), found)
	}
	s.Manifest, err = format.EmptyManifest().Apply(&format.ManifestChange{Flushed: s.sum.Flushed, Next: s.sum.Next,
		Added: s.sum.Added}, s.generation)
	s.sum = format.ManifestChange{}
	return err
}
