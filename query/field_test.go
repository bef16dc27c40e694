// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package query

import (
	"reflect"
	"slices"
	"testing"
)

// TestBuilder compares what the builder makes with what Parse makes of the same in text.
func TestBuilder(t *testing.T) {
	f, r := Field("f"), Field("r")
	for _, tc := range []struct {
		built Expr
		text  string
	}{
		{f.Is("x"), "f = x"},
		{f.IsNot("x"), "f != x"},
		{f.In("x", "y"), "f in (x, y)"},
		{f.In(), "f in ()"},
		{f.Prefix("x"), "f prefix x"},
		{f.Less("1"), "f < 1"},
		{f.LessEqual("1"), "f <= 1"},
		{f.Greater("1"), "f > 1"},
		{f.GreaterEqual("1"), "f >= 1"},
		{f.Between("1", "2"), "f between 1 and 2"},
		{f.Any(), "any(f)"},
		{f.None(), "none(f)"},
		{r.Row("x"), "r(x)"},
		{r.Of(f.Is("x")), "r(f = x)"},
		{AllOf(f.Is("x"), r.Row("y")), "all of (f = x, r(y))"},
		{AnyOf(), "any of ()"},
		{NoneOf(f.Any()), "not any of (any(f))"},
		{AtLeastOf(1, f.Any()), "at least 1 of (any(f))"},
		{AtMostOf(1, f.Any()), "at most 1 of (any(f))"},
	} {
		if want, err := Parse(tc.text); err != nil || !reflect.DeepEqual(tc.built, want) {
			t.Errorf("%s: got %#v, want %#v, %v", tc.text, tc.built, want, err)
		}
	}
}

func TestFields(t *testing.T) {
	e, err := Parse("a = 1 and not b(c < 2 or d(x)) or any(e) and f prefix y or g between 1 and 2 or saved(h) or all")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := slices.Collect(Fields(e)), []string{"a", "b", "c", "d", "e", "f", "g"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	for range Fields(e) {
		break
	}
}

func TestLocate(t *testing.T) {
	const text = "a = b and\n follows(ctry = de or b = 1) and none(x)"
	for _, tc := range []struct{ field, suggestion, want string }{
		{"ctry", "country",
			`query: 2:10: got the unknown field "ctry", want one of the index; did you mean "country"?`},
		{"b", "", `query: 2:23: got the unknown field "b", want one of the index`},
		{"x", "", `query: 2:39: got the unknown field "x", want one of the index`},
		{"follows", "", `query: 2:2: got the unknown field "follows", want one of the index`},
	} {
		if err, ok := Locate(text, tc.field, tc.suggestion); !ok || err.Error() != tc.want {
			t.Errorf("%s: got %v, %v, want %s", tc.field, err, ok, tc.want)
		}
	}
	for _, tc := range []struct{ text, field string }{{text, "de"}, {"a = ", "a"}, {"", ""}} {
		if err, ok := Locate(tc.text, tc.field, ""); ok {
			t.Errorf("%s: got %v, want none", tc.text, err)
		}
	}
}
