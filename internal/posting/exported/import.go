// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package exported

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/manifest"
	"github.com/uproar-db/uproar/internal/posting/merge"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/versions"
	"github.com/uproar-db/uproar/internal/posting/wal"
	"github.com/uproar-db/uproar/store"
)

// Import writes an index into a store from the entries of an export and its increments. Nobody may
// read the store yet: it holds an index only once the last export has ended. Import is not safe for
// concurrent use.
type Import struct {
	store store.Store
	index uint32

	base    *format.Manifest // of the exports before
	mark    Mark             // of the last of them
	records uint64           // how many manifest records they have left

	to      Mark // of the one under way
	parts   []*format.ManifestRecord
	next    *format.Manifest // nil: not all parts of it have come
	want    []format.Ref     // pages that are yet to come
	written uint64           // number of the last manifest record
	log     uint64           // number of the last commit in the log
	entries []uint64         // the numbers under which log entries have come
	before  []uint64         // and those of the export before
	batch   store.Batch

	pages  int           // bytes of those that have come
	ingest *merge.Ingest // takes pages once they are many; nil where the store cannot
}

// ingestFrom is how many bytes of pages an export has before they are ingested.
const ingestFrom = 1 << 20

// New returns an import of an index that has no entries in the store.
func New(s store.Store, index uint32) *Import {
	im := &Import{store: s, index: index, base: format.EmptyManifest()}
	if ingest, ok := merge.NewIngest(s); ok {
		im.ingest = &ingest
	}
	return im
}

// Begin begins with the entries of an export that reaches to a mark, and goes on from another: the
// zero Mark, or that of the export before. Errors: ErrOtherHistory.
func (im *Import) Begin(since, to Mark) error {
	if since != im.mark {
		return fmt.Errorf("%w: got an export since commit %d, generation %d, want one since %d, %d", ErrOtherHistory,
			since.Sequence, since.Generation,
			im.mark.Sequence, im.mark.Generation)
	}
	im.to, im.parts, im.next, im.want, im.written, im.log, im.entries = to, nil, nil, nil, 0, to.Flushed, nil
	return nil
}

// Owns reports whether an entry under that key is one of the index.
func (im *Import) Owns(key []byte) bool {
	return len(key) >= 5 && binary.BigEndian.Uint32(key[1:]) == im.index
}

// Put checks the next entry of the export and writes it to the store. It may delay the write until
// Flush: the bytes must not change before. Errors: ErrCorrupt, ErrVersion, ErrOtherHistory, or the
// store's.
func (im *Import) Put(key, value []byte) error {
	if !im.Owns(key) {
		return model.Corrupt("export", "got an entry under key %x, want one of index %d", key, im.index)
	}
	var err error
	switch {
	case key[0] == format.KindManifest && len(key) == format.ManifestKeyLen:
		err = im.manifestRecord(key, value)
	case key[0] == format.KindPage && len(key) == format.PageKeyLen:
		err = im.page(key, value)
	case key[0] == format.KindLog && len(key) == format.LogKeyLen:
		err = im.logEntry(key, value)
	default:
		err = model.Corrupt("export", "got key %x of %d bytes, want that of a manifest record, page or log entry", key,
			len(key))
	}
	if err != nil {
		return err
	}
	if key[0] == format.KindPage {
		if im.pages += len(value); im.pages > ingestFrom && im.ingest != nil {
			return im.ingest.Put(key, value)
		}
	}
	if im.batch.Len() == store.MaxOps || im.batch.Size()+len(key)+len(value) > store.MaxBatch {
		if err := im.Flush(); err != nil {
			return err
		}
	}
	im.batch.Put(key, value)
	return nil
}

// Abort drops what the store does not have yet, after an error.
func (im *Import) Abort() {
	im.batch.Reset()
	if im.ingest != nil {
		im.ingest.Abort()
	}
}

// Flush hands the entries to the store whose bytes belong to the caller, unsynced. Errors: the
// store's.
func (im *Import) Flush() error {
	if im.batch.Len() == 0 {
		return nil
	}
	err := im.store.Apply(&im.batch, false)
	im.batch.Reset()
	return err
}

// manifestRecord takes the next part of the manifest.
func (im *Import) manifestRecord(key, value []byte) error {
	if format.NumberOfKey(key) != im.written+1 || im.next != nil {
		return model.Corrupt("export", "got manifest record %d after %d of them", format.NumberOfKey(key), im.written)
	}
	r, err := format.DecodeManifestRecord(key, value)
	if err != nil {
		return err
	}
	if r.Kind != format.RecordCheckpoint || r.Part != uint64(len(im.parts)) || len(im.parts) > 0 &&
		r.Parts != im.parts[0].Parts {
		return model.Corrupt("export", "manifest record %d: got part %d of %d, kind %d, want part %d of a checkpoint",
			format.NumberOfKey(key), r.Part, r.Parts, r.Kind, len(im.parts))
	}
	im.written++
	if im.parts = append(im.parts, r); uint64(len(im.parts)) < r.Parts {
		return nil
	}
	var stored manifest.Stored
	stored.Apply(im.parts)
	if err := stored.Build(); err != nil {
		return err
	}
	im.next, im.parts = stored.Manifest, nil
	return im.expect()
}

// expect finds the pages that must come: the manifest names them, and the one before did not.
func (im *Import) expect() error {
	if got, want := (Mark{Flushed: im.next.Flushed, Generation: im.next.Generation}),
		im.to; got.Flushed != want.Flushed || got.Generation != want.Generation {
		return model.Corrupt("export", "got a manifest up to commit %d, generation %d, want %d and %d", got.Flushed,
			got.Generation, want.Flushed, want.Generation)
	}
	known := make(map[uint64]format.Ref, im.base.Count())
	im.base.All(func(r *format.Ref) { known[r.Generation] = *r })
	var err error
	im.next.All(func(r *format.Ref) {
		switch old, ok := known[r.Generation]; {
		case err != nil || ok && old == *r:
		case r.Generation < im.mark.Generation:
			err = fmt.Errorf("%w: %s is not among the pages before, or is another one there", ErrOtherHistory, r)
		case r.Generation >= im.to.Generation:
			err = model.Corrupt("export", "got %s, want a generation below %d", r, im.to.Generation)
		default:
			im.want = append(im.want, *r)
		}
	})
	return err
}

// page takes the next page.
func (im *Import) page(key, value []byte) error {
	if len(im.want) == 0 {
		return model.Corrupt("export", "got a page under key %x, which no manifest before it names as the next", key)
	}
	r := &im.want[0]
	if want := format.AppendPageKey(nil, im.index, r); string(key) != string(want) {
		return model.Corrupt("export", "got a page under key %x, want %x", key, want)
	}
	p, err := format.OpenPage(r, key, value)
	if err != nil {
		return err
	}
	if p.Kind != format.KindOf(r.Field) || p.Rows() != int(r.Rows) || len(value) != int(r.Bytes) {
		return model.Corrupt(r.String(), "got kind %d, %d rows and %d bytes, want %d, %d and %d as the manifest says",
			p.Kind,
			p.Rows(), len(value), format.KindOf(r.Field),
			r.Rows, r.Bytes)
	}
	im.want = im.want[1:]
	return nil
}

// logEntry takes the next log entry.
func (im *Import) logEntry(key, value []byte) error {
	f, err := wal.Open(key, value)
	if err != nil {
		return err
	}
	if im.next == nil || len(im.want) > 0 || f.First != im.log+1 || f.Last > im.to.Sequence {
		return model.Corrupt("export",
			"got log entries %d to %d after %d, with %d pages to come, want all pages and the "+
				"entries %d to %d", f.First, f.Last, im.log, len(im.want),
			im.to.Flushed+1, im.to.Sequence)
	}
	if err := f.Validate(); err != nil {
		return err
	}
	im.log, im.entries = f.Last, append(im.entries, f.Last)
	return nil
}

// End fails when something of the export is missing, and takes away what only the exports before
// had. Errors: ErrCorrupt, or the store's.
func (im *Import) End() error {
	if im.next == nil || len(im.want) > 0 || im.log != im.to.Sequence {
		return model.Corrupt("export",
			"got a manifest: %v, log entries up to %d, and %d pages are missing; want all, and "+
				"log entries up to %d", im.next != nil, im.log,
			len(im.want), im.to.Sequence)
	}
	if err := im.Flush(); err != nil {
		return err
	}
	if im.ingest != nil {
		if err := im.ingest.Commit(); err != nil {
			return err
		}
	}
	if err := versions.RemoveKeys(im.store, im.passed()); err != nil {
		return err
	}
	im.base, im.mark, im.records, im.before = im.next, im.to, im.written, im.entries
	return nil
}

// passed returns the keys that the exports before had and this one has not.
func (im *Import) passed() (keys [][]byte) {
	current := make(map[uint64]bool, im.next.Count())
	im.next.All(func(r *format.Ref) { current[r.Generation] = true })
	im.base.All(func(r *format.Ref) {
		if !current[r.Generation] {
			keys = append(keys, format.AppendPageKey(nil, im.index, r))
		}
	})
	for n := im.written + 1; n <= im.records; n++ {
		keys = append(keys, format.AppendManifestKey(nil, im.index, n))
	}
	for _, n := range im.before {
		if _, again := slices.BinarySearch(im.entries, n); !again {
			keys = append(keys, format.AppendLogKey(nil, im.index, n))
		}
	}
	return keys
}
