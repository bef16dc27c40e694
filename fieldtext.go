// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/uproar-db/uproar/internal/sentinel"
)

// String returns the field as command lines say it, such as born:date, height:decimal:scale=2 or
// likes:set:column=fast.
func (f Field) String() string {
	var b strings.Builder
	b.WriteString(f.Name + ":" + f.typeText())
	if f.Scale != 0 {
		b.WriteString(":scale=" + strconv.Itoa(f.Scale))
	}
	if f.Inverse != "" {
		b.WriteString(":inverse=" + f.Inverse)
	}
	if f.Column != NoColumn {
		b.WriteString(":column=" + string(f.Column))
	}
	return b.String()
}

// decimal is what command lines call an Integer field with a Scale.
const decimal = "decimal"

// typeText returns the one word for type and format.
func (f Field) typeText() string {
	switch {
	case f.Type == Integer && f.Format != Number:
		return string(f.Format)
	case f.Type == Integer && f.Scale > 0:
		return decimal
	}
	return string(f.Type)
}

// ParseFieldType reads the one word for type and format that String writes: set, single, integer,
// date, time or decimal, which needs a Scale as well. Errors: ErrInvalid.
func ParseFieldType(text string) (FieldType, Format, error) {
	switch text {
	case string(Set), string(Single), string(Integer):
		return FieldType(text), Number, nil
	case string(Date), string(Time):
		return Integer, Format(text), nil
	case decimal:
		return Integer, Number, nil
	}
	return "", Number, invalid("got type %q, want one of %q", text,
		[]string{string(Set), string(Single), string(Integer), string(Date), string(Time), decimal})
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
