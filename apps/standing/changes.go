// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package standing

import (
	"context"
	"errors"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/bitmap"
)

// changes is what some commits of an index have changed.
type changes struct {
	records  bitmap.Bitmap     // the IDs of all records that were changed
	deleted  map[uint64]string // the keys of records that were deleted
	fields   map[string]bool   // in which something was set or cleared
	emptied  map[string]bool   // of which a row was emptied
	universe bool              // records may be new or gone
	loaded   bool              // anything may have changed
	tick     bool              // time has passed
}

// changesOf reads what the commits behind after have changed, up to that of a snapshot.
func changesOf(ctx context.Context, ix *uproar.Index, s uproar.Snapshot, after uint64, relations map[string]bool) (
	*changes, error) {
	c := &changes{deleted: make(map[uint64]string), fields: make(map[string]bool), emptied: make(map[string]bool)}
	if after >= s.Sequence() {
		return c, nil
	}
	for commit, err := range ix.Changes(ctx, after) {
		if err != nil {
			return c, err
		}
		if commit.Sequence > s.Sequence() {
			break
		}
		c.loaded = c.loaded || commit.Loaded
		for _, x := range commit.Changes {
			if err := c.add(s, x, relations[x.Field]); err != nil {
				return c, err
			}
		}
	}
	return c, nil
}

// add adds a change; relation is whether its value is a record.
func (c *changes) add(s uproar.Snapshot, x uproar.Change, relation bool) error {
	switch x.Kind {
	case uproar.ChangeDeleteRow:
		c.fields[x.Field], c.emptied[x.Field] = true, true
		return nil
	case uproar.ChangeDeleteRecord:
		c.deleted[x.RecordID] = x.Record
		c.universe = true
	case uproar.ChangeAddRecord:
		c.universe = true
	default:
		c.fields[x.Field] = true
		c.universe = c.universe || x.Kind == uproar.ChangeSet // which makes records, too
	}
	c.records.Add(x.RecordID)
	if !relation || x.Value == "" {
		return nil
	}
	id, err := s.ID(x.Value)
	if errors.Is(err, uproar.ErrUnknownRecord) {
		return nil // its deletion is a change of its own
	}
	if err == nil {
		c.records.Add(id)
	}
	return err
}
