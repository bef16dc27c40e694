// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package eval evaluates a query on a snapshot: it binds the leaves of the syntax tree (package
// query) to posting lists (package posting), orders the operands by cardinality, and walks them
// block by block.
//
// A block is the part of a set inside 65 536 consecutive record IDs. For each block that the
// smallest operand has, the whole expression is computed in scratch memory that fits the
// processor's cache: no intermediate bitmap is ever built, a count materialises nothing but the
// operands of its last operation, and the memory and the number of allocations of a query do not
// depend on the size of the lists.
//
// Scratch memory is pooled. Every function is safe for concurrent use, and stops with the context's
// error soon after it ends.
package eval
