// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/uproar-db/uproar/server/call"
)

// TestInParts: every piece of work is done once, and an error or panic of any part is the error of
// all.
func TestInParts(t *testing.T) {
	for _, parts := range []int{1, 2, 3, 7} {
		var done [100]atomic.Int32
		err := call.InParts(len(done), parts, func(_, from, to int) error {
			for i := from; i < to; i++ {
				done[i].Add(1)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for i := range done {
			if n := done[i].Load(); n != 1 {
				t.Errorf("%d parts: piece %d was done %d times, want once", parts, i, n)
			}
		}
		wrong := errors.New("wrong")
		if err := call.InParts(100, parts, func(part, _, _ int) error {
			if part == parts-1 {
				return wrong
			}
			return nil
		}); err != wrong {
			t.Errorf("%d parts: got %v, want the error of the last", parts, err)
		}
		err = call.InParts(100, parts, func(part, _, _ int) error {
			if part == parts-1 {
				panic("broken")
			}
			return nil
		})
		if _, ok := errors.AsType[*call.Panicked](err); !ok {
			t.Errorf("%d parts: got %v, want a panic as an error", parts, err)
		}
	}
}

// TestSearcherAppendTo: where the answers of a round are more than a reply may have, each answer
// that has more before it is an error, whichever processor was faster, and every other one is
// there.
func TestSearcherAppendTo(t *testing.T) {
	long := strings.Repeat("x", maxAnswers/2)
	for _, computed := range []int{2, 3, 4} {
		r := &searcher{searching: &searching{most: maxAnswers}, from: 0, to: 4}
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
