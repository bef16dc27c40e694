// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// String returns the condition as ParseCondition reads it. Two conditions that mean different
// things have different texts.
func (c Condition) String() string {
	switch {
	case len(c.In) > 0:
		return joinValues(c.In)
	case len(c.Not) > 0:
		return "!" + joinValues(c.Not)
	case c.From != "" || c.To != "":
		return c.From + ".." + c.To
	default:
		return joinValues([]string{c.Value})
	}
}

// ParseCondition reads a condition of an attribute as tables have it:
//
//	tea         a value
//	tea|coffee  one of several values
//	!tea|coffee none of several values
//	1..9        a range of numbers, dates or times; one end may be missing
//
// White space around a value is left out. After a backslash, the characters | ! \ and white space
// stand for themselves: \!a is the value !a. A text of white space alone is no condition: ok is
// false.
func ParseCondition(a *Attribute, text string) (c Condition, ok bool) {
	c = Condition{Attribute: a.Name}
	if strings.TrimSpace(text) == "" {
		return c, false
	}
	text = strings.TrimLeftFunc(text, unicode.IsSpace)
	if rest, not := strings.CutPrefix(text, "!"); not {
		c.Not = splitValues(rest)
		return c, true
	}
	if from, to, isRange := strings.Cut(text, ".."); isRange && a.Type != Text {
		c.From, c.To = strings.TrimSpace(from), strings.TrimSpace(to)
		return c, c.From != "" || c.To != ""
	}
	if c.In = splitValues(text); len(c.In) == 1 {
		c.Value, c.In = c.In[0], nil
	}
	return c, true
}

// isEscaped reports whether a character stands for itself after a backslash.
func isEscaped(r rune) bool { return r == '|' || r == '!' || r == '\\' || unicode.IsSpace(r) }

// splitValues reads values with | between them.
func splitValues(text string) (values []string) {
	var value []byte
	keep := 0 // white space behind it is left out
	for len(text) > 0 {
		r, n := utf8.DecodeRuneInString(text)
		next, width := utf8.DecodeRuneInString(text[n:])
		switch {
		case r == '\\' && width > 0 && isEscaped(next):
			value = append(value, text[n:n+width]...)
			keep, n = len(value), n+width
		case r == '|':
			values = append(values, string(value[:keep]))
			value, keep = value[:0], 0
		case !unicode.IsSpace(r):
			value = append(value, text[:n]...)
			keep = len(value)
		case keep > 0:
			value = append(value, text[:n]...)
		}
		text = text[n:]
	}
	return append(values, string(value[:keep]))
}

// joinValues writes values so that splitValues reads them.
func joinValues(values []string) string {
	var b strings.Builder
	for i, v := range values {
		if i > 0 {
			b.WriteByte('|')
		}
		for at, r := range v {
			edge := at == 0 || at == len(v)-utf8.RuneLen(r)
			if r == '|' || r == '\\' || r == '!' && at == 0 || edge && unicode.IsSpace(r) {
				b.WriteByte('\\')
			}
			_, n := utf8.DecodeRuneInString(v[at:])
			b.WriteString(v[at : at+n]) // bytes that are no UTF-8 as they are
		}
	}
	return b.String()
}
