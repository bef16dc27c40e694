// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"github.com/uproar-db/uproar/internal/posting/delta"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/overlay"
)

// FieldStats says what the pages of a field amount to, as of the last flush.
type FieldStats struct {
	Field  uint32
	Rows   uint64 // rows that have pages, empty ones between others included; hashes: entries
	Values uint64 // postings: values of all lists; keys: number of keys
	Pages  uint64
	Bytes  uint64 // of the pages
	Pieces uint64 // pages that are pieces of large lists
}

// Stats says how an index is doing.
type Stats struct {
	Records    uint64 // in the universe, pending writes included
	Sequence   uint64 // of the last commit
	Flushed    uint64 // sequence number up to which the log is in the pages
	OldestLog  uint64 // the oldest log entry that is kept
	LogBytes   uint64 // of the log entries that are kept, about
	DeltaEdits uint64
	DeltaKeys  uint64 // keys that were given IDs since the last flush
	DeltaWords uint64 // values of single-valued and integer fields that were assigned since
	DeltaBytes uint64
	Flushes    uint64 // since the index was opened
	Hits       uint64 // page reads that the cache served
	Misses     uint64
	Fields     []FieldStats
}

// Stats returns figures of the current state. Cost: a walk over the manifest. Errors: those of
// reading the universe.
func (ix *Index) Stats() (Stats, error) {
	snap := ix.Snapshot()
	defer snap.Close()
	st := snap.St
	s := Stats{Sequence: st.Sequence, Flushed: st.Version.Flushed, OldestLog: ix.changes.oldest.Load(),
		LogBytes: uint64(max(0, ix.changes.bytes.Load())), Flushes: ix.flusher.flushes.Load(),
		Hits: ix.source.Hits.Load(), Misses: ix.source.Misses.Load()}
	for _, d := range [...]*delta.Table{st.Active, st.Frozen} {
		if d != nil {
			s.DeltaEdits += uint64(d.Count())
			s.DeltaWords += uint64(d.Values.Len())
			for _, k := range d.Spaces {
				s.DeltaKeys += uint64(len(k.Keys))
			}
			s.DeltaBytes += uint64(d.Bytes)
		}
	}
	for _, field := range st.Version.SortedFields() {
		f := FieldStats{Field: field}
		for i := range st.Version.Fields[field].Refs {
			r := &st.Version.Fields[field].Refs[i]
			if r.Piece <= 1 {
				f.Rows += uint64(r.Rows)
			}
			if r.Piece > 0 {
				f.Pieces++
			}
			f.Values, f.Bytes, f.Pages = f.Values+r.Values, f.Bytes+uint64(r.Bytes), f.Pages+1
		}
		s.Fields = append(s.Fields, f)
	}
	var universe overlay.List
	if err := snap.List(model.Exists, 0, &universe); err != nil {
		return s, err
	}
	s.Records = universe.Len()
	return s, nil
}
