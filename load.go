// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/internal/binding"
	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/load"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/schema"
)

// LoadOptions sets up a bulk load. nil and the zero value mean the defaults.
type LoadOptions struct {
	// MemoryBytes is about how much memory a load takes. Three eighths are for values; further
	// values are sorted in temporary files. Five eighths are for the keys that it meets: some 25 to
	// 40 bytes each and, unless they are short or DIDs of the PLC method, their text. When the keys
	// do not fit, SetAll puts pairs into a temporary file for another pass; Set forgets the keys
	// and looks them up again. Default: a quarter of Options.MemoryBytes.
	MemoryBytes int64

	// Cluster gives adjacent IDs to records that are related to the same ones. Without it, IDs
	// follow the order of first appearance. If there are communities, lists take less room and
	// intersections less time. The load takes pairs of one relation (SetAll) and nothing else. It
	// needs memory for all keys and takes about twice as long. Existing records keep their IDs;
	// later records get higher ones.
	Cluster bool

	// Progress, if set, receives during Commit how many values are merged, and of how many, as far
	// as is known yet. A relation counts in both directions. It runs in the caller's goroutine.
	Progress func(done, total int64)

	// Preparing, if set, is told during Commit, before anything is merged, how much of how much is
	// done: of pairs that are gone through again for lack of memory, pass by pass, and then of new
	// keys of SetAll, which count in both directions. It runs as Progress does.
	Preparing func(done, total int64)
}

// Loader is a bulk load: many values, sorted and written straight to pages. Nothing of it is
// visible before Commit, and all of it at once afterwards. Reads and writes go on meanwhile; while
// Commit merges, flushes wait, and so do writers once the delta is full.
//
// The load counts as written when Commit begins to merge, which LoadOptions.Progress tells of: it
// goes over what was written before, and what is written from then on goes over it. (A Clear in a
// Single or Integer field that is written meanwhile looks at the value before the load.) Before it
// merges, Commit gives keys their IDs: that takes a while only for pairs in temporary files, and
// for Cluster. Of several values of one record in a Single or Integer field the last one counts, as
// in a Batch.
//
// Set makes the record exist, and in a relation the other one; AddRecord does so without a value. A
// value that cannot be leaves no trace: a caller that leaves it out calls AddRecord to keep the
// record.
//
// A load that is aborted, or ends with its process, leaves nothing visible. Not safe for concurrent
// use.
type Loader struct {
	db   *DB // of a new index, which Commit makes visible; else nil
	ix   *Index
	load *load.Loader

	last []byte // the record that was given a value last, and its reference
	ref  model.Ref

	round uint64         // of no other load: references are of one round, until keys are forgotten
	refs  [2][]model.Ref // scratch
}

// rounds counts the rounds of all loads.
var rounds atomic.Uint64

// Load begins a bulk load. ctx ends it. Errors: ErrLoading, while another load of the index is
// under way.
func (ix *Index) Load(ctx context.Context, opts *LoadOptions) (*Loader, error) {
	memory := ix.memory / 4
	var progress func(done, total int)
	if opts != nil {
		if opts.MemoryBytes > 0 {
			memory = opts.MemoryBytes
		}
		if opts.Progress != nil {
			progress = func(done, total int) { opts.Progress(int64(done), int64(total)) }
		}
	}
	load, err := ix.lists.Load(ctx, memory, progress)
	if err != nil {
		return nil, err
	}
	if opts != nil && opts.Preparing != nil {
		load.OnPrepare(func(done, total int) { opts.Preparing(int64(done), int64(total)) })
	}
	if opts != nil && opts.Cluster {
		if err := load.Cluster(); err != nil {
			load.Abort()
			return nil, err
		}
	}
	return &Loader{ix: ix, load: load, round: rounds.Add(1)}, nil
}

// Set gives the record the value in the field, as Batch.Set does. The strings are copied where they
// are kept. Errors: ErrUnknownField and ErrInvalid leave the load as it was; after any other it
// must be aborted.
func (l *Loader) Set(field, record, value string) error {
	f, err := l.ix.field(field)
	if err != nil {
		return err
	}
	if f.Type == schema.Integer {
		x, err := f.Parse(value)
		if err != nil {
			return err
		}
		return l.SetInt(field, record, x)
	}
	if err := binding.CheckKey("record", "", record); err != nil {
		return err
	}
	if err := binding.CheckKey("value", field, value); err != nil {
		return err
	}
	if err := l.trim(); err != nil {
		return err
	}
	rec, err := l.next(record)
	if err != nil {
		return err
	}
	if f.Type != schema.Relation {
		row, _ := l.load.Key(model.KeySpace(f.ID), value)
		if f.Type == schema.Single {
			return l.load.Assign(f.ID, rec, row)
		}
		return l.load.Set(f.ID, row, rec)
	}
	other, err := l.record(value)
	if err != nil {
		return err
	}
	if f.Derived {
		return l.load.Set(f.InverseID, other, rec)
	}
	return l.load.Set(f.ID, rec, other)
}

// trim forgets keys if there is no room for more.
func (l *Loader) trim() error {
	forgot, err := l.load.Trim()
	if forgot {
		l.last = l.last[:0]
		l.round = rounds.Add(1)
	}
	return err
}

// SetAll gives records values in a field, as Set does for each: keys are a record, its value, the
// next record, and so on. It is made for many at a time, some 1000, of a relation: then it costs
// some 100 ns each. The bytes are copied where they are kept. Errors: as of Set; after ErrInvalid
// those before the one that cannot be are set.
func (l *Loader) SetAll(field string, keys [][]byte) error {
	f, err := l.ix.field(field)
	if err != nil {
		return err
	}
	if len(keys)%2 != 0 {
		return invalid("%s: got %d keys, want two for each pair", field, len(keys))
	}
	if f.Type != schema.Relation || f.Derived {
		for i := 0; i < len(keys); i += 2 {
			if err := l.Set(field, string(keys[i]), string(keys[i+1])); err != nil {
				return err
			}
		}
		return nil
	}
	for i, key := range keys {
		if len(key) == 0 || len(key) > format.MaxKey {
			return errors.Join(l.load.Relate(f.ID, keys[:i&^1]), binding.CheckKey("record", "", string(key)))
		}
	}
	return l.load.Relate(f.ID, keys)
}

// AddRecord makes the record exist, with or without values, as Batch.AddRecord does. Set does so by
// itself: AddRecord is for a record that may get no value at all. Errors as of Set.
func (l *Loader) AddRecord(record string) error {
	if err := binding.CheckKey("record", "", record); err != nil {
		return err
	}
	if err := l.trim(); err != nil {
		return err
	}
	_, err := l.next(record)
	return err
}

// SetIDs is Set of a value in a Set field for records by their IDs, those that exist.
func (l *Loader) SetIDs(field, value string, records *bitmap.Bitmap) error {
	f, err := l.ix.field(field)
	if err == nil {
		err = errors.Join(binding.CheckIDs(f, value), l.trim())
	}
	if err != nil {
		return err
	}
	row, _ := l.load.Key(model.KeySpace(f.ID), value)
	return l.load.SetRow(f.ID, row, records.All())
}

// SetInt sets the record's integer in an Integer field, as Batch.SetInt does. It replaces the one
// before. Errors as of Set.
func (l *Loader) SetInt(field, record string, x int64) error {
	f, err := l.ix.field(field)
	if err != nil {
		return err
	}
	if err := binding.CheckInteger(f); err != nil {
		return err
	}
	if err := binding.CheckKey("record", "", record); err != nil {
		return err
	}
	if err := l.trim(); err != nil {
		return err
	}
	rec, err := l.next(record)
	if err != nil {
		return err
	}
	return l.load.AssignInt(f.ID, rec, x)
}

// next is record for one that is given a value: most values come record by record.
func (l *Loader) next(key string) (r model.Ref, err error) {
	if key == string(l.last) {
		return l.ref, nil
	}
	r, err = l.record(key)
	if err != nil {
		return r, err
	}
	l.ref, l.last = r, append(l.last[:0], key...)
	return r, nil
}

// record returns the reference of a record, which the load makes exist.
func (l *Loader) record(key string) (model.Ref, error) {
	r, first := l.load.Key(model.RecordSpace, key)
	if !first {
		return r, nil
	}
	return r, l.load.Set(model.Exists, model.ID(0), r)
}

// Take counts bytes that the caller holds for the load against Options.MemoryBytes. An example is
// the keys that it has met. They count until the load ends. Errors: ErrMemory, when not that much
// is left.
func (l *Loader) Take(bytes int64) error { return l.load.Take(bytes) }

// Commit makes the load durable and visible. The load has ended, whatever Commit returns; after an
// error nothing of it is visible. Errors: ErrCorrupt, ErrFailed, ErrClosed, ctx's, or the store's.
func (l *Loader) Commit() error { return l.commit("") }

// Abort ends a load without effect. After Commit it does nothing, so that it can be deferred.
func (l *Loader) Abort() {
	l.load.Abort()
	if l.db != nil {
		_ = l.db.discard(l.ix) // the next opening does it otherwise
		l.db = nil
	}
}
