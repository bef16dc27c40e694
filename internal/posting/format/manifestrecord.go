// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package format

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/seal"
)

// Kinds of manifest record.
const (
	RecordCheckpoint = 0
	RecordChange     = 1
)

// PartPages is how many pages one record names: some 2 MB of varints. A checkpoint or change of
// more is written in parts.
const PartPages = 100_000

// ManifestRecord is one record of the manifest as it is stored (docs/format/manifest.md).
type ManifestRecord struct {
	Kind           byte
	Part, Parts    uint64
	Flushed        uint64
	Generation     uint64
	Next           map[uint32]uint64
	Dropped, Added []Ref
}

func appendRefs(dst []byte, refs []Ref) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(refs)))
	for i := range refs {
		r := &refs[i]
		for _, x := range [...]uint64{uint64(r.Field), uint64(r.shard), r.First, r.Piece, r.Generation, uint64(r.Rows),
			r.Values, uint64(r.Bytes)} {
			dst = binary.AppendUvarint(dst, x)
		}
	}
	return dst
}

func readRefs(r *Reader) []Ref {
	n := r.Count()
	if n*8 > len(r.B) {
		r.Ok = false
	}
	if !r.Ok {
		return nil
	}
	refs := make([]Ref, 0, n)
	for range n {
		f := Ref{Field: r.Varint32(), shard: r.Varint32(), First: r.Varint(), Piece: r.Varint(), Generation: r.Varint(),
			Rows: r.Varint32(), Values: r.Varint(), Bytes: r.Varint32()}
		if !f.possible() || len(refs) > 0 && refs[len(refs)-1].compare(&f) > 0 {
			r.Ok = false
		}
		refs = append(refs, f)
	}
	return refs
}

// Encode returns the record sealed for its key.
func (m *ManifestRecord) Encode(key []byte) []byte {
	b := []byte{MagicManifest, FormatVersion, m.Kind, 0, 0, 0, 0, 0}
	for _, x := range [...]uint64{m.Part, m.Parts, m.Flushed, m.Generation, uint64(len(m.Next))} {
		b = binary.AppendUvarint(b, x)
	}
	for _, space := range slices.Sorted(maps.Keys(m.Next)) {
		b = binary.AppendUvarint(b, uint64(space))
		b = binary.AppendUvarint(b, m.Next[space])
	}
	sortRefs(m.Dropped)
	sortRefs(m.Added)
	b = appendRefs(b, m.Dropped)
	b = appendRefs(b, m.Added)
	seal.Write(key, b)
	return b
}

// DecodeManifestRecord checks and reads a record.
func DecodeManifestRecord(key, value []byte) (*ManifestRecord, error) {
	where := fmt.Sprintf("manifest record %d", NumberOfKey(key))
	if err := CheckHeader(where, MagicManifest, FormatVersion, key, value); err != nil {
		return nil, err
	}
	if value[2] > RecordChange || value[3] != 0 {
		return nil, UnknownVersion(where+": kind of record", value[2])
	}
	r := newReader(value[HeaderLen:])
	m := &ManifestRecord{Kind: value[2], Part: r.Varint(), Parts: r.Varint(), Flushed: r.Varint(),
		Generation: r.Varint(), Next: map[uint32]uint64{}}
	for range r.Count() {
		space := r.Varint32()
		m.Next[space] = r.Varint()
	}
	m.Dropped = readRefs(r)
	m.Added = readRefs(r)
	if !r.Ok || len(r.B) != 0 || m.Part >= m.Parts || m.Flushed == math.MaxUint64 || m.Generation == math.MaxUint64 {
		return nil, model.Corrupt(where, "the checksum is right but the body is not: %d bytes left", len(r.B))
	}
	return m, nil
}

// Join appends the record to the parts before it if it continues them. Otherwise it starts a new
// group, or drops the record.
func (m *ManifestRecord) Join(group []*ManifestRecord) []*ManifestRecord {
	if n := len(group); n > 0 && m.Part == uint64(n) && m.Kind == group[0].Kind && m.Parts == group[0].Parts {
		return append(group, m)
	}
	if m.Part == 0 {
		return append(group[:0], m)
	}
	return group[:0]
}

// Checkpoint returns the records of a checkpoint of m.
func (m *Manifest) Checkpoint() []*ManifestRecord {
	change := ManifestChange{Flushed: m.Flushed, Next: m.Next}
	m.All(func(r *Ref) { change.Added = append(change.Added, *r) })
	records := change.Records(m.Generation)
	for _, r := range records {
		r.Kind = RecordCheckpoint
	}
	return records
}

// Records returns the records of a change, in as many parts as it takes.
func (c *ManifestChange) Records(generation uint64) []*ManifestRecord {
	var records []*ManifestRecord
	for part := range slices.Chunk(c.Dropped, PartPages) {
		records = append(records, &ManifestRecord{Dropped: part})
	}
	for part := range slices.Chunk(c.Added, PartPages) {
		if n := len(records); n > 0 && len(records[n-1].Dropped)+len(part) <= PartPages && records[n-1].Added == nil {
			records[n-1].Added = part
		} else {
			records = append(records, &ManifestRecord{Added: part})
		}
	}
	if len(records) == 0 {
		records = []*ManifestRecord{{}}
	}
	for i, r := range records {
		r.Kind, r.Part, r.Parts, r.Flushed, r.Generation, r.Next = RecordChange, uint64(i), uint64(len(records)),
			c.Flushed, generation, c.Next
	}
	return records
}
