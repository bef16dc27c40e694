// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package query

import (
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/uproar-db/uproar/internal/processor"
)

func TestSyntaxError(t *testing.T) {
	for _, tc := range []struct{ in, want string }{
		{"", `query: 1:1: got the end of the query, want an expression; every record is "all"`},
		{"  \n ", `query: 2:2: got the end of the query, want an expression; every record is "all"`},
		{"follows(alice) and", `query: 1:19: got the end of the query, want an expression`},
		{"country = ", `query: 1:11: got the end of the query, want a value`},
		{"(country = )", `query: 1:12: got ")", want a value`},
		{"country === de", `query: 1:11: got "=", want a value`},
		{"alice", `query: 1:6: got the end of the query, want an operator such as "=" or "(" after the field "alice"`},
		{`"al ice" bob`, `query: 1:10: got "bob", want an operator such as "=" or "(" after the field "al ice"`},
		{"follows()", `query: 1:9: got ")", want a record key or a query`},
		{"follows(a, b)", `query: 1:10: got ",", want ")"`},
		{"follows(a = b, c = d)", `query: 1:14: got ",", want "and", "or", "xor" or ")"`},
		{"follows(a between b)", `query: 1:20: got ")", want "and" between two values`},
		{"follows(a", `query: 1:10: got the end of the query, want ")"; the "(" at 1:8 is not closed`},
		{"a = b)", `query: 1:6: got ")", want "and", "or", "xor" or the end of the query`},
		{"a = b c = d", `query: 1:7: got "c", want "and", "or", "xor" or the end of the query`},
		{`a = b "c d"`, `query: 1:7: got the string "c d", want "and", "or", "xor" or the end of the query`},
		{"a = b not c = d",
			`query: 1:7: got the reserved word "not", want "and", "or", "xor" or the end of the query; write "and not"`},
		{"(a = b or\n(c = d)",
			`query: 2:8: got the end of the query, want "and", "or", "xor" or ")"; the "(" at 1:1 is not closed`},
		{"(a = b c = d)", `query: 1:8: got "c", want "and", "or", "xor" or ")"`},
		{"any of (a = b; c = d)",
			`query: 1:14: got ";", want "and", "or", "xor" or "," or ")"; a name or value with such a character stands in double quotes`},
		{"any a", `query: 1:5: got "a", want "of" or "("`},
		{"all of a = b", `query: 1:8: got "a", want "("`},
		{"all of (a = b,)", `query: 1:15: got ")", want an expression`},

		// Reserved words.
		{"country = In",
			`query: 1:11: got the reserved word "In", want a value; as a name or a value it stands in quotes: "In"`},
		{"state = or",
			`query: 1:9: got the reserved word "or", want a value; as a name or a value it stands in quotes: "or"`},
		{"follows(or)",
			`query: 1:9: got the reserved word "or", want an expression; as a name or a value it stands in quotes: "or"`},
		{"of = 1",
			`query: 1:1: got the reserved word "of", want an expression; as a name or a value it stands in quotes: "of"`},
		{"exactly 2 of (a = b)",
			`query: 1:1: got the reserved word "exactly", want an expression; it has no meaning yet; as a name or a value it stands in quotes: "exactly"`},
		{"a exactly b",
			`query: 1:3: got the reserved word "exactly", want an operator such as "=" or "(" after the field "a"; it has no meaning yet; as a name or a value it stands in quotes: "exactly"`},
		{"at 2 of (a = b)", `query: 1:4: got "2", want "least" or "most"`},
		{"at least x of (a = b)", `query: 1:10: got "x", want a number from 0 to 8388608`},
		{"at most 8388608 of ()", `query: 1:9: got "8388608", want a number from 0 to 8388607`},
		{"at least 2 (a = b)", `query: 1:12: got "(", want "of"`},
		{"a in (b, (c))", `query: 1:10: got "(", want a value`},
		{"a in (b c)", `query: 1:9: got "c", want "," or ")"`},
		{"a in b", `query: 1:6: got "b", want "("`},
		{"saved(a = b)", `query: 1:9: got "=", want ")"`},
		{"bitmap(AAA)", `query: 1:8: got "AAA", want a serialized bitmap in base64, with its padding`},

		// Symbols of other languages.
		{"a <>> b", `query: 1:5: got ">", want a value`},
		{"a > now -", `query: 1:10: got the end of the query, want a distance from now, such as 30d`},
		{"a > now + (", `query: 1:11: got "(", want a distance from now, such as 30d`},
		{"a => b", `query: 1:4: got ">", want a value`},
		{"a = b && c = d", `query: 1:7: got "&&", want "and", "or", "xor" or the end of the query; write "and"`},
		{"a = b | c = d", `query: 1:7: got "|", want "and", "or", "xor" or the end of the query; write "or"`},
		{"!a = b", `query: 1:1: got "!", want an expression; write "not"`},
		{"a = 'b", `query: 1:5: got a string that does not end, want a closing '`},
		{"a = “b”", `query: 1:5: got "“", want a value; strings stand in plain double quotes: "`},
		{"a = jo*",
			`query: 1:7: got "*", want "and", "or", "xor" or the end of the query; a name or value with such a character stands in double quotes`},
		{"a = 😀", `query: 1:5: got "😀", want a value; a name or value with such a character stands in double quotes`},
		{"a = \x00",
			`query: 1:5: got "\x00", want a value; a name or value with such a character stands in double quotes`},

		// Bytes and strings.
		{"é = \xff", `query: 1:5: got the byte 0xff, want UTF-8; between double quotes, \xff stands for that byte`},
		{"é = \"é\x80\"",
			`query: 1:7: got the byte 0x80, want UTF-8; between double quotes, \x80 stands for that byte`},
		{"a = b\xc3", `query: 1:6: got the byte 0xc3, want UTF-8; between double quotes, \xc3 stands for that byte`},
		{`a = "b and c = d`, `query: 1:5: got a string that does not end, want a closing "`},
		{`a = "b\"`, `query: 1:5: got a string that does not end, want a closing "`},
		{"a =\n \"b\nc\"",
			`query: 2:4: got a line break between quotes, want a closing "; a line break in a string is written \n`},
		{`a = "b\q"`,
			`query: 1:7: got an escape that begins with \q, want one of \a \b \f \n \r \t \v \\ \" \377 \xff \u00e9 \U0001f600; a backslash itself is written \\`},
		{`a = "\ud800"`,
			`query: 1:6: got an escape that begins with \u, want one of \a \b \f \n \r \t \v \\ \" \377 \xff \u00e9 \U0001f600; a backslash itself is written \\`},
		{`a = "\`,
			`query: 1:6: got a lone \, want one of \a \b \f \n \r \t \v \\ \" \377 \xff \u00e9 \U0001f600; a backslash itself is written \\`},
		{`a = "\'"`,
			`query: 1:6: got an escape that begins with \', want one of \a \b \f \n \r \t \v \\ \" \377 \xff \u00e9 \U0001f600; a backslash itself is written \\`},
		{"a = \"\\é\"",
			`query: 1:6: got an escape that begins with \, want one of \a \b \f \n \r \t \v \\ \" \377 \xff \u00e9 \U0001f600; a backslash itself is written \\`},

		// Long tokens are cut.
		{"a = b " + repeat("é", 41), `query: 1:7: got "` + repeat("é", 40) +
			`…", want "and", "or", "xor" or the end of the query`},
		{"a = b " + repeat("é", 40), `query: 1:7: got "` + repeat("é", 40) +
			`", want "and", "or", "xor" or the end of the query`},
	} {
		_, err := Parse(tc.in)
		if err == nil || err.Error() != tc.want {
			t.Errorf("Parse(%q):\n got %v\nwant %s", tc.in, err, tc.want)
			continue
		}
		if !errors.Is(err, ErrSyntax) || errors.Is(err, ErrLimit) {
			t.Errorf("Parse(%q): %v is ErrSyntax: %v, is ErrLimit: %v, want true, false",
				tc.in, err, errors.Is(err, ErrSyntax), errors.Is(err, ErrLimit))
		}
	}
}

func TestSyntaxErrorFields(t *testing.T) {
	const in = "a = ö and\n  ö = or"
	_, err := Parse(in)
	var got *SyntaxError
	if !errors.As(err, &got) {
		t.Fatalf("got %T, want a *SyntaxError", err)
	}
	want := SyntaxError{
		Text: in, Offset: 18, Line: 2, Column: 7,
		Got: `the reserved word "or"`, Want: "a value", Hint: `as a name or a value it stands in quotes: "or"`,
	}
	if *got != want {
		t.Errorf("got %+v, want %+v", *got, want)
	}
	if in[got.Offset:] != "or" {
		t.Errorf("at the offset stands %q, want %q", in[got.Offset:], "or")
	}
}

// checkLimit checks that Parse refuses a text because of a limit.
func checkLimit(t *testing.T, name, in string) {
	t.Helper()
	e, err := Parse(in)
	var syntax *SyntaxError
	if !errors.Is(err, ErrLimit) || !errors.Is(err, ErrSyntax) || !errors.As(err, &syntax) || e != nil {
		t.Errorf("%s: got %v, want a SyntaxError that is ErrLimit", name, err)
		return
	}
	if syntax.Offset < 0 || syntax.Offset > len(in) || syntax.Got == "" || syntax.Want == "" {
		t.Errorf("%s: got %q at %d, want %q", name, syntax.Got, syntax.Offset, syntax.Want)
	}
}

func TestLimitErrors(t *testing.T) {
	for _, tc := range []struct{ in, want string }{
		{repeat("not ", 1001) + "all", "query: 1:4001: got a nesting of 1001, want at most 1000"},
		{repeat("\n(", 1001), "query: 1002:1: got a nesting of 1001, want at most 1000"},
		{repeat("(a=1 or b=2 and ", 501) + "all" + repeat(")", 501),
			"query: 1:13: got a nesting of 1001, want at most 1000"},
		{repeat(" ", MaxText-2) + "all", "query: 1:1: got a text of 8388609 bytes, want at most 8388608"},
	} {
		checkLimit(t, tc.want, tc.in)
		if _, err := Parse(tc.in); err == nil || err.Error() != tc.want {
			t.Errorf("got %v, want %s", err, tc.want)
		}
	}
	if e, err := Parse(repeat(" ", MaxText-3) + "all"); err != nil || e != (All{}) {
		t.Errorf("a text of %d bytes: got %v, %v, want all", MaxText, e, err)
	}
}

// TestHostileTexts parses the largest texts of each kind that could take more than linear time. At
// the square of 8 MiB, each would never end. It counts the time of processors, which is the same
// while other tests run.
func TestHostileTexts(t *testing.T) {
	fill := func(unit string) string { return repeat(unit, MaxText/len(unit)) }
	deep := func(inner string) string {
		const open, shut = "a=1 and (nothing or (", "))"
		return repeat(open, 499) + inner + repeat(shut, 499)
	}
	// Operands that Simplify moves up from level to level.
	size := MaxText - 30_000
	switch {
	case testing.Short():
		size /= 8
	case os.Getenv("UPROAR_LONG") != "1":
		size /= 2
	}
	numbered := func(infix string) string {
		b := []byte("x=0")
		for i := 0; len(b) < size; i++ {
			b = fmt.Appendf(b, "%sx=%d", infix, i)
		}
		return string(b)
	}
	for name, in := range map[string]string{
		"open":          fill("("),
		"closed":        fill("()"),
		"not":           fill("not "),
		"word":          fill("a"),
		"quote":         fill(`"`),
		"backslash":     `"` + fill(`\`)[2:] + `"`,
		"string":        `a = "` + fill(`\xff`)[4*8:] + `"`,
		"escapes":       `a = "` + fill(`\q`)[2*8:] + `"`,
		"lines":         fill("\n"),
		"symbols":       fill("!="),
		"invalid":       fill("\xff"),
		"or":            fill("a=1 or ")[7:] + "a=1",
		"nested and or": fill("a=1 or b=2 and ")[15:] + "a=1",
		"lists":         "any of (" + fill("any of(),")[36:] + "all)",
		"rising and":    deep(numbered(" and ")),
		"rising or":     deep("y=1 and (" + numbered(" or ") + ")"),
	} {
		start := processor.Time()
		e, err := Parse(in)
		if err == nil {
			_ = e.String()
			Simplify(e)
		}
		took := processor.Time() - start
		t.Logf("%s: %v", name, took)
		if took > 20*time.Second {
			t.Errorf("%s: took %v for %d bytes", name, took, len(in))
		}
	}
}
