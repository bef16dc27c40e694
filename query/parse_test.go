// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package query

import (
	"reflect"
	"strings"
	"testing"
)

// Short forms, so that the tables below stay readable.
func and(of ...Expr) Expr           { return And{of} }
func or(of ...Expr) Expr            { return Or{of} }
func xor(of ...Expr) Expr           { return Xor{of} }
func not(e Expr) Expr               { return Not{e} }
func eq(field, value string) Expr   { return Equal{field, value} }
func rel(field, key string) Expr    { return Related{field, key} }
func repeat(s string, n int) string { return strings.Repeat(s, n) }

var (
	a = eq("a", "1")
	b = eq("b", "2")
	c = eq("c", "3")
	d = eq("d", "4")
)

func TestParse(t *testing.T) {
	for _, tc := range []struct {
		in   string
		want Expr
	}{
		// Leaves.
		{"follows(alice)", rel("follows", "alice")},
		{"followers ( bob )", rel("followers", "bob")},
		{"country = de", eq("country", "de")},
		{"country=de", eq("country", "de")},
		{"\t\r\n country\n=\nde ", eq("country", "de")},
		{"country\u00a0=\u3000de", eq("country", "de")},
		{"any(country)", Any{"country"}},
		{"ANY ( \"any\" )", Any{"any"}},
		{"none(country)", not(Any{"country"})},
		{"not any(country)", not(Any{"country"})},
		{"not none(a) and none(b)", and(not(not(Any{"a"})), not(Any{"b"}))},
		{"all", All{}},
		{"nothing", Nothing{}},

		// As other languages write them.
		{"a == 1", eq("a", "1")},
		{"a <> 1", not(eq("a", "1"))},
		{"a<>'1'", not(eq("a", "1"))},
		{"a = 'it''s'", eq("a", "it's")},
		{`a = 'it\'s "so"'`, eq("a", `it's "so"`)},
		{"a = ''", eq("a", "")},
		{"a = ''''", eq("a", "'")},
		{"'a b' in ('', 'or')", or(eq("a b", ""), eq("a b", "or"))},
		{"follows('now' )", rel("follows", "now")},

		// Distances from now.
		{"seen > now", Compare{"seen", Greater, "now"}},
		{"seen > now - 30d", Compare{"seen", Greater, "now-30d"}},
		{"seen > now-30d", Compare{"seen", Greater, "now-30d"}},
		{"seen > now -30d", Compare{"seen", Greater, "now-30d"}},
		{"seen <= now + 2h and a = 1", and(Compare{"seen", LessEqual, "now+2h"}, a)},
		{"seen between now - 1w and now", Between{"seen", "now-1w", "now"}},

		// Words.
		{"follows(did:plc:abc)", rel("follows", "did:plc:abc")},
		{"site = example.org", eq("site", "example.org")},
		{"at-proto_1.x:y@z/#q = -1.5", eq("at-proto_1.x:y@z/#q", "-1.5")},
		{"# = 2026-01-31", eq("#", "2026-01-31")},
		{"城市 = Zürich", eq("城市", "Zürich")},
		{"नाम = नमस्ते", eq("नाम", "नमस्ते")},
		{"year = १९८४", eq("year", "१९८४")},
		{"android = orchid", eq("android", "orchid")},
		{"follows(follows)", rel("follows", "follows")},
		{"nota = alle", eq("nota", "alle")},
		{"ſaved = ſaved", eq("ſaved", "ſaved")}, // Unicode would fold it to saved

		// Strings.
		{`"" = ""`, eq("", "")},
		{`"in"("not")`, rel("in", "not")},
		{`name = "New York (NY), \"the\" city"`, eq("name", `New York (NY), "the" city`)},
		{`a = "\a\b\f\n\r\t\v\\\""`, eq("a", "\a\b\f\n\r\t\v\\\"")},
		{`a = "\x41\xff\377\000"`, eq("a", "A\xff\xff\x00")},
		{`a = "\xc3\xa9 \u00e9 \U0001f600 é"`, eq("a", "é é 😀 é")},
		{`a = "x\u00e9"and b = 2`, and(eq("a", "xé"), b)},
		{"a = \"tab\tnul\x00 '`\"", eq("a", "tab\tnul\x00 '`")},
		{`a="and"or"b"=2`, or(eq("a", "and"), b)},

		// Operators and their strength.
		{"a=1 and b=2", and(a, b)},
		{"a=1 and b=2 and c=3", and(a, b, c)},
		{"a=1 or b=2 or c=3", or(a, b, c)},
		{"a=1 or b=2 and c=3", or(a, and(b, c))},
		{"a=1 and b=2 or c=3", or(and(a, b), c)},
		{"a=1 and b=2 or c=3 and d=4", or(and(a, b), and(c, d))},
		{"a=1 and (b=2 or c=3) and d=4", and(a, or(b, c), d)},
		{"not a=1", not(a)},
		{"not not a=1", not(not(a))},
		{"not(not(a=1))", not(not(a))},
		{"not a=1 and b=2", and(not(a), b)},
		{"not (a=1 and b=2)", not(and(a, b))},
		{"a=1 and not b=2 or not c=3", or(and(a, not(b)), not(c))},
		{"A=1 AND NoT b=2 Or c=3", or(and(eq("A", "1"), not(b)), c)},
		{"all and not nothing", and(All{}, not(Nothing{}))},
		{"ALL or Nothing", or(All{}, Nothing{})},
		{"a=1and b=2", nil}, // 1and is one word

		// Parentheses make no difference of their own, and keep chains apart.
		{"((a=1))", a},
		{"(a=1 and b=2) and c=3", and(and(a, b), c)},
		{"a=1 and (b=2 and c=3)", and(a, and(b, c))},
		{"(a=1 or b=2) or c=3", or(or(a, b), c)},
		{"(a=1 and b=2) or c=3", or(and(a, b), c)},
		{"(a=1)and(b=2)", and(a, b)},
		{"(follows(x))", rel("follows", "x")},

		// Lists.
		{"all of ()", And{}},
		{"any of ()", Or{}},
		{"all of (a=1)", and(a)},
		{"ANY OF(a=1)", or(a)},
		{"all of (a=1, b=2 or c=3, not d=4)", and(a, or(b, c), not(d))},
		{"any of (all of (a=1), all)", or(and(a), All{})},
		{"not any of (a=1, b=2) and c=3", and(not(or(a, b)), c)},
		{"all and a=1", and(All{}, a)},

		// What is not a query.
		{"", nil},
		{"alice", nil},
		{"a=1 b=2", nil},
		{"a=1, b=2", nil},
		{"a=1 not b=2", nil},
		{"and", nil},
		{"a=1 and", nil},
		{"or a=1", nil},
		{"and (a=1)", nil},
		{"a=1 and or b=2", nil},
		{"(a=1", nil},
		{"a=1)", nil},
		{"()", nil},
		{"not", nil},
		{"= 1", nil},
		{"a = ", nil},
		{"a === 1", nil},
		{"a = 1 = 1", nil},
		{"follows()", nil},
		{"follows(x", nil},
		{"follows(x, y)", nil},
		{"of", nil},
		{"any", nil},
		{"any a", nil},
		{"none a", nil},
		{"none", nil},
		{"any (a=1)", nil},
		{"any (a(1))", nil},
		{"any (a, b)", nil},
		{"none (not a)", nil},
		{"none (", nil},
		{"none (a", nil},
		{"none of (a=1)", nil},
		{"any()", nil},
		{"all of", nil},
		{"all of a=1", nil},
		{"all of (a=1,)", nil},
		{"all of (,)", nil},
		{"all of (a=1 b=2)", nil},
		{"all(a=1)", nil},
		{"all = 1", nil},
		{"all all", nil},
		{"a = all", nil},
		{"a && b", nil},
		{"a = 'x", nil},
		{"a = now - ", nil},
		{"a = x - 3d", nil},
		{`a = "now" - 3d`, nil},
		{`a = "x`, nil},
		{"a = \"x\ny\"", nil},
		{`a = "\q"`, nil},
		{"a = b\xff", nil},
		{"\ufeffall", nil},

		// Comparisons and values.
		{"a != 1", not(a)},
		{"a!=1 and b=2", and(not(a), b)},
		{"a < 1", Compare{"a", Less, "1"}},
		{"a<=1", Compare{"a", LessEqual, "1"}},
		{"a > -1.5", Compare{"a", Greater, "-1.5"}},
		{`"in">="2026-01-31"`, Compare{"in", GreaterEqual, "2026-01-31"}},
		{"a between 1 and 2", Between{"a", "1", "2"}},
		{"a between 1 and 2 and b=2", and(Between{"a", "1", "2"}, b)},
		{"a BETWEEN x AND \"and\"", Between{"a", "x", "and"}},
		{"a in (1, 2)", or(a, eq("a", "2"))},
		{"not a in (1)", not(or(a))},
		{"a in ()", Or{}},
		{"a prefix x", Prefix{"a", "x"}},
		{`a prefix ""`, Prefix{"a", ""}},

		// Xor, between or and and.
		{"a=1 xor b=2", xor(a, b)},
		{"a=1 xor b=2 xor c=3", xor(a, b, c)},
		{"a=1 or b=2 xor c=3 and d=4", or(a, xor(b, and(c, d)))},
		{"a=1 xor (b=2 xor c=3)", xor(a, xor(b, c))},

		// Counts.
		{"at least 2 of (a=1, b=2, c=3)", AtLeast{2, []Expr{a, b, c}}},
		{"At Least 0 of ()", AtLeast{0, nil}},
		{"at most 1 of (a=1)", not(AtLeast{2, []Expr{a}})},
		{"at most 8388607 of ()", not(AtLeast{MaxText, nil})},
		{"at least 8388608 of ()", AtLeast{MaxText, nil}},

		// Relations of queries, saved sets, bitmaps.
		{"follows(a = 1)", Through{"follows", a}},
		{"follows(any of (a=1))", Through{"follows", or(a)}},
		{"follows(follows(x))", Through{"follows", rel("follows", "x")}},
		{"follows((x = y))", Through{"follows", eq("x", "y")}},
		{"follows(all) and b=2", and(Through{"follows", All{}}, b)},
		{"saved(x)", Saved{"x"}},
		{`saved("my set")`, Saved{"my set"}},
		{`bitmap("AAAA")`, Bitmap{[]byte{0, 0, 0}}},
		{"bitmap(AAAA)", Bitmap{[]byte{0, 0, 0}}},

		{"a != ", nil},
		{"a < ", nil},
		{"a < b < c", nil},
		{"a between 1", nil},
		{"a between 1 or 2", nil},
		{"a between 1 and", nil},
		{"a in 1", nil},
		{"a in (1, )", nil},
		{"a in (1 2)", nil},
		{"a in (b = 1)", nil},
		{"in (1)", nil},
		{"a prefix", nil},
		{"a=1 xor", nil},
		{"at 2 of (a=1)", nil},
		{"at least of (a=1)", nil},
		{"at least -1 of (a=1)", nil},
		{"at least 1.5 of (a=1)", nil},
		{"at least 2 (a=1)", nil},
		{`at least "2" of (a=1)`, nil},
		{"at least 8388609 of ()", nil},
		{"at most 8388608 of ()", nil},
		{"at least 18446744073709551617 of ()", nil},
		{"exactly 2 of (a=1)", nil},
		{"follows(a(b", nil},
		{"follows(a = 1, b = 2)", nil},
		{"saved()", nil},
		{"saved(a = 1)", nil},
		{"saved x", nil},
		{"bitmap()", nil},
		{`bitmap("")`, nil},
		{"bitmap(AAA)", nil},
		{`bitmap("AAB=")`, nil}, // bits that are lost
		{"bitmap(did:plc)", nil},
	} {
		got, err := Parse(tc.in)
		if (err != nil) != (tc.want == nil) {
			t.Errorf("Parse(%q): got error %v, want %v", tc.in, err, tc.want)
		} else if !reflect.DeepEqual(got, tc.want) {
			t.Errorf("Parse(%q): got %#v, want %#v", tc.in, got, tc.want)
		}
	}
}

// Every kind of nesting works at its limit, and is refused one level above it.
func TestParseNesting(t *testing.T) {
	for _, tc := range []struct {
		name             string
		open, leaf, shut string
		levels           int // operators that open stands for
	}{
		{"parentheses", "(", "all", ")", 1},
		{"not", "not ", "all", "", 1},
		{"not with parentheses", "not (", "all", ")", 2},
		{"lists", "all of (", "all", ")", 1},
		{"lists of two", "any of (all, ", "all", ")", 1},
		{"and", "a=1 and (", "all", ")", 1},
		{"or and and", "(a=1 or b=2 and ", "all", ")", 2},
		{"and or, deepest first", "(", "all", " and a=1 or b=2)", 2},
		{"lists, deepest first", "all of (", "all", " and a=1, b=2)", 2},
		{"relation", "(", "follows(x)", ")", 1},
		{"relation of a query", "f(", "f(x)", ")", 1},
		{"at least", "at least 1 of (", "all", ")", 1},
		{"at most", "at most 1 of (", "all", ")", 2},
		{"xor", "a=1 xor (", "all", ")", 1},
	} {
		n := MaxNesting / tc.levels
		in := repeat(tc.open, n) + tc.leaf + repeat(tc.shut, n)
		e, err := Parse(in)
		if err != nil {
			t.Errorf("%s: %d levels: %v", tc.name, MaxNesting, err)
			continue
		}
		if err := Validate(e); err != nil {
			t.Errorf("%s: what Parse returned: %v", tc.name, err)
		}
		if back, err := Parse(e.String()); err != nil || !reflect.DeepEqual(back, e) {
			t.Errorf("%s: %d levels do not parse back: %v", tc.name, MaxNesting, err)
		}
		checkLimit(t, tc.name, tc.open+in+tc.shut)
	}
	// Siblings are not nesting.
	if _, err := Parse(repeat("not (all) and ", 2*MaxNesting) + "all"); err != nil {
		t.Errorf("a long chain: %v", err)
	}
	if _, err := Parse(repeat("all of (follows(x)) or ", 2*MaxNesting) + "all"); err != nil {
		t.Errorf("a long chain of lists: %v", err)
	}
}
