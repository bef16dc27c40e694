// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package query

import (
	"cmp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

type kind uint8

const (
	bad     kind = iota // no token of the language; matches nothing, so that the parser fails at it
	end                 // the end of the text
	word                // a bare word that is not reserved; value holds it
	quoted              // a string in quotes; value holds what it stands for
	keyword             // a reserved word; value holds it in lower case
	symbol              // punctuation; value holds it
)

// maxShown is how many characters of a token an error shows.
const maxShown = 40

// A token is one piece of the text.
type token struct {
	kind   kind
	offset int
	raw    string // as written
	value  string
	fault  *fault // what is wrong with a bad token
}

// A fault is what the lexer knows of an error. The parser adds what it wanted,
// unless the lexer knows better.
type fault struct{ got, want, hint string }

// is reports whether the token is that keyword or symbol.
func (t token) is(k kind, value string) bool { return t.kind == k && t.value == value }

// isName reports whether the token can stand for a field, a key or a value.
func (t token) isName() bool { return t.kind == word || t.kind == quoted }

// shown describes the token for the "got" of an error.
func (t token) shown() string {
	switch t.kind {
	case bad:
		return t.fault.got
	case end:
		return "the end of the query"
	case keyword:
		return "the reserved word " + shorten(t.raw)
	case quoted:
		return "the string " + shorten(t.value)
	default:
		return shorten(t.raw)
	}
}

// shorten quotes a string, cut after maxShown characters.
func shorten(s string) string {
	n := 0
	for i := range s {
		if n == maxShown {
			return strconv.Quote(s[:i] + "…")
		}
		n++
	}
	return strconv.Quote(s)
}

// asciiWord says which ASCII characters a bare word may hold.
var asciiWord = func() (set [utf8.RuneSelf]bool) {
	for _, c := range "_-.:@/#" +
		"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ" {
		set[c] = true
	}
	return set
}()

// isWordRune says which other characters a bare word may hold: letters, digits,
// and the marks that many scripts write their vowels with. U+FFFD is none of
// these, so that a byte which is not UTF-8 ends a word.
func isWordRune(r rune) bool {
	return unicode.In(r, unicode.L, unicode.M, unicode.Nd)
}

// symbols are the punctuation of the language, longer before shorter.
var symbols = []string{"!=", "<>", "<=", ">=", "==", "(", ")", ",", "=", "<", ">", "+"}

// sameSymbol has the symbols of other languages, with what they mean here.
var sameSymbol = map[string]string{"==": "=", "<>": "!="}

// scan returns the token that begins at or after offset. It looks at no byte
// twice, apart from the few of a symbol.
func scan(text string, offset int) token {
	for offset < len(text) {
		r, n := utf8.DecodeRuneInString(text[offset:])
		if !unicode.IsSpace(r) {
			break
		}
		offset += n
	}
	rest := text[offset:]
	if rest == "" {
		return token{kind: end, offset: offset}
	}
	if rest[0] == '"' || rest[0] == '\'' {
		return scanQuoted(text, offset)
	}
	if n := wordLen(rest); n > 0 {
		t := token{kind: word, offset: offset, raw: rest[:n], value: rest[:n]}
		if lower, use := reservedWord(t.raw); use != notReserved {
			t.kind, t.value = keyword, lower
		}
		return t
	}
	for _, s := range symbols {
		if strings.HasPrefix(rest, s) {
			return token{kind: symbol, offset: offset, raw: s, value: cmp.Or(sameSymbol[s], s)}
		}
	}
	return token{kind: bad, offset: offset, fault: strayFault(rest)}
}

// strayFault describes a character that begins no token, with advice for those
// that other languages use.
func strayFault(rest string) *fault {
	for _, s := range []struct{ prefix, hint string }{
		{"&&", `write "and"`},
		{"&", `write "and"`},
		{"||", `write "or"`},
		{"|", `write "or"`},
		{"!", `write "not"`},
		{"`", `strings stand in double quotes: "`},
		{"“", `strings stand in plain double quotes: "`},
		{"”", `strings stand in plain double quotes: "`},
		{"„", `strings stand in plain double quotes: "`},
	} {
		if strings.HasPrefix(rest, s.prefix) {
			return &fault{got: strconv.Quote(s.prefix), hint: s.hint}
		}
	}
	r, n := utf8.DecodeRuneInString(rest)
	if r == utf8.RuneError && n == 1 {
		return invalidByte(rest[0])
	}
	return &fault{
		got:  strconv.Quote(string(r)),
		hint: "a name or value with such a character stands in double quotes",
	}
}

func invalidByte(c byte) *fault {
	hex := strconv.FormatUint(uint64(c), 16)
	return &fault{
		got:  "the byte 0x" + hex,
		want: "UTF-8",
		hint: `between double quotes, \x` + hex + " stands for that byte",
	}
}

// scanQuoted reads a string in double or single quotes. In single quotes, two of them stand for
// one, as in SQL. It allocates only if there are escapes.
func scanQuoted(text string, offset int) token {
	var unescaped []byte
	quote := text[offset]
	from := offset + 1 // of what is not yet in unescaped
	for i := from; i < len(text); {
		switch c := text[i]; {
		case c == '\'' && quote == c && strings.HasPrefix(text[i+1:], "'"):
			unescaped = append(unescaped, text[from:i+1]...)
			i += 2
			from = i
		case c == quote:
			value := text[from:i]
			if unescaped != nil {
				value = string(append(unescaped, value...))
			}
			return token{kind: quoted, offset: offset, raw: text[offset : i+1], value: value}
		case c == '\n' || c == '\r':
			return token{kind: bad, offset: i, fault: &fault{
				got:  "a line break between quotes",
				want: "a closing " + string(quote),
				hint: `a line break in a string is written \n`,
			}}
		case c == '\\':
			// At most the ten bytes of \U0010ffff: UnquoteChar would look at
			// the whole rest of the text.
			escape := text[i:min(i+10, len(text))]
			r, multibyte, tail, err := strconv.UnquoteChar(escape, quote)
			if err != nil {
				return token{kind: bad, offset: i, fault: escapeFault(escape)}
			}
			unescaped = append(unescaped, text[from:i]...)
			if multibyte {
				unescaped = utf8.AppendRune(unescaped, r)
			} else {
				unescaped = append(unescaped, byte(r)) // \xff is that byte, not U+00FF
			}
			i += len(escape) - len(tail)
			from = i
		case c < utf8.RuneSelf:
			i++
		default:
			r, n := utf8.DecodeRuneInString(text[i:])
			if r == utf8.RuneError && n == 1 {
				return token{kind: bad, offset: i, fault: invalidByte(c)}
			}
			i += n
		}
	}
	return token{kind: bad, offset: offset, fault: &fault{
		got:  "a string that does not end",
		want: "a closing " + string(quote),
	}}
}

func escapeFault(escape string) *fault {
	got := `a lone \`
	if len(escape) > 1 {
		_, n := utf8.DecodeRuneInString(escape[1:])
		got = "an escape that begins with " + escape[:1]
		if c := escape[1]; c >= ' ' && c < 0x7f {
			got += escape[1 : 1+n]
		}
	}
	return &fault{
		got:  got,
		want: `one of \a \b \f \n \r \t \v \\ \" \377 \xff \u00e9 \U0001f600`,
		hint: `a backslash itself is written \\`,
	}
}
