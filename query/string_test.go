// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package query

import (
	"math/rand/v2"
	"reflect"
	"testing"
)

func TestString(t *testing.T) {
	for _, tc := range []struct {
		in   Expr
		want string
	}{
		{All{}, "all"},
		{Nothing{}, "nothing"},
		{eq("country", "de"), "country = de"},
		{rel("follows", "did:plc:abc"), "follows(did:plc:abc)"},
		{eq("", "Or"), `"" = "Or"`},
		{rel("in", "a b"), `"in"("a b")`},
		{eq("a\nb", "\xff\x00\"\\é\u2028"), `"a\nb" = "\xff\x00\"\\é\u2028"`},
		{eq("é", "\ufffd"), "é = \"\ufffd\""},

		{and(a, b, c), "a = 1 and b = 2 and c = 3"},
		{or(a, b, c), "a = 1 or b = 2 or c = 3"},
		{or(and(a, b), not(c)), "a = 1 and b = 2 or not c = 3"},
		{and(or(a, b), not(c)), "(a = 1 or b = 2) and not c = 3"},
		{and(and(a, b), c), "(a = 1 and b = 2) and c = 3"},
		{or(a, or(b, c)), "a = 1 or (b = 2 or c = 3)"},
		{not(not(a)), "not not a = 1"},
		{not(and(a, b)), "not (a = 1 and b = 2)"},
		{not(or(a, b)), "not (a = 1 or b = 2)"},
		{not(or(a)), "not any of (a = 1)"},
		{not(and(a)), "not all of (a = 1)"},

		{xor(a, or(b, c), and(c, d)), "a = 1 xor (b = 2 or c = 3) xor c = 3 and d = 4"},
		{or(xor(a, b), c), "a = 1 xor b = 2 or c = 3"},
		{and(xor(a, b), c), "(a = 1 xor b = 2) and c = 3"},
		{xor(xor(a, b), not(xor(c, d))), "(a = 1 xor b = 2) xor not (c = 3 xor d = 4)"},
		{or(a, eq("a", "in")), `a in (1, "in")`},
		{and(or(a, eq("a", "2")), not(or(a, a))), "a in (1, 2) and not a in (1, 1)"},
		{AtLeast{2, []Expr{a, or(b, c)}}, "at least 2 of (a = 1, b = 2 or c = 3)"},
		{not(AtLeast{0, nil}), "not at least 0 of ()"},
		{Through{"follows", or(b, c)}, "follows(b = 2 or c = 3)"},
		{Through{"in", Through{"b", rel("c", "d")}}, `"in"(b(c(d)))`},
		{Prefix{"a", ""}, `a prefix ""`},
		{Compare{"a", GreaterEqual, "-1.5"}, "a >= -1.5"},
		{and(Between{"a", "1", "and"}, b), `a between 1 and "and" and b = 2`},
		{Saved{"at"}, `saved("at")`},
		{Bitmap{[]byte{0, 1, 2, 3}}, `bitmap("AAECAw==")`},

		{And{}, "all of ()"},
		{Or{}, "any of ()"},
		{and(or(a, b)), "all of (a = 1 or b = 2)"},
		{and(or(a), and(), b), "any of (a = 1) and all of () and b = 2"},
	} {
		if got := tc.in.String(); got != tc.want {
			t.Errorf("%#v: got %s, want %s", tc.in, got, tc.want)
		}
	}
}

// What is no expression must not print as another one.
func TestStringInvalid(t *testing.T) {
	for _, e := range []Expr{And{[]Expr{nil}}, Not{}, Or{[]Expr{a, &And{}}}, Not{(*Equal)(nil)}, Xor{}, xor(a),
		Compare{"a", "=", "1"}, AtLeast{-1, nil}, Bitmap{}} {
		s := e.String()
		if got, err := Parse(s); err == nil {
			t.Errorf("%s parses to %v, want an error", s, got)
		}
	}
}

func TestStringParsesBack(t *testing.T) {
	g := generator{rand.New(rand.NewPCG(1, 2)), hostile}
	for i := range 20_000 {
		want := g.expr(i % 8)
		text := want.String()
		got, err := Parse(text)
		if err != nil {
			t.Fatalf("%#v\nprints as %s: %v", want, text, err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%s\n got %#v\nwant %#v", text, got, want)
		}
	}
}

// Strings of random bytes, and of random characters, in every place of a leaf.
func TestStringRandomBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 20_000 {
		raw := make([]byte, r.IntN(6))
		for i := range raw {
			raw[i] = byte(r.Uint32())
		}
		runes := make([]rune, r.IntN(3))
		for i := range runes {
			runes[i] = rune(r.IntN(0x110000) >> r.IntN(16))
		}
		want := and(eq(string(raw), string(runes)), rel(string(runes), string(raw)))
		if got, err := Parse(want.String()); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%s: got %#v, %v, want %#v", want, got, err, want)
		}
	}
}
