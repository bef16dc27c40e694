// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package prefetch_test

import (
	"bytes"
	"testing"

	"github.com/uproar-db/uproar/internal/prefetch"
)

// TestEnds asks for lists of all lengths of slices of all kinds: nothing is read, changed or kept
// from being.
func TestEnds(t *testing.T) {
	all := bytes.Repeat([]byte("some bytes, "), 1000)
	before := bytes.Clone(all)
	var list [][]byte
	for n := range 200 {
		prefetch.Ends(list)
		if len(list) != n {
			t.Fatalf("got a list of %d, want %d", len(list), n)
		}
		switch n % 4 {
		case 0:
			list = append(list, nil)
		case 1:
			list = append(list, all[n*50:n*50])
		case 2:
			list = append(list, all[n*50:n*50+1])
		default:
			list = append(list, all[n*50:])
		}
	}
	for n, b := range list {
		if n%4 == 3 && !bytes.Equal(b, before[n*50:]) || n%4 == 2 && b[0] != before[n*50] || n%4 == 0 && b != nil {
			t.Errorf("slice %d was changed", n)
		}
	}
	if !bytes.Equal(all, before) {
		t.Error("bytes were changed")
	}
}
