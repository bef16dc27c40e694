// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package standing

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/query"
)

const (
	// partChanges is how many records one commit of results has, at most.
	partChanges = 10_000

	// quietCommits is after how many commits of an index their number is kept, if they changed no
	// result.
	quietCommits = 1_000

	// mostLeftovers is how many records that are in no query are looked at together.
	mostLeftovers = 100_000

	// sweepPause is the time between two looks for them.
	sweepPause = time.Minute
)

// write is that records enter a query, or leave it, with a commit.
type write struct {
	commit uint64
	name   string
	left   bool
}

// gone is a record that has left a query and has no ID any more: it was deleted while nobody kept
// the query.
type gone struct{ name, key string }

// noted returns the records of a write, to be added to.
func (k *rounds) noted(w write) *bitmap.Bitmap {
	of := k.writes[w]
	if of == nil {
		of = new(bitmap.Bitmap)
		k.writes[w] = of
	}
	return of
}

// keyed has the keys of records, of which many are written for several queries.
type keyed struct {
	s       uproar.Snapshot
	deleted map[uint64]string
	known   map[uint64]string
}

// mostKnown is how many keys are kept at a time.
const mostKnown = 1 << 16

// of appends the keys of records, which ascend.
func (k *keyed) of(dst []string, ids []uint64) ([]string, error) {
	var wanted []uint64
	for _, id := range ids {
		if _, ok := k.known[id]; !ok && k.deleted[id] == "" {
			wanted = append(wanted, id)
		}
	}
	keys, err := k.s.KeysOf(wanted)
	if err != nil {
		return nil, err
	}
	if len(k.known)+len(keys) > mostKnown {
		for _, id := range ids { // which are known, and may be forgotten below
			if key, ok := k.known[id]; ok {
				wanted, keys = append(wanted, id), append(keys, key)
			}
		}
		clear(k.known)
	}
	for i, id := range wanted {
		k.known[id] = keys[i]
	}
	for _, id := range ids {
		dst = append(dst, cmp.Or(k.deleted[id], k.known[id]))
	}
	return dst, nil
}

// write commits what entered and left, the changes of each commit of the index by themselves.
func (k *rounds) write(ctx context.Context, s uproar.Snapshot, c *changes) error {
	if err := k.cancelOut(s, c); err != nil {
		return err
	}
	keys := keyed{s: s, deleted: c.deleted, known: make(map[uint64]string)}
	of := make(map[uint64][]write) // by commit
	for w, records := range k.writes {
		if !records.IsEmpty() {
			of[w.commit] = append(of[w.commit], w)
		}
	}
	to := k.stand
	if k.restated {
		to = k.states()
	}
	// An index that was restored may have less commits than before.
	quiet := len(of) == 0 && (c.last >= k.kept+quietCommits || c.last < k.kept)
	if _, ok := of[c.last]; !ok && (quiet || slices.ContainsFunc(k.gone, k.leaves) || !k.stand.equal(to)) {
		of[c.last] = nil
	}
	for _, commit := range slices.Sorted(maps.Keys(of)) {
		if err := k.commit(ctx, commit, of[commit], &keys, to, commit == c.last); err != nil {
			return err
		}
	}
	clear(k.writes)
	k.restated = false
	return nil
}

// commit commits what entered and left with a commit of the index; with the last of a round also
// what is gone, and the states to stand. If that is much, it comes in parts, and the last says of
// which commit all of it is.
func (k *rounds) commit(ctx context.Context, sequence uint64, writes []write, keys *keyed, to states,
	last bool) error {
	var b uproar.Batch
	written := 0
	put := func(name, key string, left bool) (err error) {
		if written > 0 && written%partChanges == 0 {
			_, err = k.members.Write(ctx, &b)
			b.Reset()
		}
		written++
		if left {
			b.Clear(inField, key, name)
		} else {
			b.Set(inField, key, name)
		}
		delete(k.leftovers.keys, key)
		return err
	}
	if last {
		for _, x := range k.gone {
			if !k.leaves(x) {
				continue
			}
			if err := put(x.name, x.key, true); err != nil {
				return err
			}
		}
	}
	var names []string
	for _, w := range writes {
		records := k.writes[w]
		for from, ids := uint64(0), []uint64(nil); ; from = ids[len(ids)-1] + 1 {
			ids = ids[:0]
			for id := range records.From(from) {
				if ids = append(ids, id); len(ids) == partChanges {
					break
				}
			}
			if len(ids) == 0 {
				break
			}
			var err error
			if names, err = keys.of(names[:0], ids); err != nil {
				return err
			}
			for _, key := range names {
				if err := put(w.name, key, w.left); err != nil {
					return err
				}
			}
		}
	}
	if last {
		k.stand.change(&b, to)
		for name := range to.failing {
			delete(k.leftovers.keys, name)
		}
	}
	at := k.at
	if sequence == k.kept {
		b.Unset(asOfField, positionRecords[at])
		at = 1 - at
	}
	b.SetInt(asOfField, positionRecords[at], int64(sequence))
	_, err := k.members.Write(ctx, &b)
	if err == nil {
		k.kept, k.at = sequence, at
	}
	if err == nil && last {
		k.gone = slices.DeleteFunc(k.gone, k.leaves)
		k.stand = to
	}
	return err
}

// cancelOut takes out records that left and entered with the same commit: they were deleted, and
// made anew under the same key.
func (k *rounds) cancelOut(s uproar.Snapshot, c *changes) error {
	again := make(map[string][]uint64) // the IDs of deleted records, by key
	for id, key := range c.deleted {
		again[key] = append(again[key], id)
	}
	entered := func(commit uint64, name, key string) (bool, error) {
		records := k.writes[write{commit: commit, name: name}]
		if records == nil {
			return false, nil
		}
		for _, id := range again[key] {
			if records.Remove(id) {
				return true, nil
			}
		}
		id, err := s.ID(key)
		if errors.Is(err, uproar.ErrUnknownRecord) {
			return false, nil
		}
		return err == nil && records.Remove(id), err
	}
	for w, records := range k.writes {
		if !w.left {
			continue
		}
		for id := range bitmap.And(records.View(), c.gone.View()).All() {
			if back, err := entered(w.commit, w.name, c.deleted[id]); err != nil {
				return err
			} else if back {
				records.Remove(id)
			}
		}
	}
	kept := k.gone[:0]
	for _, x := range k.gone {
		back, err := entered(c.last, x.name, x.key)
		if err != nil {
			return err
		}
		if !back {
			kept = append(kept, x)
		}
	}
	k.gone = kept
	return nil
}

// leftovers deletes the keys of records that are in no query any more. A follower may still read
// that they left, and what is deleted has no key: so a key stays as long as the commit is kept with
// which its record left.
type leftovers struct {
	keys   map[string]bool // in no query when looked for, and not written since; nil: look again
	asOf   uint64          // the commit of the results at that time
	looked time.Time
}

// sweep looks for such keys, or deletes those that it has found.
func (l *leftovers) sweep(ctx context.Context, members *uproar.Index) error {
	if time.Since(l.looked) < sweepPause {
		return nil
	}
	l.looked = time.Now()
	if len(l.keys) == 0 {
		return l.look(ctx, members)
	}
	for _, err := range members.Changes(ctx, l.asOf) {
		if errors.Is(err, uproar.ErrSequenceTrimmed) {
			return l.delete(ctx, members)
		}
		return err
	}
	return nil
}

// look looks for keys of records that are in no query.
func (l *leftovers) look(ctx context.Context, members *uproar.Index) error {
	s := members.Snapshot()
	defer s.Close()
	l.keys, l.asOf = make(map[string]bool), s.Sequence()
	keys, err := s.Keys(ctx, query.Not{Of: query.Or{Of: []query.Expr{query.Any{Field: inField},
		query.Any{Field: errorField}}}}, uproar.Page{Limit: mostLeftovers})
	for _, key := range keys.Keys {
		if !slices.Contains(positionRecords[:], key) {
			l.keys[key] = true
		}
	}
	return err
}

// delete deletes what was found.
func (l *leftovers) delete(ctx context.Context, members *uproar.Index) error {
	var b uproar.Batch
	for key := range l.keys {
		b.DeleteRecord(key)
		delete(l.keys, key)
		if b.Len() == partChanges || len(l.keys) == 0 {
			if _, err := members.Write(ctx, &b); err != nil {
				return err
			}
			b.Reset()
		}
	}
	return nil
}
