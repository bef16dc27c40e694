// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ship

import (
	"errors"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/store"
)

func TestCheckName(t *testing.T) {
	for name, ok := range map[string]bool{
		"a": true, "log/00000000000000000001": true, "ckpt/7/a-b_c.d/E": true, "_": true, "9.": true,
		strings.Repeat("n", MaxName): true,

		"": false, "/": false, "/a": false, "a/": false, "a//b": false, ".": false, "..": false, "a/../b": false,
		".a": false, "-a": false, "a/-b": false, "a b": false, `a\b`: false, "a\x00": false, "é": false, "a\n": false,
		"a?b": false, "a%2fb": false, "a:b": false, strings.Repeat("n", MaxName+1): false,
	} {
		if err := CheckName(name); (err == nil) != ok {
			t.Errorf("CheckName(%.50q): got %v, want ok %v", name, err, ok)
		}
	}
}

func TestCheckObject(t *testing.T) {
	large := make([]byte, MaxObject+1)
	if err := CheckObject("a", large); !errors.Is(err, store.ErrTooLarge) {
		t.Errorf("CheckObject of %d bytes: got %v, want store.ErrTooLarge", len(large), err)
	}
	if err := CheckObject("a", large[:MaxObject]); err != nil {
		t.Errorf("CheckObject of %d bytes: %v", MaxObject, err)
	}
	if err := CheckObject("..", nil); err == nil {
		t.Error("CheckObject: took the name ..")
	}
}
