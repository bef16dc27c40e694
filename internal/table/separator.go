// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package table

import (
	"fmt"
	"slices"
	"strings"
)

// Separator is what stands between the values of a row.
type Separator byte

// The separators. Detect means the one that the header has.
const (
	Detect    Separator = 0
	Comma     Separator = ','
	Semicolon Separator = ';'
	Tab       Separator = '\t'
	Pipe      Separator = '|'
)

// separators are all but Detect, by their names.
var separators = []struct {
	Separator
	name string
}{{Comma, "comma"}, {Semicolon, "semicolon"}, {Tab, "tab"}, {Pipe, "pipe"}}

// String returns the name of the separator.
func (s Separator) String() string {
	for _, known := range separators {
		if known.Separator == s {
			return known.name
		}
	}
	if s == Detect {
		return "detect"
	}
	return fmt.Sprintf("separator %q", byte(s))
}

// check fails for a separator that there is not.
func (s Separator) check() error {
	for _, known := range separators {
		if known.Separator == s {
			return nil
		}
	}
	if s == Detect {
		return nil
	}
	return fmt.Errorf("got %v, want comma, semicolon, tab, pipe or none", s)
}

// ParseSeparator returns the separator of a name: detect, comma, semicolon, tab or pipe.
func ParseSeparator(name string) (Separator, error) {
	for _, known := range separators {
		if known.name == name {
			return known.Separator, nil
		}
	}
	if name == "detect" || name == "" {
		return Detect, nil
	}
	return Detect, fmt.Errorf("got the separator %q, want detect, comma, semicolon, tab or pipe", name)
}

// Hint returns the separator that a first line such as "sep=;" names, as Excel writes it.
func Hint(line []byte) (s Separator, ok bool) {
	if len(line) != 5 || !strings.EqualFold(string(line[:4]), "sep=") {
		return Detect, false
	}
	s = Separator(line[4])
	return s, s != Detect && s.check() == nil
}

// sniff returns the separator that stands in a header, quotes apart. A header with several of them
// is ambiguous, and taken for one with commas.
func sniff(sample []byte, end byte) (s Separator, ambiguous bool) {
	s = Comma
	var has []Separator
	quoted := false
	for _, c := range sample {
		if c == '"' {
			quoted = !quoted
		}
		if quoted {
			continue
		}
		if c == end {
			break
		}
		if Separator(c).check() == nil && c != 0 && !slices.Contains(has, Separator(c)) {
			has = append(has, Separator(c))
		}
	}
	if len(has) == 1 {
		s = has[0]
	}
	return s, len(has) > 1
}
