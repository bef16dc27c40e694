// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package salvage

import (
	"context"
	"slices"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/overlay"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/internal/schema"
)

// indexCopy is the copy of an index under way. Not for concurrent use.
type indexCopy struct {
	ctx      context.Context
	src      *source
	snap     reader.Snapshot
	to       *uproar.Loader
	report   *IndexReport
	fields   []*schema.Bound
	byID     []string // Options.ByID
	moved    bool     // a record has another ID in the copy
	progress func(done, total uint64)

	records keys     // of the records
	pairs   [][]byte // scratch: of a relation
	text    []byte   // scratch: of pairs
	done    uint64   // values that were copied
	total   uint64   // about
}

// keys finds the keys of a space. Not for concurrent use.
type keys struct {
	reader reader.KeyReader
	space  uint32
	found  map[model.RowName]string
	room   []byte
}

func (c *indexCopy) keysOf(space uint32) keys {
	return keys{reader: c.snap.Keys(space), space: space, found: c.src.keys}
}

// key returns the key of an ID, valid until the next call; nil: it is lost.
func (k *keys) key(id uint64) (key []byte, err error) {
	var ok bool
	if k.room, ok, err = k.reader.Append(k.room[:0], id); err != nil || ok && len(k.room) > 0 {
		return k.room, err
	}
	if key, ok := k.found[model.RowName{Field: k.space, Row: id}]; ok {
		k.room = append(k.room[:0], key...)
		return k.room, nil
	}
	return nil, nil
}

// all copies everything, and completes the report.
func (c *indexCopy) all() error {
	c.records = c.keysOf(model.RecordSpace)
	for _, f := range c.snap.St.Version.Fields {
		for i := range f.Refs {
			if r := &f.Refs[i]; format.KindOf(r.Field) == format.Postings {
				c.total += r.Values
			}
		}
	}
	if err := c.copyRecords(); err != nil {
		return err
	}
	saved := &schema.Bound{Field: schema.Field{Name: uproar.SavedField, Type: schema.Set}, ID: schema.SavedID}
	for _, f := range append(c.fields, saved) {
		if err := c.copyField(f); err != nil {
			return err
		}
	}
	return nil
}

// copyField copies the values of a field.
func (c *indexCopy) copyField(f *schema.Bound) (err error) {
	rows := c.keysOf(f.Space())
	lost := &Keyless{Field: f.Name}
	switch {
	case f.Derived:
		return nil // with the other direction
	case c.leavesOut(f):
		c.report.LeftOut = append(c.report.LeftOut, f.Name)
		return nil
	case f.Type == schema.Relation:
		err = c.copyRelation(f)
	case f.Type == schema.Integer:
		err = c.copyIntegers(f)
	case f.Type == schema.Single:
		err = c.copySingle(f, &rows, lost)
	default:
		err = c.copySet(f, &rows, lost)
	}
	if err != nil {
		return err
	}
	if lost.Count > 0 {
		c.report.Keyless = append(c.report.Keyless, *lost)
	} else if f.Type != schema.Relation {
		c.src.makeGood(model.KeySpace(f.ID))
	}
	name := func(row uint64) string {
		key, _ := rows.key(row)
		return string(key)
	}
	if f.Type == schema.Integer {
		name = nil
	}
	c.src.describe(f.ID, f.Name, name)
	c.src.describe(model.KeySpace(f.ID), f.Name, nil)
	c.src.describe(model.KeySpace(f.ID)+1, f.Name, nil)
	c.src.describe(model.ValueField(f.ID), f.Name, func(record uint64) string {
		key, _ := c.records.key(record)
		return string(key)
	})
	if f.Type == schema.Relation {
		c.src.describe(f.InverseID, f.Inverse, name)
	}
	return nil
}

// leavesOut reports whether a field is not copied, since it names records by IDs they have lost.
func (c *indexCopy) leavesOut(f *schema.Bound) bool {
	return c.moved && slices.Contains(c.byID, f.Name)
}

// copyRecords copies the records. Where it is lost which ones exist, those do that have a key.
func (c *indexCopy) copyRecords() error {
	lost := new(Keyless)
	n := 0
	err := c.eachRecord(func(id uint64) error {
		key, err := c.records.key(id)
		if err != nil {
			return err
		}
		if n++; n%reader.KeysPerLook == 0 {
			c.progress(0, c.total)
		}
		if key == nil {
			lost.add(id)
			return nil
		}
		c.moved = c.moved || id != c.report.Records
		c.report.Records++
		return c.to.AddRecord(string(key))
	})
	if err != nil {
		return err
	}
	if lost.Count > 0 {
		c.report.Keyless = append(c.report.Keyless, *lost)
	} else {
		c.src.makeGood(model.RecordSpace)
	}
	if !c.src.anyLost(model.RecordSpace) {
		c.src.makeGood(model.Exists)
	}
	for part := range uint32(3) {
		c.src.describe(part, "_exists", nil)
	}
	return nil
}

// eachRecord calls fn with each record that exists, ascending but for those of which that is lost.
func (c *indexCopy) eachRecord(fn func(id uint64) error) error {
	var universe overlay.List
	if err := c.snap.List(model.Exists, 0, &universe); err != nil {
		return err
	}
	if err := c.eachOf(&universe, fn); err != nil || !c.src.anyLost(model.Exists) {
		return err
	}
	return c.snap.KeysWith(c.ctx, model.RecordSpace, "", func(id uint64) error {
		if !c.src.isLost(model.Exists, 0, id) || c.snap.St.Masks.IsDead(id) || universe.Contains(id) {
			return nil
		}
		return fn(id)
	})
}

// eachOf calls fn with each record of a list, ascending.
func (c *indexCopy) eachOf(l *overlay.List, fn func(id uint64) error) error {
	var cursor overlay.Cursor
	var ids []uint64
	cursor.Reset(l)
	for ok := cursor.Seek(0); ok; ok = cursor.Next() {
		if err := c.ctx.Err(); err != nil {
			return err
		}
		ids = cursor.Block().AppendTo(ids[:0])
		for _, id := range ids {
			if err := fn(id); err != nil {
				return err
			}
		}
	}
	return nil
}

// copied counts values that were copied.
func (c *indexCopy) copied(n uint64) {
	if c.done += n; c.done>>12 != (c.done-n)>>12 {
		c.progress(min(c.done, c.total), c.total)
	}
}
