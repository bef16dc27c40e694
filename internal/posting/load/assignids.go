// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"errors"
	"maps"
	"math"
	"slices"

	"github.com/uproar-db/uproar/internal/posting/delta"
	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/memory"
	"github.com/uproar-db/uproar/internal/posting/merge"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
)

// assignIDs gives IDs to the keys that the load has numbered. It makes them durable and visible, as
// a commit does, so that others meet them from then on. It replaces the numbers in what the load
// has gathered by IDs. goesOn says that the load gathers more under IDs.
func (l *Loader) assignIDs(goesOn bool) error {
	f := l.numbering.fresh
	if f == nil {
		return nil
	}
	if err := errors.Join(l.Pairs.spill(), f.finish()); err != nil {
		return err
	}
	if f.count > 0 {
		if err := l.giveIDs(f); err != nil {
			return err
		}
	}
	for number := 0; goesOn && number < l.known.count; number++ {
		l.Naming.ids = append(l.Naming.ids, f.id(l.numbering.halfOf(number)))
	}
	for _, id := range slices.Sorted(maps.Values(f.given)) {
		l.Edits.list = append(l.Edits.list, model.Edit{Field: model.Exists, Set: true, Record: id})
	}
	l.numbering.fresh, l.numbering.assigned, l.numbering.halves = nil, f, nil
	for _, p := range l.Pairs.Fields {
		for _, runs := range [...]*pairRuns{&p.Runs, &p.turned} {
			runs.Numbered, runs.Base = true, uint32(f.base)
			if len(f.given) == 0 && !goesOn {
				continue // in their order already
			}
			if err := runs.rename(f.given, int(l.memory/8/8)); err != nil {
				return err
			}
		}
	}
	return nil
}

// giveIDs writes the pages of the keys that the load has numbered, and installs them.
func (l *Loader) giveIDs(f *freshKeys) (err error) {
	w, _, release, err := l.host.Begin(l.ctx, false)
	if err != nil {
		return err
	}
	defer release()
	if f.base, err = l.host.Reserve(l.ctx, model.RecordSpace, uint64(f.count), math.MaxUint32); err != nil {
		return err
	}
	l.Naming.Widest = max(l.Naming.Widest, f.base+uint64(f.count)-1)
	held := merge.Bytes(l.src)
	l.src.Memory.Change(memory.Merges, held)
	defer l.src.Memory.Change(memory.Merges, -held)
	base := l.src.State.Load().Version
	w.Base = base.Manifest // with the IDs reserved
	w.Progress, w.Total = l.prepared, 2*f.count
	if err := l.writeTexts(w, f); err != nil {
		return w.Abandon(&w.Out, err)
	}
	if err := l.writeHashes(w, f); err != nil {
		return w.Abandon(&w.Out, err)
	}
	if err := l.giveWay(w, f, func(meet func(id uint64, key string) error) error {
		return l.since(base.Manifest, f.since, meet)
	}); err != nil {
		return w.Abandon(&w.Out, err)
	}
	// so that nobody names a key between the last look and the moment from which all meet those of
	// the load
	named, resume := l.host.Pause(model.RecordSpace)
	defer resume()
	err = l.giveWay(w, f, func(meet func(id uint64, key string) error) error {
		for i, key := range named.Keys {
			if err := meet(named.First+uint64(i), key); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return w.Abandon(&w.Out, err)
	}
	_, err = l.host.CommitManifest(w, nil)
	return err
}

// writeTexts writes the pages of texts.
func (l *Loader) writeTexts(w *merge.Driver, f *freshKeys) error {
	err := f.chunks(func(first int, keys []string) error {
		m := w.Merger(l.ctx, w.Base)
		err := w.Finish(m, m.KeyText(model.RecordSpace, &delta.NewKeys{First: f.base + uint64(first), Keys: keys}, nil,
			nil))
		w.Tell(len(keys))
		return err
	})
	return errors.Join(err, f.temp.Close())
}

// writeHashes merges the hashes into their pages.
func (l *Loader) writeHashes(w *merge.Driver, f *freshKeys) error {
	var entries []format.HashEntry
	chunk := int(max(64, min(mostChunk, l.memory/2/loadEdit)))
	err := f.runs.merge(nil, chunk, func(hashes []model.Edit) error {
		entries = entries[:0]
		for _, e := range hashes {
			entries = append(entries, format.HashEntry{Hash: e.Row, ID: f.base + e.Record})
		}
		m := w.Merger(l.ctx, w.Base)
		err := w.Finish(m, m.Hashes(model.RecordSpace+1, entries))
		w.Tell(len(hashes))
		return err
	})
	return errors.Join(err, f.runs.Close())
}

// since calls meet with the keys on the pages of a manifest that have at least some ID.
func (l *Loader) since(m *format.Manifest, from uint64, meet func(id uint64, key string) error) error {
	for i := range m.Fields[model.RecordSpace].Refs {
		r := &m.Fields[model.RecordSpace].Refs[i]
		if r.Last() < from {
			continue
		}
		if err := l.ctx.Err(); err != nil {
			return err
		}
		p, err := l.src.Read(r)
		if err != nil {
			return err
		}
		err = p.All(func(row uint64, code []byte) error {
			id := r.First + row
			if id < from {
				return nil
			}
			key, ok := format.AppendKeyText(nil, code)
			if !ok {
				return model.Corrupt(r.String(), "ID %d: got no key in codec %d", id, code[0])
			}
			return meet(id, string(key))
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// giveWay removes the load's keys that others have named meanwhile. These keys keep the IDs that
// others gave them, and the load writes under those IDs.
func (l *Loader) giveWay(w *merge.Driver, f *freshKeys, named func(meet func(id uint64,
	key string) error) error) error {
	dead := new(mutable.Bitmap)
	err := named(func(id uint64, key string) error {
		own, ok, err := l.src.LookupHash(w.Base, model.RecordSpace, key, l.src.Secret.Hash(key), f.base)
		if ok && own < f.base+uint64(f.count) {
			f.given[own] = id
			dead.Add(own)
		}
		return err
	})
	if err != nil || dead.IsEmpty() {
		return err
	}
	m := w.Merger(l.ctx, w.Base)
	return w.Finish(m, m.Keys(model.RecordSpace, &l.src.Secret, delta.EmptyKeys(f.base+uint64(f.count)),
		dead.View().AppendTo(nil)))
}

// exist makes the records exist that the load has numbered.
func (l *Loader) exist(w *merge.Driver, chunk int, deleted *mutable.Bitmap) error {
	f := l.numbering.assigned
	if f == nil {
		return nil
	}
	edits := make([]model.Edit, 0, min(chunk, f.count))
	for number := 0; number < f.count; {
		edits = edits[:0]
		for ; number < f.count && len(edits) < chunk; number++ {
			id := f.base + uint64(number)
			if _, other := f.given[id]; !other {
				edits = append(edits, model.Edit{Field: model.Exists, Set: true, Record: id})
			}
		}
		if err := w.Write(l.ctx, l.living(edits, deleted)); err != nil {
			return err
		}
	}
	return nil
}
