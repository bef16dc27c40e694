// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package call

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/api"
)

// A cursor that a client has kept must be good in every later version.
func TestCursorsAreStable(t *testing.T) {
	of := questionOf(Question("follows(alice)"))
	for from, want := range map[uint64]string{0: "AqQZwWkAvGE", 1: "AqQZwWkBv-I", 300: "AqQZwWmsAkGA",
		math.MaxUint64: "AqQZwWn___________8B63w"} {
		if got := encodeCursor(from, of); got != want {
			t.Errorf("%d: got %s, want %s", from, got, want)
		}
		if got, q, err := decodeCursor(want); got != from || q != of || err != nil {
			t.Errorf("%s: got %d of %d, %v, want %d of %d", want, got, q, err, from, of)
		}
	}
	if p, err := Page(7, "", Question("all")); p.From != 0 || p.Limit != 7 || err != nil {
		t.Errorf("no cursor: got %+v, %v, want the first page", p, err)
	}
}

// A cursor of one question is none of another.
func TestCursorsAreOfOneQuestion(t *testing.T) {
	cursor := encodeCursor(300, questionOf(Question("follows(alice)")))
	if p, err := Page(5, cursor, Question("follows(alice)")); p.From != 300 || err != nil {
		t.Errorf("of the same question: got %+v, %v, want from 300", p, err)
	}
	if _, err := Page(5, cursor, Question("follows(bob)")); !errors.Is(err,
		&api.Error{Code: api.CodeInvalidCursor}) {
		t.Errorf("of another question: got %v, want an invalid cursor", err)
	}
}

func TestBrokenCursors(t *testing.T) {
	good := encodeCursor(123_456, 7)
	bad := []string{"x", "AQ", good + "A", good + "=", " " + good, strings.ToLower(good), "AQCl7w", ""}
	for i := range good { // cut, or with another letter
		bad = append(bad, good[:i+1][:i], good[:i]+"-"+good[i+1:])
	}
	for _, cursor := range bad[:len(bad):len(bad)] {
		if cursor == good {
			continue
		}
		if from, _, err := decodeCursor(cursor); !errors.Is(err, &api.Error{Code: api.CodeInvalidCursor}) {
			t.Errorf("%q: got %d, %v, want an invalid cursor", cursor, from, err)
		}
	}
}

func FuzzCursor(f *testing.F) {
	f.Add("AgAAAAAApek", uint64(7), uint32(9))
	f.Fuzz(func(t *testing.T, cursor string, from uint64, of uint32) {
		if got, q, err := decodeCursor(encodeCursor(from, of)); got != from || q != of || err != nil {
			t.Errorf("%d of %d: got %d of %d, %v", from, of, got, q, err)
		}
		// Each page has one cursor.
		if from, q, err := decodeCursor(cursor); err == nil && encodeCursor(from, q) != cursor {
			t.Errorf("%q: is %d of %d, which is %q", cursor, from, q, encodeCursor(from, q))
		}
	})
}
