// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package schema

import (
	"fmt"
	"strconv"

	"github.com/uproar-db/uproar/internal/posting/model"
)

// Numbers says which field has which number, as the errors of package posting call them: that of
// its lists, and with the next three those of its keys, hashes and value column.
func (s *Schema) Numbers() string {
	text := "0 to 3 is the records"
	for _, f := range s.fields {
		text += fmt.Sprintf(", %d to %d is %q", f.ID, f.ID+3, f.Name)
	}
	return text
}

// Describe returns the name and the kind of what has a number (docs/format/keys.md): the lists of a
// field, its keys, hashes or value column.
func (s *Schema) Describe(id uint32) (name, kind string) {
	base, part := "", id%fieldStep
	if f := s.Dropped(id - part); f != nil {
		return f.Name, "dropped"
	}
	if f := s.Numbered(id - part); f != nil {
		if part == 0 {
			if id == SavedID {
				return f.Name, "saved"
			}
			if f.Derived {
				return f.Name, "inverse"
			}
			return f.Name, string(f.Type)
		}
		base = f.Name + "."
	}
	switch {
	case id == model.Exists:
		return "_exists", "universe"
	case id < fieldStep:
		base = "_"
	case base == "":
		base = "field " + strconv.Itoa(int(id-part)) + "."
	}
	switch part {
	case 1:
		return base + "keys", "keys"
	case 2:
		return base + "hashes", "hashes"
	default:
		return base + "forward", "forward" // a value column, as statistics call it
	}
}
