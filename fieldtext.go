// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"fmt"

	"github.com/uproar-db/uproar/internal/schema"
	"github.com/uproar-db/uproar/internal/sentinel"
)

// String returns the field as command lines say it, such as born:date, height:decimal:scale=2 or
// likes:set:column=fast.
func (f Field) String() string { return f.declared().String() }

// ParseFieldType reads the one word for type and format that String writes: set, single, integer,
// date, time or decimal, which needs a Scale as well. Errors: ErrInvalid.
func ParseFieldType(text string) (FieldType, Format, error) {
	t, format, err := schema.ParseType(text)
	return FieldType(t), Format(format), err
}

// FieldConflictError says that an index has a field otherwise than it is wanted, or not at all. It
// matches ErrInvalid.
type FieldConflictError struct {
	Index string
	Has   Field // without a name: the index has none
	Want  Field
}

// Error names the index, what it has, what is wanted and what can be done.
func (e *FieldConflictError) Error() string {
	if e.Has.Name == "" {
		return fmt.Sprintf("field %q of index %q: has none, want %s; add the field, or name another index",
			e.Want.Name, e.Index, e.Want)
	}
	return fmt.Sprintf("field %q of index %q: has %s, want %s; drop the field, with its values, or name another one",
		e.Want.Name, e.Index, e.Has, e.Want)
}

// Is reports whether the error is ErrInvalid.
func (e *FieldConflictError) Is(target error) bool { return target == sentinel.ErrInvalid }
