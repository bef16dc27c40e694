// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package live

// TEMPORARY: graph.Change and its parts, until the branch of keyed relations is here.

type Relation string

const (
	Follows Relation = "follows"
	Blocks  Relation = "blocks"
	Members Relation = "members"
)

type Op string

const (
	Set     Op = "set"
	Clear   Op = "clear"
	Replace Op = "replace"
	Hide    Op = "hide"
	Show    Op = "show"
)

type Edge struct{ Target, Key string }

type Change struct {
	Op       Op
	Relation Relation
	Account  string
	Target   string
	Key      string
	Edges    []Edge
}

type Changes struct {
	List     []Change
	Stream   string
	Position int64
}
