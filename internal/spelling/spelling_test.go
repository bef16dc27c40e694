// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package spelling

import (
	"strings"
	"testing"
)

// TestSuggest checks what is close enough, and that nothing is suggested for what is not.
func TestSuggest(t *testing.T) {
	names := []string{"follows", "followers", "city"}
	for name, want := range map[string]string{"folows": "follows", "follwers": "followers", "ciyt": "city",
		"follows": "follows", "x": "", "": "", "country": "", strings.Repeat("a", 200): ""} {
		if got := Suggest(name, names); got != want {
			t.Errorf("%.20q: got %q, want %q", name, got, want)
		}
	}
}
