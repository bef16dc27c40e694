// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

// Page says which part of an answer is wanted: at most Limit records (0: all) with record IDs of
// From or more. Because IDs never change and are never used twice, the Next of a page is a stable
// place to go on from, whatever is written meanwhile.
type Page struct {
	From  uint64
	Limit int
}

// IDs is a page of record IDs, ascending. When there are More, the next page is From Next.
type IDs struct {
	IDs  []uint64
	Next uint64
	More bool
}
