// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package value

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestSplitList(t *testing.T) {
	for _, c := range []struct {
		text, separator string
		want            []string
	}{
		{"", "|", []string{""}},
		{"tea", "|", []string{"tea"}},
		{" tea | cake ", "|", []string{"tea", "cake"}},
		{`a\|b|c`, "|", []string{"a|b", "c"}},
		{`a\\|c`, "|", []string{`a\`, "c"}},
		{`a\\\|c`, "|", []string{`a\|c`}},
		{`C:\dir\|C:\new`, "|", []string{`C:\dir|C:\new`}},
		{`C:\dir|\n`, "|", []string{`C:\dir`, `\n`}},
		{`\ a |  b\  | \ `, "|", []string{" a", "b ", " "}},
		{`a\` + "\u00a0", "|", []string{"a\u00a0"}},
		{`a\;b;c\|d`, ";", []string{"a;b", "c|d"}},
		{`a\, b, c\,d`, ", ", []string{"a, b", `c\,d`}},
		{`a\ b`, " ", []string{"a b"}},
		{`\a  b`, " ", []string{`\a`, "", "b"}},
		{`a\b\c`, `\`, []string{"a", "b", "c"}},
		{`a|\`, "|", []string{"a", `\`}},
		{`\|`, "|", []string{"|"}},
		{`\\|`, "|", []string{`\`, ""}},
	} {
		if got := slices.Collect(SplitList(c.text, c.separator)); !slices.Equal(got, c.want) {
			t.Errorf("%q by %q: got %q, want %q", c.text, c.separator, got, c.want)
		}
	}
}

// TestListsComeBack: whatever values a list has, they come back as they were.
func TestListsComeBack(t *testing.T) {
	parts := []string{"a", " ", "\t", "\n", "\r\n", "|", ";", `\`, `"`, ",", "é", "\u00a0", "\u2028", "\x85", "\xff",
		"\x00"}
	for range 200_000 {
		list := make([]string, 1+rand.IntN(3))
		for i := range list {
			for range 1 + rand.IntN(4) {
				list[i] += parts[rand.IntN(len(parts))]
			}
		}
		text := string(AppendList(nil, list))
		if got := slices.Collect(SplitList(text, ListSeparator)); !slices.Equal(got, list) {
			t.Fatalf("%q as %q: got %q", list, text, got)
		}
		if got := slices.Collect(SplitList(text, ";")); len(got) != 1 {
			t.Fatalf("%q as %q: got %q by semicolons, want one value", list, text, got)
		}
		for range SplitList(text, ListSeparator) { // which may be left at any time
			break
		}
	}
}
