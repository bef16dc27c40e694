// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package salvage

import (
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/overlay"
	"github.com/uproar-db/uproar/internal/schema"
)

// copySet copies a set field: its lists, and what lost ones had from the column, if it has one.
func (c *indexCopy) copySet(f *schema.Bound, rows *keys, lost *Keyless) error {
	err := c.snap.Rows(c.ctx, f.ID, 0, func(row uint64, l *overlay.List) error {
		if l.Len() == 0 {
			return nil
		}
		key, err := rows.key(row)
		if err != nil {
			return err
		}
		if key == nil {
			lost.add(row)
			return nil
		}
		value := string(key)
		return c.eachOf(l, func(record uint64) error { return c.set(f.Name, record, value) })
	})
	column := model.ValueField(f.ID)
	if !c.src.anyLost(column) && f.Column != schema.NoColumn {
		c.src.makeGood(f.ID)
	}
	if err != nil || f.Column == schema.NoColumn {
		return err
	}
	if !c.src.anyLost(f.ID) {
		c.src.makeGood(column)
		return nil
	}
	var values []uint64
	return c.eachRecord(func(record uint64) (err error) {
		if values, err = c.snap.AppendRows(values[:0], f.ID, record); err != nil {
			return err
		}
		for _, row := range values {
			if !c.src.isLost(f.ID, row, record) {
				continue
			}
			if err := c.setRow(f.Name, record, row, rows, lost); err != nil {
				return err
			}
		}
		return nil
	})
}

// setRow gives a record the value of a row, if both have keys.
func (c *indexCopy) setRow(field string, record, row uint64, rows *keys, lost *Keyless) error {
	key, err := rows.key(row)
	if err != nil {
		return err
	}
	if key == nil {
		if n := len(lost.IDs); n == 0 || row > lost.IDs[n-1].Last {
			lost.add(row)
		}
		return nil
	}
	return c.set(field, record, string(key))
}

// set gives a record a value, if it has a key.
func (c *indexCopy) set(field string, record uint64, value string) error {
	key, err := c.records.key(record)
	if err != nil || key == nil {
		return err
	}
	c.copied(1)
	return c.to.Set(field, string(key), value)
}

// copyRelation copies a relation: its lists, and what lost ones had from those of the inverse.
func (c *indexCopy) copyRelation(f *schema.Bound) error {
	rows := c.keysOf(model.RecordSpace)
	err := c.snap.Rows(c.ctx, f.ID, 0, func(row uint64, l *overlay.List) error {
		key, err := rows.key(row)
		if err != nil || key == nil {
			return err
		}
		return c.eachOf(l, func(record uint64) error {
			other, err := c.records.key(record)
			if err != nil || other == nil {
				return err
			}
			return c.relate(f.Name, key, other)
		})
	})
	if err != nil {
		return err
	}
	if !c.src.anyLost(f.InverseID) {
		c.src.makeGood(f.ID)
	}
	if !c.src.anyLost(f.ID) {
		c.src.makeGood(f.InverseID)
		return c.flush(f.Name)
	}
	err = c.snap.Rows(c.ctx, f.InverseID, 0, func(record uint64, l *overlay.List) error {
		other, err := rows.key(record)
		if err != nil || other == nil {
			return err
		}
		return c.eachOf(l, func(row uint64) error {
			if !c.src.isLost(f.ID, row, record) {
				return nil
			}
			key, err := c.records.key(row)
			if err != nil || key == nil {
				return err
			}
			return c.relate(f.Name, key, other)
		})
	})
	if err != nil {
		return err
	}
	return c.flush(f.Name)
}

// relateMany is how many keys are given to the load together.
const relateMany = 2000

// relate relates two records. The keys are copied.
func (c *indexCopy) relate(field string, record, other []byte) error {
	for _, key := range [...][]byte{record, other} {
		at := len(c.text)
		c.text = append(c.text, key...)
		c.pairs = append(c.pairs, c.text[at:len(c.text):len(c.text)])
	}
	c.copied(2)
	if len(c.pairs) < relateMany {
		return nil
	}
	return c.flush(field)
}

// flush gives the pairs that were gathered to the load.
func (c *indexCopy) flush(field string) error {
	err := c.to.SetAll(field, c.pairs)
	c.pairs, c.text = c.pairs[:0], c.text[:0]
	return err
}

// copySingle copies a single field: its column, and from the lists what lost pages of it had.
func (c *indexCopy) copySingle(f *schema.Bound, rows *keys, lost *Keyless) error {
	err := c.eachRecord(func(record uint64) error {
		row, ok, err := c.snap.Value(f.ID, record)
		if err != nil || !ok {
			return err
		}
		return c.setRow(f.Name, record, row, rows, lost)
	})
	column := model.ValueField(f.ID)
	if err != nil {
		return err
	}
	if !c.src.anyLost(f.ID) {
		c.src.makeGood(column)
	}
	if !c.src.anyLost(column) {
		c.src.makeGood(f.ID)
		return nil
	}
	return c.snap.Rows(c.ctx, f.ID, 0, func(row uint64, l *overlay.List) error {
		return c.eachOf(l, func(record uint64) error {
			if !c.src.isLost(column, record, 0) || c.assigned(f.ID, record) {
				return nil
			}
			return c.setRow(f.Name, record, row, rows, lost)
		})
	})
}

// assigned reports whether the log assigns a record something, or nothing. What of it comes to
// nothing beside a page without content is not in the snapshot.
func (c *indexCopy) assigned(field uint32, record uint64) bool {
	_, ok := c.snap.St.Active.Values.Get(model.ValueEdit{Field: field, Record: record})
	return ok || c.src.assigned[model.RowName{Field: field, Row: record}]
}

// copyIntegers copies an integer field: its column, and what lost pages of it had from the lists.
func (c *indexCopy) copyIntegers(f *schema.Bound) error {
	column, lost := model.ValueField(f.ID), c.src.anyLost(f.ID)
	if !lost {
		c.src.makeGood(column)
	}
	good := true
	err := c.eachRecord(func(record uint64) error {
		x, ok, err := c.snap.Int(f.ID, record)
		switch {
		case err != nil:
			return err
		case !ok && c.src.isLost(column, record, 0) && !c.assigned(f.ID, record):
			if x, ok, err = c.integer(f.ID, record); err != nil {
				return err
			}
		case ok && lost && x == model.Integer(model.LeastWord) && !c.assigned(f.ID, record) &&
			c.src.isLost(f.ID, model.IntegerRow(63), record): // or it is the least one
			ok, good = false, false
		}
		if !ok {
			return nil
		}
		key, err := c.records.key(record)
		if err != nil || key == nil {
			return err
		}
		c.copied(1)
		return c.to.SetInt(f.Name, string(key), x)
	})
	if good && !c.src.anyLost(column) {
		c.src.makeGood(f.ID)
	}
	return err
}

// integer reads the integer of a record from the lists. ok is false when it has none, or when a
// list that says so is lost.
func (c *indexCopy) integer(field uint32, record uint64) (x int64, ok bool, err error) {
	size, negative := uint64(0), false
	for row := range model.IntegerRow(64) {
		if c.src.isLost(field, row, record) {
			return 0, false, nil
		}
		in, err := c.snap.Contains(field, row, record)
		switch {
		case err != nil:
			return 0, false, err
		case row == model.IntegerAny && !in:
			return 0, false, nil
		case row == model.IntegerNegative:
			negative = in
		case in && row >= model.IntegerBits:
			size |= 1 << (row - model.IntegerBits)
		}
	}
	if negative {
		return -int64(size), true, nil
	}
	return int64(size), true, nil
}
