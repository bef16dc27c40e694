// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package query

import (
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const guide = "../docs/query.md"

// guideBlocks returns the fenced blocks of the guide, by their tag.
func guideBlocks(t *testing.T) (text string, blocks map[string][]string) {
	t.Helper()
	raw, err := os.ReadFile(guide)
	if err != nil {
		t.Fatal(err)
	}
	blocks = map[string][]string{}
	for _, m := range regexp.MustCompile("(?s)\n```([a-z]+)\n(.*?)\n```\n").FindAllStringSubmatch(string(raw), -1) {
		blocks[m[1]] = append(blocks[m[1]], m[2])
	}
	return string(raw), blocks
}

// TestGuide checks every example of docs/query.md.
func TestGuide(t *testing.T) {
	_, blocks := guideBlocks(t)
	tags := slices.Sorted(maps.Keys(blocks))
	want := []string{"console", "ebnf", "error", "json", "query", "same", "simplify", "string"}
	if !slices.Equal(tags, want) {
		t.Fatalf("got blocks of kinds %q, want %q", tags, want)
	}
	parse := func(text string) Expr {
		e, err := Parse(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			return Nothing{}
		}
		return e
	}
	lines := func(tag string) []string {
		return strings.Split(strings.Join(blocks[tag], "\n"), "\n")
	}
	pairs := func(tag string, check func(left, right string)) {
		for _, line := range lines(tag) {
			left, right, ok := strings.Cut(line, "=>")
			if !ok {
				t.Errorf("%s: got %q, want two texts with => between", tag, line)
				continue
			}
			check(strings.TrimSpace(left), strings.TrimSpace(right))
		}
	}
	for _, line := range lines("query") {
		parse(line)
	}
	pairs("same", func(left, right string) {
		if l, r := parse(left), parse(right); !reflect.DeepEqual(l, r) {
			t.Errorf("%s and %s: got %#v and %#v, want the same", left, right, l, r)
		}
	})
	pairs("string", func(left, right string) {
		if got := parse(left).String(); got != right {
			t.Errorf("%s prints as %s, want %s", left, got, right)
		}
	})
	pairs("simplify", func(left, right string) {
		if got := Simplify(parse(left)).String(); got != right {
			t.Errorf("%s simplifies to %s, want %s", left, got, right)
		}
	})
	pairs("json", func(left, right string) {
		e := parse(left)
		if got := string(AppendJSON(nil, e)); got != right {
			t.Errorf("%s as JSON is %s, want %s", left, got, right)
		}
		if got, err := ParseJSON([]byte(right)); err != nil || !reflect.DeepEqual(got, e) {
			t.Errorf("%s is %v, %v, want %s", right, got, err, left)
		}
	})
	for _, example := range strings.Split(strings.Join(blocks["error"], "\n\n"), "\n\n") {
		text, want, _ := strings.Cut(example, "\n")
		if _, err := Parse(text); err == nil || err.Error() != want {
			t.Errorf("%s:\n got %v\nwant %s", text, err, want)
		}
	}
}

// TestGuideReservedWords compares the lists of the guide with the parser's, and
// both with what the lexer does.
func TestGuideReservedWords(t *testing.T) {
	text, _ := guideBlocks(t)
	for _, tc := range []struct {
		heading string
		use     wordUse
	}{{"In use:", inUse}, {"Kept for later, without a meaning yet:", forLater}} {
		_, list, ok := strings.Cut(text, "\n"+tc.heading)
		if !ok {
			t.Errorf("%s has no %q", guide, tc.heading)
			continue
		}
		list, _, _ = strings.Cut(list, "\n\n")
		var got, want []string
		for _, m := range regexp.MustCompile("`([a-z]+)`").FindAllStringSubmatch(list, -1) {
			got = append(got, m[1])
		}
		for w, use := range reserved {
			if use == tc.use {
				want = append(want, w)
			}
		}
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: the guide has %q, the parser %q", tc.heading, got, want)
		}
	}
	for w := range reserved {
		if len(w) > maxReserved {
			t.Errorf("%q is longer than maxReserved, %d", w, maxReserved)
		}
		for _, w := range []string{w, strings.ToUpper(w), strings.ToUpper(w[:1]) + w[1:]} {
			if got := scan(w, 0); got.kind != keyword {
				t.Errorf("%q: got a token of kind %d, want a keyword", w, got.kind)
			}
			for _, text := range []string{w + " = 1", "a = " + w, "a(" + w + ")", "any(" + w + ")", w + "(a)"} {
				switch strings.ToLower(text) {
				case "any(a)", "none(a)", "saved(a)", "a(all)", "a(nothing)":
					continue
				}
				if e, err := Parse(text); err == nil {
					t.Errorf("%s: got %v, want an error", text, e)
				}
			}
			for _, text := range []string{`"` + w + `" = 1`, `a = "` + w + `"`} {
				if _, err := Parse(text); err != nil {
					t.Errorf("%s: %v", text, err)
				}
			}
		}
	}
}
