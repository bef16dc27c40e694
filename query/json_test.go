// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package query

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

func TestJSONParsesBack(t *testing.T) {
	g := generator{rand.New(rand.NewPCG(7, 8)), hostile}
	for i := range 10_000 {
		want := g.expr(i % 8)
		text, err := json.Marshal(want)
		if err != nil {
			t.Fatalf("%s: %v", want, err)
		}
		for _, text := range [][]byte{text, AppendJSON(nil, want)} {
			if got, err := ParseJSON(text); err != nil || !reflect.DeepEqual(got, want) {
				t.Fatalf("%s\n got %#v, %v\nwant %#v", text, got, err, want)
			}
		}
	}
}

func TestParseJSON(t *testing.T) {
	for _, tc := range []struct{ in, want string }{
		{`"a = 1 or b = 2"`, "a = 1 or b = 2"},
		{` {"and" : ["a = 1", {"not": "b = 2"}]} `, "a = 1 and not b = 2"},
		{`{"field":"a","!=":"1"}`, "not a = 1"},
		{`{"none":true,"field":"a"}`, "none(a)"},
		{`{"=":1.50,"field":"a"}`, "a = 1.50"},
		{`{"field":"a","in":["x",2]}`, "a in (x, 2)"},
		{`{"field":"a","in":[]}`, "any of ()"},
		{`{"field":"a","between":[-1,1e3]}`, "a between -1 and 1e3"},
		{`{"of":["a = 1","b = 2","c = 3"],"atLeast":2}`, "at least 2 of (a = 1, b = 2, c = 3)"},
		{`{"field":"follows","of":"a = 1"}`, "follows(a = 1)"},
		{`{"field":"follows","of":{"field":"follows","key":"x"}}`, "follows(follows(x))"},
		{`{"field":"\ud83d\ude00","=":"\\ud800"}`, `"😀" = "\\ud800"`},
	} {
		got, err := ParseJSON([]byte(tc.in))
		if err != nil || got.String() != tc.want {
			t.Errorf("%s: got %v, %v, want %s", tc.in, got, err, tc.want)
		}
	}
}

func TestParseJSONErrors(t *testing.T) {
	for _, tc := range []struct{ in, want string }{
		{``, `query: 1:1: got the end, want JSON`},
		{`null`, `query: 1:1: got null, want an object, or a string with a query as text`},
		{`[]`, `query: 1:1: got "[", want an object, or a string with a query as text`},
		{`{}`, `query: 1:1: got an empty object, want a member such as "and" or "field"`},
		{`"a ="`, `query: 1:1: got the end of the query at 1:4 of a text, want a value`},
		{"{\"and\": [\n  \"all\", 7]}",
			`query: 2:10: got the number "7", want an object, or a string with a query as text`},
		{`{"and":["all"]`, `query: 1:15: got the end, want JSON`},
		{`"all" "all"`, `query: 1:6: got more after the query, want the end`},
		{`{"and":[],"or":[]}`, `query: 1:11: got the member "or" beside "and", want one of them`},
		{`{"and":[],"and":[]}`, `query: 1:11: got the member "and" twice, want it once`},
		{`{"and":{}}`, `query: 1:8: got "{", want an array of queries`},
		{`{"feild":"a","=":"1"}`,
			`query: 1:2: got the member "feild", want one of and or xor not atLeast of field = != in prefix < <= > >= between any none key saved bitmap`},
		{`{"field":"a"}`, `query: 1:1: got "field" alone, want a member such as "=" beside it`},
		{`{"=":"a"}`, `query: 1:1: got "=" alone, want "field" beside it`},
		{`{"field":"a","saved":"b"}`, `query: 1:1: got "field" beside "saved", want one of them`},
		{`{"field":"a","of":["b = 1"]}`,
			`query: 1:1: got an "of" with an array beside "field", want one query; for several, {"or": [...]}`},
		{`{"atLeast":2,"of":"b = 1"}`,
			`query: 1:1: got an "of" with one query beside "atLeast", want an array of queries`},
		{`{"atLeast":-2,"of":[]}`, `query: 1:12: got the number "-2", want a number from 0 to 8388608`},
		{`{"field":"a","between":["1"]}`, `query: 1:1: got a "between" of 1 values, want 2`},
		{`{"field":"a","any":false}`, `query: 1:20: got false, want true`},
		{`{"field":"a","=":null}`, `query: 1:18: got null, want a string or a number`},
		{`{"field":"a","=":"\ud800"}`,
			`query: 1:19: got a character that is none, want UTF-8, and both halves of a surrogate pair; bytes of any kind stand in a query as text, as \\xff`},
		{"\"\xff\"",
			`query: 1:2: got a character that is none, want UTF-8, and both halves of a surrogate pair; bytes of any kind stand in a query as text, as \\xff`},
		{`{"bitmap":"AAA"}`, `query: 1:11: got the string "AAA", want a serialized bitmap in base64, with its padding`},
		{`{"xor":["all"]}`,
			`query: 1:1: got what is no query, want one; query: invalid expression: got a Xor of 1, want at least 2`},
	} {
		e, err := ParseJSON([]byte(tc.in))
		if err == nil || err.Error() != tc.want || e != nil {
			t.Errorf("%s:\n got %v, %v\nwant %s", tc.in, e, err, tc.want)
		}
		if !errors.Is(err, ErrSyntax) {
			t.Errorf("%s: %v is not ErrSyntax", tc.in, err)
		}
	}
}

// Nesting is bounded, and whatever is nested deeper is refused without being built.
func TestParseJSONNesting(t *testing.T) {
	nested := func(open, leaf, shut string, n int) []byte {
		return []byte(strings.Repeat(open, n) + leaf + strings.Repeat(shut, n))
	}
	for _, tc := range []struct{ open, shut string }{{`{"not":`, `}`}, {`{"and":[`, `]}`}, {`{"field":"f","of":`, `}`},
		{`{"atLeast":1,"of":[`, `]}`}} {
		if e, err := ParseJSON(nested(tc.open, `"all"`, tc.shut, MaxNesting)); err != nil ||
			nestingOf(e) != MaxNesting {
			t.Errorf("%s: got %v at the limit", tc.open, err)
		}
		for _, n := range []int{MaxNesting + 1, MaxNesting + 2, 100_000} {
			if _, err := ParseJSON(nested(tc.open, `"all"`, tc.shut, n)); !errors.Is(err, ErrLimit) {
				t.Errorf("%s: got %v of %d levels, want ErrLimit", tc.open, err, n)
			}
		}
	}
	if _, err := ParseJSON(nested(`{"not":`, `"`+strings.Repeat("not ", 600)+`all"`, `}`, 600)); !errors.Is(err,
		ErrLimit) {
		t.Errorf("text in JSON: got %v, want ErrLimit", err)
	}
	if _, err := ParseJSON(make([]byte, MaxJSON+1)); !errors.Is(err, ErrLimit) {
		t.Errorf("long JSON: got %v, want ErrLimit", err)
	}
}

// FuzzParseJSON gives ParseJSON any bytes: it must not panic; an error must be a SyntaxError with a
// position; and a tree must be valid and survive printing and parsing.
func FuzzParseJSON(f *testing.F) {
	for _, seed := range []string{
		`"all"`, `{"and":["a = 1",{"not":{"field":"b","=":"2"}}]}`, `{"field":"a","between":[1,"2"]}`,
		`{"atLeast":2,"of":[{"saved":"x"},{"bitmap":"AAAA"}]}`,
		`{"field":"f","of":{"field":"f","key":"k"}}`, `{"field":"a","in":[]}`, `{"field":"a","none":true}`,
		`{"xor":["a = \"\\xff\"","all"]}`, `{"=":"\ud83d\ude00","field":""}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		e, err := ParseJSON(in)
		if err != nil {
			var syntax *SyntaxError
			if !errors.As(err, &syntax) || e != nil || syntax.Offset < 0 || syntax.Offset > len(in) ||
				syntax.Line < 1 || syntax.Column < 1 {
				t.Fatalf("got %v, %#v, want a SyntaxError with a place and nothing else", e, err)
			}
			return
		}
		if err := Validate(e); err != nil {
			t.Fatal(err)
		}
		if back, err := ParseJSON(AppendJSON(nil, e)); err != nil || !reflect.DeepEqual(back, e) {
			t.Fatalf("%q as JSON is %s:\n got %#v, %v\nwant %#v", in, AppendJSON(nil, e), back, err, e)
		}
		if text := e.String(); len(text) <= MaxText {
			if back, err := Parse(text); err != nil || !reflect.DeepEqual(back, e) {
				t.Fatalf("%q prints as %q:\n got %#v, %v\nwant %#v", in, text, back, err, e)
			}
		}
	})
}
