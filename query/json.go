// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package query

import (
	"encoding/base64"
	"encoding/json"
	"strconv"
	"unicode/utf8"
)

// AppendJSON appends the expression to dst as JSON. ParseJSON turns it back into an equal tree, if
// it is valid. A leaf whose strings are not all UTF-8 is written as the JSON string of its text; a
// value of several fields in an Or is written as "in". Time is linear in the length of the JSON. e
// should be valid in the sense of [Validate]: ParseJSON refuses the JSON of other expressions.
func AppendJSON(dst []byte, e Expr) []byte {
	if !isUTF8(e) {
		return appendJSONText(dst, e)
	}
	switch e := e.(type) {
	case And:
		return append(appendJSONList(append(dst, `{"and":`...), e.Of), '}')
	case Or:
		if field, in := inField(e.Of); in && allUTF8(e.Of) {
			return appendJSONIn(dst, field, e.Of)
		}
		return append(appendJSONList(append(dst, `{"or":`...), e.Of), '}')
	case Xor:
		return append(appendJSONList(append(dst, `{"xor":`...), e.Of), '}')
	case Not:
		return append(AppendJSON(append(dst, `{"not":`...), e.Of), '}')
	case AtLeast:
		dst = strconv.AppendInt(append(dst, `{"atLeast":`...), int64(e.N), 10)
		return append(appendJSONList(append(dst, `,"of":`...), e.Of), '}')
	case Through:
		dst = appendJSONField(dst, e.Field, "of")
		return append(AppendJSON(dst, e.Of), '}')
	case Equal:
		return appendJSONValue(dst, e.Field, "=", e.Value)
	case Prefix:
		return appendJSONValue(dst, e.Field, "prefix", e.Value)
	case Compare:
		return appendJSONValue(dst, e.Field, string(e.Order), e.Value)
	case Between:
		dst = appendJSONString(append(appendJSONField(dst, e.Field, "between"), '['), e.From)
		return append(appendJSONString(append(dst, ','), e.To), ']', '}')
	case Related:
		return appendJSONValue(dst, e.Field, "key", e.Key)
	case Any:
		return append(appendJSONField(dst, e.Field, "any"), "true}"...)
	case Saved:
		return append(appendJSONString(append(dst, `{"saved":`...), e.Name), '}')
	case Bitmap:
		dst = base64.StdEncoding.AppendEncode(append(dst, `{"bitmap":"`...), e.Bytes)
		return append(dst, `"}`...)
	default:
		return appendJSONText(dst, e)
	}
}

// The JSON of each expression is that of AppendJSON.

// MarshalJSON returns {"and": [...]}.
func (e And) MarshalJSON() ([]byte, error) { return AppendJSON(nil, e), nil }

// MarshalJSON returns {"or": [...]}, or {"field": ..., "in": [...]}.
func (e Or) MarshalJSON() ([]byte, error) { return AppendJSON(nil, e), nil }

// MarshalJSON returns {"xor": [...]}.
func (e Xor) MarshalJSON() ([]byte, error) { return AppendJSON(nil, e), nil }

// MarshalJSON returns {"not": ...}.
func (e Not) MarshalJSON() ([]byte, error) { return AppendJSON(nil, e), nil }

// MarshalJSON returns {"atLeast": n, "of": [...]}.
func (e AtLeast) MarshalJSON() ([]byte, error) { return AppendJSON(nil, e), nil }

// MarshalJSON returns {"field": ..., "of": ...}.
func (e Through) MarshalJSON() ([]byte, error) { return AppendJSON(nil, e), nil }

// MarshalJSON returns {"field": ..., "=": ...}.
func (e Equal) MarshalJSON() ([]byte, error) { return AppendJSON(nil, e), nil }

// MarshalJSON returns {"field": ..., "prefix": ...}.
func (e Prefix) MarshalJSON() ([]byte, error) { return AppendJSON(nil, e), nil }

// MarshalJSON returns {"field": ..., "<": ...} and the like.
func (e Compare) MarshalJSON() ([]byte, error) { return AppendJSON(nil, e), nil }

// MarshalJSON returns {"field": ..., "between": [..., ...]}.
func (e Between) MarshalJSON() ([]byte, error) { return AppendJSON(nil, e), nil }

// MarshalJSON returns {"field": ..., "key": ...}.
func (e Related) MarshalJSON() ([]byte, error) { return AppendJSON(nil, e), nil }

// MarshalJSON returns {"field": ..., "any": true}.
func (e Any) MarshalJSON() ([]byte, error) { return AppendJSON(nil, e), nil }

// MarshalJSON returns {"saved": ...}.
func (e Saved) MarshalJSON() ([]byte, error) { return AppendJSON(nil, e), nil }

// MarshalJSON returns {"bitmap": ...}, the bytes in base64.
func (e Bitmap) MarshalJSON() ([]byte, error) { return AppendJSON(nil, e), nil }

// MarshalJSON returns "all".
func (e All) MarshalJSON() ([]byte, error) { return AppendJSON(nil, e), nil }

// MarshalJSON returns "nothing".
func (e Nothing) MarshalJSON() ([]byte, error) { return AppendJSON(nil, e), nil }

// isUTF8 reports whether JSON can say the strings of one expression, without those in it.
func isUTF8(e Expr) bool {
	field, _ := fieldOf(e)
	if !utf8.ValidString(field) {
		return false
	}
	switch e := e.(type) {
	case Equal:
		return utf8.ValidString(e.Value)
	case Prefix:
		return utf8.ValidString(e.Value)
	case Compare:
		return utf8.ValidString(e.Value) && e.Order.known()
	case Between:
		return utf8.ValidString(e.From) && utf8.ValidString(e.To)
	case Related:
		return utf8.ValidString(e.Key)
	case Saved:
		return utf8.ValidString(e.Name)
	}
	return true
}

func allUTF8(of []Expr) bool {
	for _, e := range of {
		if !isUTF8(e) {
			return false
		}
	}
	return true
}

func appendJSONText(dst []byte, e Expr) []byte { return appendJSONString(dst, text(e)) }

// appendJSONString writes a string of UTF-8 as JSON.
func appendJSONString(dst []byte, s string) []byte {
	quoted, _ := json.Marshal(s) // strings always can be
	return append(dst, quoted...)
}

// appendJSONField begins the object of a field, up to a member's value.
func appendJSONField(dst []byte, field, member string) []byte {
	dst = appendJSONString(append(dst, `{"field":`...), field)
	dst = append(append(dst, `,"`...), member...)
	return append(dst, '"', ':')
}

func appendJSONValue(dst []byte, field, member, value string) []byte {
	return append(appendJSONString(appendJSONField(dst, field, member), value), '}')
}

func appendJSONIn(dst []byte, field string, of []Expr) []byte {
	dst = append(appendJSONField(dst, field, "in"), '[')
	for i, e := range of {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendJSONString(dst, e.(Equal).Value)
	}
	return append(dst, ']', '}')
}

func appendJSONList(dst []byte, of []Expr) []byte {
	dst = append(dst, '[')
	for i, e := range of {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = AppendJSON(dst, e)
	}
	return append(dst, ']')
}
