// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package standing

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/query"
)

// mostEdits is how many changes of records are told apart by their commits, at most. They take some
// 20 MB for the time of a round.
const mostEdits = 1 << 17

// edit is what a commit has changed of one record. Of kind ChangeDeleteRow it has taken all values
// of a relation.
type edit struct {
	commit uint64
	kind   uproar.ChangeKind
	field  string
	value  string
	id     uint64 // of a relation: the record that the value is
}

// given is a value that records got, which of a relation has an ID.
type given struct {
	field, value string
	id           uint64
}

// history is what each of some commits has changed of each record, in order, so that what a query
// has found is known after each of them.
type history struct {
	before uproar.Snapshot // the state before the first of them
	now    uproar.Snapshot // that after the last
	fields *fields
	asked  map[string]bool    // relations that queries ask for
	edits  map[uint64][]edit  // by record
	given  map[given][]uint64 // the records that got a value
	count  int                // of edits

	several []uint64            // the records that several commits have changed, ascending
	chosen  map[string][]uint64 // those of them that matter to queries of the same fields
	past    *past
}

func newHistory(before, now uproar.Snapshot, f *fields, asked map[string]bool) *history {
	return &history{before: before, now: now, fields: f, asked: asked, edits: make(map[uint64][]edit),
		given: make(map[given][]uint64), chosen: make(map[string][]uint64)}
}

// add adds a change. deleted are the keys of records that were deleted by any of the commits. It
// reports false when commits cannot be told apart any more: there are too many changes, or the key
// of a record is unknown.
func (h *history) add(ctx context.Context, commit uint64, x uproar.Change, deleted map[uint64]string) (told bool,
	err error) {
	inverse, relation := h.fields.inverse[x.Field]
	if relation {
		x.Value = h.keyOf(x.ValueID, x.Value, deleted)
		if x.Kind != uproar.ChangeDeleteRow {
			x.Record = h.keyOf(x.RecordID, x.Record, deleted)
		}
		if x.Value == "" || x.Record == "" && x.Kind != uproar.ChangeDeleteRow {
			return false, nil
		}
	}
	switch x.Kind {
	case uproar.ChangeDeleteRow:
		of, field := query.Expr(query.Equal{Field: x.Field, Value: x.Value}), x.Field
		switch {
		case x.Field == uproar.SavedField:
			of = query.Saved{Name: x.Value}
		case relation:
			h.note(x.ValueID, edit{commit, x.Kind, x.Field, "", 0})
			of, field = query.Related{Field: x.Field, Key: x.Value}, inverse
		}
		return h.clear(ctx, commit, of, given{field, x.Value, x.ValueID})
	case uproar.ChangeDeleteRecord:
		for field := range h.asked {
			told, err := h.clear(ctx, commit, query.Equal{Field: field, Value: x.Record},
				given{field, x.Record, x.RecordID})
			if !told || err != nil {
				return told, err
			}
		}
	}
	h.note(x.RecordID, edit{commit, x.Kind, x.Field, x.Value, x.ValueID})
	if relation {
		h.note(x.ValueID, edit{commit, x.Kind, inverse, x.Record, x.RecordID})
	}
	return h.count <= mostEdits, nil
}

// keyOf returns the key of a record that a change names, which has none there once the record was
// deleted: by one of the commits, or after the last of them. "": it is unknown.
func (h *history) keyOf(id uint64, named string, deleted map[uint64]string) string {
	if named = cmp.Or(named, deleted[id]); named != "" {
		return named
	}
	key, _ := h.now.AppendKey(nil, id)
	return string(key)
}

// note adds an edit of a record.
func (h *history) note(record uint64, e edit) {
	h.edits[record] = append(h.edits[record], e)
	h.count++
	if e.kind == uproar.ChangeSet {
		g := h.key(given{e.field, e.value, e.id})
		h.given[g] = append(h.given[g], record)
	}
}

// key returns what tells a value from others: a record that is deleted leaves its key to another
// one.
func (h *history) key(g given) given {
	if h.fields.inverse[g.field] != "" {
		g.value = ""
	}
	return g
}

// clear adds that the records of a query lose a value, and so do those that got it since the state
// before.
func (h *history) clear(ctx context.Context, commit uint64, of query.Expr, lost given) (told bool, err error) {
	e := edit{commit, uproar.ChangeClear, lost.field, lost.value, lost.id}
	for _, id := range h.given[h.key(lost)] {
		h.note(id, e)
	}
	had, err := h.before.Select(ctx, of)
	if errors.Is(err, uproar.ErrUnknownSet) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	if had.Len() > uint64(mostEdits-min(h.count, mostEdits)) {
		return false, nil
	}
	for id := range had.View().All() {
		h.note(id, e)
	}
	return true, nil
}

// end ends the history, and adds the records that it has to others.
func (h *history) end(records *bitmap.Bitmap) {
	h.given = nil
	for record, edits := range h.edits {
		records.Add(record)
		if edits[0].commit != edits[len(edits)-1].commit {
			h.several = append(h.several, record)
		}
	}
	slices.Sort(h.several)
}

// commits returns the commits that matter to a query of some shape, of those that have changed a
// record.
func (h *history) commits(dst []uint64, s *shape, record uint64) []uint64 {
	for _, e := range h.edits[record] {
		if s.concerns(e) && (len(dst) == 0 || dst[len(dst)-1] != e.commit) {
			dst = append(dst, e.commit)
		}
	}
	return dst
}

// severalFor returns the records of which several commits matter to a query of some shape.
func (h *history) severalFor(s *shape) []uint64 {
	if of, ok := h.chosen[s.key]; ok {
		return of
	}
	var of, commits []uint64
	for _, id := range h.several {
		if commits = h.commits(commits[:0], s, id); len(commits) > 1 {
			of = append(of, id)
		}
	}
	h.chosen[s.key] = of
	return of
}

// upTo returns the edits of a record up to a commit.
func (h *history) upTo(record, commit uint64) []edit {
	edits := h.edits[record]
	n, _ := slices.BinarySearchFunc(edits, commit+1, func(e edit, c uint64) int { return cmp.Compare(e.commit, c) })
	return edits[:n]
}
