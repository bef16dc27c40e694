// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"encoding/binary"
	"fmt"
	"maps"
	"slices"

	"github.com/uproar-db/uproar/internal/seal"

	"github.com/uproar-db/uproar/store"
)

// Kinds of manifest record.
const (
	recordCheckpoint = 0
	recordChange     = 1
)

// partPages is how many pages one part of a checkpoint names: some 2 MB of varints.
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
		for _, x := range [...]uint64{uint64(r.field), uint64(r.shard), r.first, r.piece, r.generation, uint64(r.rows), r.values, uint64(r.bytes)} {
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
		if f.piece > maxPiece+1 || f.bytes > maxBytes {
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
	b = appendRefs(b, m.dropped)
	b = appendRefs(b, m.added)
	seal.Write(key, b)
	return b
}

// decodeManifestRecord checks and reads a record.
func decodeManifestRecord(key, value []byte) (*manifestRecord, error) {
	where := fmt.Sprintf("manifest record %d", numberOf(key))
	if err := checkHead(where, magicManifest, key, value); err != nil {
		return nil, err
	}
	if value[2] > recordChange || value[3] != 0 {
		return nil, errVersion(where+": kind of record", value[2])
	}
	r := newReader(value[headLen:])
	m := &manifestRecord{kind: value[2], part: r.varint(), parts: r.varint(), flushed: r.varint(), generation: r.varint(), next: map[uint32]uint64{}}
	for range r.count() {
		space := r.varint32()
		m.next[space] = r.varint()
	}
	m.dropped = readRefs(r)
	m.added = readRefs(r)
	if !r.ok || len(r.b) != 0 || m.part >= m.parts {
		return nil, corrupt(where, "the checksum is right but the body is not: %d bytes left", len(r.b))
	}
	return m, nil
}

// stored is a manifest read from the store, with what its keeper must know.
type storedManifest struct {
	manifest *manifest
	first    uint64 // number of the oldest record
	last     uint64 // number of the newest record, 0: none
	churn    int    // pages named by changes since the checkpoint
}

// readManifest reads the records of an index: the newest whole checkpoint, then the changes after it.
func readManifest(s store.Store, index uint32) (*storedManifest, error) {
	var records []*manifestRecord
	var numbers []uint64
	err := s.Scan(appendIndexPrefix(nil, kindManifest, index), nil, func(key, value []byte) error {
		if len(key) != manifestKeyLen {
			return corrupt("manifest", "got a key of %d bytes, want %d", len(key), manifestKeyLen)
		}
		m, err := decodeManifestRecord(key, value)
		if err != nil {
			return err
		}
		records, numbers = append(records, m), append(numbers, numberOf(key))
		return nil
	})
	if err != nil {
		return nil, err
	}
	out := &storedManifest{manifest: emptyManifest()}
	if len(records) == 0 {
		return out, nil
	}
	out.first, out.last = numbers[0], numbers[len(numbers)-1]
	for i := 1; i < len(numbers); i++ {
		if numbers[i] != numbers[i-1]+1 {
			return nil, corrupt("manifest", "got record %d after %d, want %d", numbers[i], numbers[i-1], numbers[i-1]+1)
		}
	}
	start := newestCheckpoint(records)
	if start < 0 && numbers[0] != 1 {
		return nil, corrupt("manifest", "got no checkpoint before record %d", numbers[0])
	}
	for i := max(start, 0); i < len(records); i++ {
		r := records[i]
		if r.kind == recordCheckpoint && (start < 0 || i >= start+int(records[start].parts)) {
			continue // a checkpoint that was not finished says nothing new
		}
		change := &manifestChange{flushed: r.flushed, next: r.next, dropped: r.dropped, added: r.added}
		if r.kind == recordCheckpoint {
			change.dropped = nil
		} else {
			out.churn += len(r.dropped) + len(r.added)
		}
		m, err := out.manifest.apply(change, r.generation)
		if err != nil {
			return nil, fmt.Errorf("manifest record %d: %w", numbers[i], err)
		}
		out.manifest = m
	}
	return out, nil
}

// newestCheckpoint returns the position of the first part of the newest checkpoint of which all parts are there, or -1.
func newestCheckpoint(records []*manifestRecord) int {
	for i := len(records) - 1; i >= 0; i-- {
		r := records[i]
		if r.kind != recordCheckpoint || r.part != r.parts-1 || r.parts > uint64(i)+1 {
			continue
		}
		start := i + 1 - int(r.parts)
		whole := true
		for j := start; j <= i; j++ {
			whole = whole && records[j].kind == recordCheckpoint && records[j].part == uint64(j-start) && records[j].parts == r.parts
		}
		if whole {
			return start
		}
	}
	return -1
}

// checkpoint returns the records of a checkpoint of m.
func (m *manifest) checkpoint() []*manifestRecord {
	var refs []ref
	m.all(func(r *ref) { refs = append(refs, *r) })
	var records []*manifestRecord
	for part := range slices.Chunk(refs, partPages) {
		records = append(records, &manifestRecord{kind: recordCheckpoint, added: part})
	}
	if len(records) == 0 {
		records = []*manifestRecord{{kind: recordCheckpoint}}
	}
	for i, r := range records {
		r.part, r.parts, r.flushed, r.generation, r.next = uint64(i), uint64(len(records)), m.flushed, m.generation, m.next
	}
	return records
}
