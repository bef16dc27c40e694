// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"os"
	"strings"
	"testing"

	"github.com/uproar-db/uproar"
)

// TestVersion: the changelog has a release of that number.
func TestVersion(t *testing.T) {
	text, err := os.ReadFile("CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), "\n"+uproar.Version+": ") {
		t.Errorf("CHANGELOG.md has no line that begins with %q", uproar.Version+": ")
	}
}
