// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package arm64

import "testing"

// TestWorks does each work once, by its name, and asks for one that is not there.
func TestWorks(t *testing.T) {
	names := map[string]bool{}
	for _, w := range works() {
		if units, err := pass(w.name, 1); err != nil || units <= 0 || names[w.name] || w.per == "" {
			t.Errorf("%s: got %d units per %q and error %v, want a name of its own and some units", w.name, units,
				w.per, err)
		}
		names[w.name] = true
	}
	if _, err := pass("nothing", 1); err == nil {
		t.Error("a work that is not there was done")
	}
}
