// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package format

import (
	"testing"
)

// TestDigits: every digit stands for its five bits at every place of a DID.
func TestDigits(t *testing.T) {
	for place := range DidDigits {
		for i := range len(Base32) {
			key := []byte(DIDPrefix + "aaaaaaaaaaaaaaaaaaaaaaaa")
			key[len(DIDPrefix)+place] = Base32[i]
			code := AppendKey(nil, string(key))
			if len(code) != 1+DidBytes {
				t.Fatalf("%s: got a code of %d bytes", key, len(code))
			}
			if got, ok := AppendKeyText([]byte("x"), code); !ok || string(got) != "x"+string(key) {
				t.Errorf("got %s, %v, want %s", got, ok, key)
			}
		}
	}
}
