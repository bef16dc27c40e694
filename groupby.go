// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import "github.com/uproar-db/uproar/internal/schema"

// By is what records are grouped by: a field, and of an Integer field a band of integers.
type By struct {
	Field string
	Band  string // "": each value is a group
}

// ParseBy reads what String writes: a field, such as "city", or an Integer field and its band, such
// as "age by 10" or "joined by month". Selection.Groups says which bands there are. Errors:
// ErrInvalid.
func ParseBy(text string) (By, error) {
	field, band, err := schema.ParseBy(text)
	return By{Field: field, Band: band}, err
}

// String returns the text of what is grouped by.
func (b By) String() string {
	if b.Band == "" {
		return b.Field
	}
	return b.Field + " by " + b.Band
}
