// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package query

// Locate returns where a query as text first names a field, as an error. The error says what was
// got and wanted there: whoever knows the fields reports an unknown one so. suggestion is a known
// field, or empty. ok is false if the text does not parse, or never names the field.
func Locate(text, field, suggestion string) (unknown *SyntaxError, ok bool) {
	at := -1
	p := parser{text: text, named: func(t token) {
		if at < 0 && t.value == field {
			at = t.offset
		}
	}}
	if len(text) > MaxText {
		return nil, false
	}
	p.next()
	if _, err := p.or(); err != nil || at < 0 {
		return nil, false
	}
	e := &SyntaxError{Text: text, Offset: at, Got: "the unknown field " + shorten(field), Want: "one of the index"}
	if suggestion != "" {
		e.Hint = "did you mean " + shorten(suggestion) + "?"
	}
	e.Line, e.Column = position(text, at)
	return e, true
}
