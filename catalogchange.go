// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"maps"
	"slices"
)

// setAlias makes alias another name of an index that there is; of "", it takes the alias away.
func (c *catalog) setAlias(alias, index string) error {
	if err := checkName("alias", alias); err != nil {
		return err
	}
	if c.entry(alias) != nil {
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

// clone returns a copy that can be changed: its entries, not their fields.
func (c *catalog) clone() *catalog {
	return &catalog{Version: c.Version, Indexes: slices.Clone(c.Indexes), Aliases: maps.Clone(c.Aliases),
		LastID: c.LastID, Dropping: slices.Clone(c.Dropping)}
}

// index returns the entry of an index, or nil; of one that is being loaded, nil.
func (c *catalog) index(name string) *catalogIndex {
	if entry := c.entry(name); entry != nil && !entry.Loading {
		return entry
	}
	return nil
}

// entry returns the entry of an index, whether it is being loaded or not, or nil.
func (c *catalog) entry(name string) *catalogIndex {
	for i := range c.Indexes {
		if c.Indexes[i].Name == name {
			return &c.Indexes[i]
		}
	}
	return nil
}

// drop moves an index to those that are being dropped. Its ID is never used again.
func (c *catalog) drop(id uint32) {
	c.Indexes = slices.DeleteFunc(c.Indexes, func(e catalogIndex) bool { return e.ID == id })
	c.LastID = max(c.LastID, id)
	c.Dropping = append(c.Dropping, id)
}

// dropLoading moves the indexes to those being dropped whose loads ended with their process.
func (c *catalog) dropLoading() {
	for _, entry := range slices.Clone(c.Indexes) {
		if entry.Loading {
			c.drop(entry.ID)
		}
	}
}

// visible returns the catalog without the indexes that are being loaded.
func (c *catalog) visible() *catalog {
	next := c.clone()
	next.Indexes = slices.DeleteFunc(next.Indexes, func(e catalogIndex) bool { return e.Loading })
	return next
}
