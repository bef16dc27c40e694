// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package table

import (
	"errors"
	"strings"
	"testing"
)

// TestCutMagic: compressed data of which hardly anything came is damaged, and no text.
func TestCutMagic(t *testing.T) {
	for _, text := range []string{"\x1f", "\x28", "\x28\xb5", "\x28\xb5\x2f"} {
		if _, err := Decompress(strings.NewReader(text)); !errors.As(err, new(*DamageError)) {
			t.Errorf("%q: got %v, want that it is damaged", text, err)
		}
	}
	for _, text := range []string{"", "a", "(a", "id\n"} {
		if _, err := Decompress(strings.NewReader(text)); err != nil {
			t.Errorf("%q: got %v", text, err)
		}
	}
}
