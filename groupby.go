// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"strings"
	"unicode"
)

// By is what records are grouped by: a field, and of an Integer field a band of integers.
type By struct {
	Field string
	Band  string // "": each value is a group
}

// ParseBy reads what String writes: a field, such as "city", or an Integer field and its band, such
// as "age by 10" or "joined by month". Selection.Groups says which bands there are. Errors:
// ErrInvalid.
func ParseBy(text string) (By, error) {
	if text != "" && !strings.ContainsFunc(text, unicode.IsSpace) {
		return By{Field: text}, nil
	}
	switch words := strings.Fields(text); {
	case len(words) == 1:
		return By{Field: words[0]}, nil
	case len(words) == 3 && words[1] == "by":
		return By{Field: words[0], Band: words[2]}, nil
	}
	return By{}, invalid("groups: got %q, want a field, or an integer field and a band, such as %q or %q", text,
		"age by 10", "joined by month")
}

// String returns the text of what is grouped by.
func (b By) String() string {
	if b.Band == "" {
		return b.Field
	}
	return b.Field + " by " + b.Band
}
