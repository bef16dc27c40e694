// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package standing

import (
	"context"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/bitmap"
)

// touch is what some commits have changed in a field.
type touch struct {
	values  map[string]bool // that records got or lost
	all     bool            // any value
	emptied bool            // a row was emptied
}

// changes is what some commits of an index have changed.
type changes struct {
	records  bitmap.Bitmap     // the IDs of all records that were changed
	deleted  map[uint64]string // the keys of records that were deleted
	gone     bitmap.Bitmap     // their IDs
	fields   map[string]*touch // in which something was set or cleared
	universe bool              // records may be new or gone
	loaded   bool              // anything may have changed
	tick     bool              // time has passed
	last     uint64            // the last of the commits
	history  *history          // what each commit has changed; nil: they are told as one
}

// reading reads what some commits have changed.
type reading struct {
	*changes
	of *fields
}

// changesOf reads what the commits behind after have changed, up to that of a snapshot. h takes
// what each of them has; it is nil where nobody asks.
func changesOf(ctx context.Context, ix *uproar.Index, s uproar.Snapshot, after uint64, f *fields, h *history) (
	*changes, error) {
	c := &changes{deleted: make(map[uint64]string), fields: make(map[string]*touch), last: s.Sequence()}
	if after >= s.Sequence() {
		return c, nil
	}
	r := &reading{changes: c, of: f}
	var commits []uproar.Commit
	count := 0
	for commit, err := range ix.Changes(ctx, after) {
		if err != nil {
			return c, err
		}
		if commit.Sequence > s.Sequence() {
			break
		}
		c.loaded = c.loaded || commit.Loaded
		for _, x := range commit.Changes {
			r.add(x)
		}
		if count += len(commit.Changes); h == nil || c.loaded || count > mostEdits {
			h, commits = nil, nil
			continue
		}
		commits = append(commits, commit)
	}
	if h == nil {
		return c, nil
	}
	for _, commit := range commits {
		for _, x := range commit.Changes {
			if told, err := h.add(ctx, commit.Sequence, x, c.deleted); err != nil || !told {
				return c, err
			}
		}
	}
	h.end(&c.records)
	c.history = h
	return c, nil
}

// touched returns what was changed in a field, to be added to.
func (c *changes) touched(field string) *touch {
	t := c.fields[field]
	if t == nil {
		t = &touch{values: make(map[string]bool)}
		c.fields[field] = t
	}
	return t
}

// add adds a change.
func (r *reading) add(x uproar.Change) {
	inverse, relation := r.of.inverse[x.Field]
	switch x.Kind {
	case uproar.ChangeDeleteRow:
		t := r.touched(x.Field)
		t.values[x.Value], t.emptied = true, true
		if relation {
			t.all = true
			t = r.touched(inverse)
			t.all, t.emptied = true, true
		}
		return
	case uproar.ChangeDeleteRecord:
		r.deleted[x.RecordID] = x.Record
		r.gone.Add(x.RecordID)
		r.universe = true
	case uproar.ChangeAddRecord:
		r.universe = true
	default:
		t := r.touched(x.Field)
		t.values[x.Value] = true
		if f := r.of.named[x.Field]; f.Type == uproar.Single || f.Type == uproar.Integer {
			t.all = true // it takes the place of another
		}
		r.universe = r.universe || x.Kind == uproar.ChangeSet // which makes records, too
	}
	r.records.Add(x.RecordID)
	if !relation {
		return
	}
	t := r.touched(inverse)
	t.values[x.Record] = true
	if x.Value == "" || x.Record == "" { // a deletion later on
		t.all = true
		r.touched(x.Field).all = true
	}
	r.records.Add(x.ValueID)
}
