// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"errors"
	"fmt"
	"slices"

	"github.com/uproar-db/uproar/internal/posting/delta"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/internal/posting/wal"
)

// complete makes the entry of a commit as the commits before it have it.
func (w *writer) complete(entry *wal.Entry, r *request) error {
	if err := w.assignKeys(entry, r); err != nil {
		return err
	}
	if err := r.batch.checkEdges(r.ids); err != nil {
		return err
	}
	r.batch.resolve(w.source, r.ids, entry)
	if err := w.refuseDead(entry); err != nil {
		return err
	}
	return errors.Join(w.resolveWords(entry), w.fetchKeys(entry))
}

// assignKeys finds the IDs of the keys that the caller did not find. It plans new IDs for the rest.
// It gives out none yet: the entry may still prove too large.
func (w *writer) assignKeys(entry *wal.Entry, r *request) error {
	st := w.source.State.Load()
	current := r.sequence == w.sequence && r.version == st.Version // what had no ID has none
	runs := map[uint32]int{}
	for i, k := range r.batch.keys {
		if r.known[i] && !(k.Space == model.RecordSpace && w.isDead(r.ids[i])) {
			continue
		}
		var id uint64
		var ok bool
		if !r.batch.replaced[model.KeyRef|model.Ref(i)] && !current {
			var err error
			if id, ok, err = w.lookupNewest(st, k, st.Version != r.version); err != nil {
				return err
			}
		}
		if !ok {
			at, begun := runs[k.Space]
			if !begun {
				first := uint64(0)
				if space := w.active.Spaces[k.Space]; space != nil {
					first = space.Next()
				}
				at = len(entry.Keys)
				runs[k.Space] = at
				entry.Keys = append(entry.Keys, wal.KeyRun{Space: k.Space, First: first})
			}
			run := &entry.Keys[at]
			id = run.First + uint64(len(run.Keys))
			run.Keys = append(run.Keys, k.Key)
		}
		r.ids[i] = id
	}
	return nil
}

// lookupNewest returns the newest ID of a key. It looks into the active delta, the frozen one and,
// if pages is set, the pages.
func (w *writer) lookupNewest(st *reader.State, k model.SpaceKey, pages bool) (id uint64, ok bool, err error) {
	for _, d := range [...]*delta.Table{w.active, st.Frozen} {
		if d == nil {
			continue
		}
		if id, ok = d.Lookup(k.Space, k.Key); ok {
			return id, !(k.Space == model.RecordSpace && w.isDead(id)), nil
		}
	}
	if pages {
		id, ok, err = w.source.LookupPage(st.Version.Manifest, k.Space, k.Key)
		ok = ok && !(k.Space == model.RecordSpace && w.isDead(id))
	}
	return id, ok, err
}

// refuseDead fails when an entry names, by its ID, a record that was deleted.
func (w *writer) refuseDead(entry *wal.Entry) error {
	if !w.removes() {
		return nil
	}
	for _, e := range entry.Edits {
		if w.source.Concerns(e, w.isDead) {
			return fmt.Errorf("%w: record %d or row %d", model.ErrDeleted, e.Record, e.Row)
		}
	}
	for _, a := range entry.Assigned {
		if w.isDead(a.Record) {
			return fmt.Errorf("%w: record %d", model.ErrDeleted, a.Record)
		}
	}
	entry.Deleted = slices.DeleteFunc(entry.Deleted, func(d wal.Deletion) bool { return w.isDead(d.Record) })
	return nil
}

// fetchKeys finds the keys of the records that an entry deletes: a follower of the log knows
// records by their keys.
func (w *writer) fetchKeys(entry *wal.Entry) error {
	for i := range entry.Deleted {
		d := &entry.Deleted[i]
		for _, run := range entry.Keys {
			if run.Space == model.RecordSpace && d.Record-run.First < uint64(len(run.Keys)) {
				d.Key = run.Keys[d.Record-run.First]
			}
		}
		if d.Key != "" {
			continue
		}
		st := w.source.State.Load()
		now := reader.Snapshot{St: &reader.State{Source: w.source, Version: st.Version, Frozen: st.Frozen,
			Active: w.active}}
		key, _, err := now.AppendKey(nil, model.RecordSpace, d.Record)
		if err != nil {
			return err
		}
		d.Key = string(key)
	}
	return nil
}
