// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package query

import (
	"errors"
	"reflect"
	"strings"
	"testing"
)

// FuzzParse gives Parse any bytes: it must not panic; an error must be a
// SyntaxError with a position in the text; and a tree must be valid and survive
// printing and parsing.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"", "all", "nothing", "a=1", "follows(alice) and not (country = de or country = at-vie)",
		"all of (a=1, any of (), not b=2 or c=3)", `"in"("\xff\377\u00e9\U0001f600\n") or "" = ""`,
		"any(a) or none(b) and not any(\"none\")", "not none(a)", "none of (a=1)", "any(a=1)", "((((all))))",
		"not not not nothing", "a != 1", "at least 2 of (a)", "a = \"x\ny\"", "é\u00a0= “x”", "\xff",
		"a in (1, 2) xor b >= 3 xor c between 4 and 5",
		"at most 1 of (follows(any of (a=1)), saved(x), bitmap(\"AA==\"), d prefix e)",
		"a=1 or b=2 and (c=3 or d=4) and not (e=5)", strings.Repeat("not(", 600), "a in (b) && c",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		e, err := Parse(in)
		if err != nil {
			var syntax *SyntaxError
			if !errors.As(err, &syntax) || e != nil {
				t.Fatalf("got %v, %T, want a SyntaxError and nothing else", e, err)
			}
			if syntax.Offset < 0 || syntax.Offset > len(in) || syntax.Line < 1 || syntax.Column < 1 {
				t.Fatalf("got offset %d, position %d:%d, want one in %d bytes",
					syntax.Offset, syntax.Line, syntax.Column, len(in))
			}
			if syntax.Got == "" || syntax.Want == "" || strings.Contains(err.Error(), "\n") {
				t.Fatalf("got %q, want one line with what was got and wanted", err)
			}
			return
		}
		if err := Validate(e); err != nil {
			t.Fatal(err)
		}
		if back, err := ParseJSON(AppendJSON(nil, e)); err != nil || !reflect.DeepEqual(back, e) {
			t.Fatalf("%q as JSON is %s:\n got %#v, %v\nwant %#v", in, AppendJSON(nil, e), back, err, e)
		}
		text := e.String()
		if len(text) > MaxText {
			return // quotes and spaces may have made it too long
		}
		if back, err := Parse(text); err != nil || !reflect.DeepEqual(back, e) {
			t.Fatalf("%q prints as %q:\n got %#v, %v\nwant %#v", in, text, back, err, e)
		}
	})
}

// FuzzSimplify reads a text as an expression over the letters a to f, by their first bytes. It
// compares the simplified expression with the brute-force evaluator.
func FuzzSimplify(f *testing.F) {
	for _, seed := range []string{
		"a=1 and not (b=1 or not c=1)", "not (a=1 and not a=1) or all of (b=1, any of (c=1, not d=1))",
		"none(a) and any(b) or not none(c)", "any(a) or none(a)",
		"a=1 xor not b=1 xor at least 2 of (a=1, not a=1, b=1, c=1, c=1)", "r(a=1 or b=1) and not r(r(all))",
		"(a=1 or b=1 and c=1) and (b=1 and c=1 or a=1)", "a=1 and (a=1 or b=1) or nothing and not all",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		e, err := Parse(in)
		if err != nil || len(in) > 10_000 {
			return
		}
		e = Map(e, func(e Expr) Expr {
			name, _ := fieldOf(e)
			switch e := e.(type) {
			case And, Or, Xor, Not, AtLeast, All, Nothing:
				return e
			case Through:
				return Through{"r", e.Of}
			case Saved:
				name = e.Name
			}
			i := int((name + "a")[0]) % len(letters)
			return Equal{letters[i : i+1], "1"}
		})
		out := Simplify(e)
		if got, want := bruteForce(out), bruteForce(e); got != want {
			t.Fatalf("%s\nsimplifies to %s:\n got %064b\nwant %064b", e, out, got, want)
		}
		if err := normal(out); err != nil {
			t.Fatalf("%s\nsimplifies to %s: %v", e, out, err)
		}
		if again := Simplify(out); !reflect.DeepEqual(again, out) {
			t.Fatalf("%s\nsimplifies to %s\nand that to %s", e, out, again)
		}
	})
}
