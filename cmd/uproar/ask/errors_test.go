// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ask_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/cmd/uproar/ask"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
)

// The caret stands below the place, whatever the line.
func TestCaret(t *testing.T) {
	long := strings.Repeat("a=b and ", 100)
	for _, tc := range []struct{ text, line, caret string }{
		{"a = and", "    a = and", "        ^"},
		{"a =", "    a =", "       ^"},
		{"a = b and\n\ta = or", "     a = or", "         ^"},
		{"a = \x1b[31m", "    a =  [31m", "        ^"},
		{"城市 = or", "    城市 = or", "           ^"},
		{long + "?" + " and c=d" + long,
			"    …" + long[len(long)-60:] + "?" + (" and c=d" + long)[:59] + "…", "    " + strings.Repeat(" ", 61) +
				"^"},
	} {
		err := ask.Check(tc.text)
		lines := strings.Split(err.Error(), "\n")
		if len(lines) != 4 || lines[1] != tc.line || lines[2] != tc.caret {
			t.Errorf("%q: got\n%s\nwant\n%s\n%s", tc.text, err, tc.line, tc.caret)
		}
		if !errors.As(err, new(*terminal.UsageError)) {
			t.Errorf("%q: not an error of usage", tc.text)
		}
	}
}
