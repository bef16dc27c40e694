// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package salvage

import (
	"math"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/internal/schema"
)

// edgeKeysMany is how many records of edges are written together.
const edgeKeysMany = 1 << 14

// copyEdgeKeys copies the records of edges, when the rest of the index is copied. One whose key has
// lost its text is left out.
func (c *indexCopy) copyEdgeKeys(to *uproar.DB, name string) error {
	index, err := to.Index(name)
	if err != nil {
		return err
	}
	for _, f := range c.fields {
		if f.Derived || !f.HasKeys() || c.leavesOut(f) {
			continue
		}
		if err := c.copyKeysOf(index, f); err != nil {
			return err
		}
	}
	return nil
}

// copyKeysOf copies the records that a relation has.
func (c *indexCopy) copyKeysOf(to *uproar.Index, f *schema.Bound) error {
	texts, records := c.keysOf(model.KeySpace(f.ID)), c.keysOf(model.RecordSpace)
	var b uproar.Batch
	flush := func() error {
		_, err := to.Write(c.ctx, &b)
		b.Reset()
		return err
	}
	err := c.eachRecord(func(id uint64) error {
		keys, err := reader.EdgeKeys(c.snap, f.ID, id)
		if err != nil {
			return err
		}
		all, err := keys.Last(nil, math.MaxUint64, math.MaxInt32)
		if err != nil || len(all) == 0 {
			return err
		}
		account, err := c.records.key(id)
		if err != nil || account == nil {
			return err
		}
		of := string(account)
		for _, k := range all {
			target, err := records.key(k.Target)
			if err != nil {
				return err
			}
			text := model.AppendTID(nil, k.Key)
			if k.Key < model.FirstTID {
				if text, err = texts.key(k.Key); err != nil {
					return err
				}
			}
			if target != nil && text != nil {
				b.SetEdge(f.Name, of, string(target), string(text))
			}
			if b.Len() >= edgeKeysMany {
				if err := flush(); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return flush()
}
