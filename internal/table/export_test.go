// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package table

// Header returns the names of the columns.
func (c *CSV) Header() []string { return c.header }

// Elements calls fn with each element of an array.
func (v Value) Elements(fn func(Value)) { v.elements(fn) }
