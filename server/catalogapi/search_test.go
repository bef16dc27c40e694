// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package catalogapi

import (
	"strings"
	"testing"
)

// TestSearcherAppendTo: where the answers of a round are more than a reply may have, each answer
// that has more before it is an error, whichever processor was faster, and every other one is
// there.
func TestSearcherAppendTo(t *testing.T) {
	const room = 16 << 20
	long := strings.Repeat("x", room/2)
	for _, computed := range []int{2, 3, 4} {
		r := &searcher{searching: &searching{most: room}, from: 0, to: 4}
		for range computed {
			r.answers = append(r.answers, long...)
			r.ends = append(r.ends, len(r.answers))
		}
		if computed == 2 { // the third has 2 commas and twice the half before it
			r.ends = r.ends[:2]
		}
		dst, err := r.appendTo(nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := strings.Count(string(dst), `"error"`), 2; got != want {
			t.Errorf("%d computed: got %d errors, want %d", computed, got, want)
		}
	}
}
