// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package format

import (
	"testing"
)

// FuzzKeyCodec encodes any key and gets it back.
func FuzzKeyCodec(f *testing.F) {
	f.Add("did:plc:ewvi7nxzyoun6zhxrhs64oiz")
	f.Add("did:plc:ewvi7nxzyoun6zhxrhs64oi1")
	f.Add("")
	f.Fuzz(func(t *testing.T, key string) {
		code := AppendKey([]byte("x"), key)
		back, ok := AppendKeyText([]byte("y"), code[1:])
		if !ok || string(back) != "y"+key {
			t.Fatalf("got %q, %v, want %q", back, ok, key)
		}
	})
}
