// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"reflect"
	"testing"
)

// TestConditionText writes conditions and reads them back: no two have the same text.
func TestConditionText(t *testing.T) {
	texts := map[string]Condition{}
	for _, c := range []struct {
		of   Condition
		want string
	}{
		{Condition{Value: "tea"}, `tea`},
		{Condition{In: []string{"a", "b"}}, `a|b`},
		{Condition{Not: []string{"a", "b"}}, `!a|b`},
		{Condition{Value: "a|b"}, `a\|b`},
		{Condition{In: []string{"a|b", "c"}}, `a\|b|c`},
		{Condition{Not: []string{"a|b"}}, `!a\|b`},
		{Condition{Value: "!a"}, `\!a`},
		{Condition{In: []string{"!a", "b!"}}, `\!a|b!`},
		{Condition{Not: []string{"a"}}, `!a`},
		{Condition{Not: []string{"!a"}}, `!\!a`},
		{Condition{Value: `C:\dir`}, `C:\\dir`},
		{Condition{Value: `\`}, `\\`},
		{Condition{In: []string{`\`, `|`}}, `\\|\|`},
		{Condition{Value: " a "}, `\ a\ `},
		{Condition{Value: " "}, `\ `},
		{Condition{Value: "a b"}, `a b`},
		{Condition{Value: "\u00a0"}, "\\\u00a0"},
		{Condition{Value: "x\xff|"}, "x\xff\\|"},
		{Condition{Value: "1..2"}, `1..2`}, // of a text attribute
		{Condition{Not: []string{"", "a"}}, `!|a`},
	} {
		c.of.Attribute = "x"
		text := c.of.String()
		if text != c.want {
			t.Errorf("%+v: got the text %q, want %q", c.of, text, c.want)
		}
		if other, ok := texts[text]; ok {
			t.Errorf("%+v and %+v have the same text %q", c.of, other, text)
		}
		texts[text] = c.of
		if back, ok := ParseCondition(&Attribute{Name: "x", Type: Text}, "  "+text+" \t"); !ok ||
			!reflect.DeepEqual(back, c.of) {
			t.Errorf("%q: got %+v, %v, want %+v", text, back, ok, c.of)
		}
	}
	number := &Attribute{Name: "x", Type: Number}
	for text, want := range map[string]Condition{
		"1..9": {From: "1", To: "9"}, " 1 .. ": {From: "1"}, "..9": {To: "9"}, "!1|2": {Not: []string{"1", "2"}},
		"-3":      {Value: "-3"},
		"a \\| b": {Value: "a | b"}, `a\b`: {Value: `a\b`},
	} {
		want.Attribute = "x"
		if got, ok := ParseCondition(number, text); !ok || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: got %+v, %v, want %+v", text, got, ok, want)
		}
	}
	for _, text := range []string{"", " ", "\t", ".."} {
		if got, ok := ParseCondition(number, text); ok {
			t.Errorf("%q: got %+v, want no condition", text, got)
		}
	}
}

// FuzzConditionText writes conditions of any values: what is read back is what was written.
func FuzzConditionText(f *testing.F) {
	f.Add("a|b", "!c", false)
	f.Add(`\`, " ", true)
	f.Fuzz(func(t *testing.T, first, second string, not bool) {
		a, values := &Attribute{Name: "x", Type: Text}, []string{first, second}
		c := Condition{Attribute: "x", In: values}
		if not {
			c = Condition{Attribute: "x", Not: values}
		}
		if back, ok := ParseCondition(a, c.String()); !ok || !reflect.DeepEqual(back, c) {
			t.Fatalf("%q: got %+v, %v, want %+v", c.String(), back, ok, c)
		}
	})
}
