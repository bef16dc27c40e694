// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package library

// An operation is a line of the tables: its name says what is done, and a unit of it is what the
// times are for.
type operation string

const (
	opAnd          operation = "and"
	opAndLen       operation = "and-cardinality"
	opOr           operation = "or"
	opAndNot       operation = "andnot"
	opXor          operation = "xor"
	opWideOr       operation = "wide or"
	opWideOrPar    operation = "wide or, parallel"
	opWideAnd      operation = "wide and"
	opWideAndPar   operation = "wide and, parallel"
	opContains     operation = "contains, random"
	opRank         operation = "rank"
	opSelect       operation = "select"
	opIterate      operation = "iterate, a value"
	opBatches      operation = "in batches, a value"
	opOpen         operation = "open"
	opOpenContains operation = "open and contains"
	opOpenAndLen   operation = "open two and and-cardinality"
	opBuild        operation = "build from sorted, a value"
	opAdd          operation = "add in random order, a value"
)

// operations are the lines of a table, in order.
var operations = []operation{
	opAnd, opAndLen, opOr, opAndNot, opXor, opWideOr, opWideOrPar, opWideAnd, opWideAndPar, opContains, opRank,
	opSelect,
	opIterate, opBatches, opOpen, opOpenContains, opOpenAndLen, opBuild, opAdd,
}

// counts reports whether the line counts in means over several operations. Parallel intersections
// do not: the peers start all their workers for sets that share nothing, so that one line would
// outweigh the others.
func (op operation) counts() bool { return op != opWideAndPar }
