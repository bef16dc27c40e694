// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package schema

import (
	"maps"
	"slices"
)

// SetAlias makes alias another name of an index that there is. Of "", it takes the alias away.
// Errors: ErrInvalid.
func (c *Catalog) SetAlias(alias, index string) error {
	if err := CheckName("alias", alias); err != nil {
		return err
	}
	if c.Entry(alias) != nil {
		return invalid("alias: got %q, which is the name of an index", alias)
	}
	if index == "" {
		delete(c.Aliases, alias)
		return nil
	}
	if c.Aliases == nil {
		c.Aliases = make(map[string]string)
	}
	c.Aliases[alias] = index
	return nil
}

// Clone returns a copy that can be changed: its entries, not their fields.
func (c *Catalog) Clone() *Catalog {
	return &Catalog{Version: c.Version, Indexes: slices.Clone(c.Indexes), Aliases: maps.Clone(c.Aliases),
		LastID: c.LastID, Last: c.Last, Dropping: slices.Clone(c.Dropping)}
}

// Index returns the entry of an index. It is nil for one that there is not, or is being loaded.
func (c *Catalog) Index(name string) *Index {
	if entry := c.Entry(name); entry != nil && !entry.Loading {
		return entry
	}
	return nil
}

// Entry returns the entry of an index, whether it is being loaded or not, or nil.
func (c *Catalog) Entry(name string) *Index {
	for i := range c.Indexes {
		if c.Indexes[i].Name == name {
			return &c.Indexes[i]
		}
	}
	return nil
}

// Drop moves an index to Dropping. Its ID is never used again.
func (c *Catalog) Drop(id uint32) {
	c.Indexes = slices.DeleteFunc(c.Indexes, func(e Index) bool { return e.ID == id })
	c.LastID = max(c.LastID, id)
	c.Dropping = append(c.Dropping, id)
}

// step is how far the numbers of commits of a new index are from those of others, about.
const step = 1_000_000

// Above returns the number that the commits of a new index are above, if its name, or an alias, may
// have been that of an index with a commit of the number last, or of one that was dropped. A
// follower that goes on behind a commit of the other one so learns that it is another one. Some
// commits may still come to be in the other one.
func (c *Catalog) Above(last uint64) uint64 {
	if last = max(last, c.Last); last == 0 {
		return 0
	}
	return ((last+step/2)/step + 1) * step
}

// DropLoading moves the indexes to those being dropped whose loads ended with their process.
func (c *Catalog) DropLoading() {
	for _, entry := range slices.Clone(c.Indexes) {
		if entry.Loading {
			c.Drop(entry.ID)
		}
	}
}

// Visible returns the catalog without the indexes that are being loaded.
func (c *Catalog) Visible() *Catalog {
	next := c.Clone()
	next.Indexes = slices.DeleteFunc(next.Indexes, func(e Index) bool { return e.Loading })
	return next
}

// NextID returns the ID of the next index, which none ever had.
func (c *Catalog) NextID() uint32 {
	id := c.LastID + 1
	for _, x := range c.Indexes {
		id = max(id, x.ID+1)
	}
	return id
}

// AliasOf returns an alias of an index. ok is false when it has none.
func (c *Catalog) AliasOf(index string) (alias string, ok bool) {
	for alias, name := range c.Aliases {
		if name == index {
			return alias, true
		}
	}
	return "", false
}

// DropFields marks fields as dropped, by their numbers. The fields of other copies of the catalog
// stay as they are.
func (x *Index) DropFields(ids ...uint32) {
	x.Fields = slices.Clone(x.Fields)
	for i := range x.Fields {
		if slices.Contains(ids, x.Fields[i].ID) {
			x.Fields[i].Dropped = true
		}
	}
}
