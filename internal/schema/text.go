// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package schema

import (
	"strconv"
	"strings"
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

// ParseType reads the one word for type and format that String writes. A decimal needs a Scale as
// well. Errors: ErrInvalid.
func ParseType(text string) (Type, Format, error) {
	switch text {
	case string(Set), string(Single), string(Integer):
		return Type(text), Number, nil
	case string(Date), string(Time):
		return Integer, Format(text), nil
	case decimal:
		return Integer, Number, nil
	}
	return "", Number, invalid("got type %q, want one of %q", text,
		[]string{string(Set), string(Single), string(Integer), string(Date), string(Time), decimal})
}
