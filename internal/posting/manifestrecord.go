// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/seal"

	"github.com/uproar-db/uproar/store"
)

// Kinds of manifest record.
const (
	recordCheckpoint = 0
	recordChange     = 1
)

// partPages is how many pages one record names: some 2 MB of varints. A checkpoint or change of
// more is written in parts.
const partPages = 100_000

// manifestRecord is one record of the manifest as it is stored (docs/format/manifest.md).
type manifestRecord struct {
	kind           byte
	part, parts    uint64
	flushed        uint64
	generation     uint64
	next           map[uint32]uint64
	dropped, added []ref
}

func appendRefs(dst []byte, refs []ref) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(refs)))
	for i := range refs {
		r := &refs[i]
		for _, x := range [...]uint64{uint64(r.field), uint64(r.shard), r.first, r.piece, r.generation, uint64(r.rows),
			r.values, uint64(r.bytes)} {
			dst = binary.AppendUvarint(dst, x)
		}
	}
	return dst
}

func readRefs(r *reader) []ref {
	n := r.count()
	if n*8 > len(r.b) {
		r.ok = false
	}
	if !r.ok {
		return nil
	}
	refs := make([]ref, 0, n)
	for range n {
		f := ref{field: r.varint32(), shard: r.varint32(), first: r.varint(), piece: r.varint(), generation: r.varint(),
			rows: r.varint32(), values: r.varint(), bytes: r.varint32()}
		if !f.possible() || len(refs) > 0 && refs[len(refs)-1].compare(&f) > 0 {
			r.ok = false
		}
		refs = append(refs, f)
	}
	return refs
}

// encode returns the record sealed for its key.
func (m *manifestRecord) encode(key []byte) []byte {
	b := []byte{magicManifest, formatVersion, m.kind, 0, 0, 0, 0, 0}
	for _, x := range [...]uint64{m.part, m.parts, m.flushed, m.generation, uint64(len(m.next))} {
		b = binary.AppendUvarint(b, x)
	}
	for _, space := range slices.Sorted(maps.Keys(m.next)) {
		b = binary.AppendUvarint(b, uint64(space))
		b = binary.AppendUvarint(b, m.next[space])
	}
	sortRefs(m.dropped)
	sortRefs(m.added)
	b = appendRefs(b, m.dropped)
	b = appendRefs(b, m.added)
	seal.Write(key, b)
	return b
}

// decodeManifestRecord checks and reads a record.
func decodeManifestRecord(key, value []byte) (*manifestRecord, error) {
	where := fmt.Sprintf("manifest record %d", numberOf(key))
	if err := checkHeader(where, magicManifest, formatVersion, key, value); err != nil {
		return nil, err
	}
	if value[2] > recordChange || value[3] != 0 {
		return nil, errVersion(where+": kind of record", value[2])
	}
	r := newReader(value[headLen:])
	m := &manifestRecord{kind: value[2], part: r.varint(), parts: r.varint(), flushed: r.varint(),
		generation: r.varint(), next: map[uint32]uint64{}}
	for range r.count() {
		space := r.varint32()
		m.next[space] = r.varint()
	}
	m.dropped = readRefs(r)
	m.added = readRefs(r)
	if !r.ok || len(r.b) != 0 || m.part >= m.parts || m.flushed == math.MaxUint64 || m.generation == math.MaxUint64 {
		return nil, model.Corrupt(where, "the checksum is right but the body is not: %d bytes left", len(r.b))
	}
	return m, nil
}

// storedManifest is a manifest read from the store, with what its keeper must know.
type storedManifest struct {
	manifest *manifest
	first    uint64 // number of the oldest record
	last     uint64 // number of the newest record, 0: none
	churn    int    // pages named by changes since the checkpoint

	sum        manifestChange // all changes since the checkpoint, and the checkpoint, as one
	generation uint64
}

// readManifest reads the records of an index: the newest whole checkpoint, then the whole changes
// after it.
func readManifest(s store.Store, index uint32) (*storedManifest, error) {
	out := &storedManifest{sum: manifestChange{next: map[uint32]uint64{}}}
	var group []*manifestRecord // the parts met so far
	missing := uint64(0)        // a record that is not there, and that no whole checkpoint has made up for; 0: none
	// Changes after a hole are passed over: deleting what a checkpoint made needless may have been
	// interrupted, and the checkpoint is still to come.
	err := s.Scan(appendIndexPrefix(nil, kindManifest, index), nil, func(key, value []byte) error {
		if len(key) != manifestKeyLen {
			return model.Corrupt("manifest", "got a key of %d bytes, want %d", len(key), manifestKeyLen)
		}
		r, err := decodeManifestRecord(key, value)
		if err != nil {
			return err
		}
		number := numberOf(key)
		if number != out.last+1 {
			missing, group = out.last+1, group[:0]
		}
		if out.last == 0 {
			out.first = number
		}
		out.last = number
		if group = r.join(group); uint64(len(group)) < r.parts {
			return nil // the parts of one that was not finished say nothing
		}
		if r.kind == recordCheckpoint {
			missing = 0 // it states everything, whatever came before
		}
		if missing != 0 {
			group = group[:0]
			return nil
		}
		out.take(group)
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

// join appends the record to the parts before it, if it goes on where they ended; else it begins
// anew, or is left out.
func (m *manifestRecord) join(group []*manifestRecord) []*manifestRecord {
	if n := len(group); n > 0 && m.part == uint64(n) && m.kind == group[0].kind && m.parts == group[0].parts {
		return append(group, m)
	}
	if m.part == 0 {
		return append(group[:0], m)
	}
	return group[:0]
}

// take adds the parts of one checkpoint or change to the sum.
func (s *storedManifest) take(parts []*manifestRecord) {
	last := parts[len(parts)-1]
	if last.kind == recordCheckpoint {
		s.sum, s.generation, s.churn = manifestChange{}, 0, 0
	}
	for _, r := range parts {
		s.sum.added = append(s.sum.added, r.added...)
		if last.kind == recordChange {
			s.sum.dropped = append(s.sum.dropped, r.dropped...)
			s.churn += len(r.dropped) + len(r.added)
		}
	}
	s.sum.flushed, s.sum.next, s.generation = last.flushed, last.next, max(s.generation, last.generation)
}

// build makes the manifest of the sum: changes are not applied one by one, because each costs a
// walk over the pages of its fields.
func (s *storedManifest) build() (err error) {
	gone := make(map[uint64]bool, len(s.sum.dropped))
	for i := range s.sum.dropped {
		gone[s.sum.dropped[i].generation] = true
	}
	named := len(s.sum.added)
	s.sum.added = slices.DeleteFunc(s.sum.added, func(r ref) bool { return gone[r.generation] })
	if found := named - len(s.sum.added); found != len(gone) || len(gone) != len(s.sum.dropped) {
		return model.Corrupt("manifest", "got %d pages to drop, found %d of them", len(s.sum.dropped), found)
	}
	s.manifest, err = emptyManifest().apply(&manifestChange{flushed: s.sum.flushed, next: s.sum.next,
		added: s.sum.added}, s.generation)
	s.sum = manifestChange{}
	return err
}

// checkpoint returns the records of a checkpoint of m.
func (m *manifest) checkpoint() []*manifestRecord {
	change := manifestChange{flushed: m.flushed, next: m.next}
	m.all(func(r *ref) { change.added = append(change.added, *r) })
	records := change.records(m.generation)
	for _, r := range records {
		r.kind = recordCheckpoint
	}
	return records
}

// records returns the records of a change, in as many parts as it takes.
func (c *manifestChange) records(generation uint64) []*manifestRecord {
	var records []*manifestRecord
	for part := range slices.Chunk(c.dropped, partPages) {
		records = append(records, &manifestRecord{dropped: part})
	}
	for part := range slices.Chunk(c.added, partPages) {
		if n := len(records); n > 0 && len(records[n-1].dropped)+len(part) <= partPages && records[n-1].added == nil {
			records[n-1].added = part
		} else {
			records = append(records, &manifestRecord{added: part})
		}
	}
	if len(records) == 0 {
		records = []*manifestRecord{{}}
	}
	for i, r := range records {
		r.kind, r.part, r.parts, r.flushed, r.generation, r.next = recordChange, uint64(i), uint64(len(records)),
			c.flushed, generation, c.next
	}
	return records
}
