// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package crosstab

import (
	"cmp"
	"slices"
)

// MaxFields is by how many fields records may be grouped at once.
const MaxFields = 3

// maxGroups is how many groups one slice of them may have.
const maxGroups = 1 << 22

// Group is the records of a set that share a row, or a band of integers, in each field.
type Group struct {
	Rows  [MaxFields]uint64 // as many as there are fields: rows, or what integerRow says of the lower end
	Count uint64            // at least 1
	Total uint64            // of Tables, by one field: records in the row or band; else 0
}

const groupBytes = 40

// orderGroups compares two groups by their places in an answer.
func orderGroups(a, b Group) int {
	return cmp.Or(cmp.Compare(b.Count, a.Count), slices.Compare(a.Rows[:], b.Rows[:]))
}

// By is a field that records are grouped by.
type By struct {
	Field uint32
	Band  Band // of an integer field
}
