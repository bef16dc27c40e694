// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/api"
)

// A cursor that a client has kept must be good in every later version.
func TestCursorsAreStable(t *testing.T) {
	for from, want := range map[uint64]string{0: "AQCl7w", 1: "AQGmbA", 300: "AawCbPo", math.MaxUint64: "Af___________wFYag"} {
		if got := encodeCursor(from); got != want {
			t.Errorf("%d: got %s, want %s", from, got, want)
		}
		if got, err := decodeCursor(want); got != from || err != nil {
			t.Errorf("%s: got %d, %v, want %d", want, got, err, from)
		}
	}
	if from, err := decodeCursor(""); from != 0 || err != nil {
		t.Errorf("no cursor: got %d, %v, want the first page", from, err)
	}
}

func TestBrokenCursors(t *testing.T) {
	good := encodeCursor(123_456)
	bad := []string{"x", "AQ", good + "A", good + "=", " " + good, strings.ToLower(good), "AgCl7w"}
	for i := range good { // cut, or with another letter
		bad = append(bad, good[:i+1][:i], good[:i]+"-"+good[i+1:])
	}
	for _, cursor := range bad[:len(bad):len(bad)] {
		if cursor == "" || cursor == good {
			continue
		}
		if from, err := decodeCursor(cursor); !errors.Is(err, &api.Error{Code: api.CodeInvalidCursor}) {
			t.Errorf("%q: got %d, %v, want an invalid cursor", cursor, from, err)
		}
	}
}

func FuzzCursor(f *testing.F) {
	f.Add("AQCl7w", uint64(7))
	f.Fuzz(func(t *testing.T, cursor string, from uint64) {
		if got, err := decodeCursor(encodeCursor(from)); got != from || err != nil {
			t.Errorf("%d: got %d, %v", from, got, err)
		}
		// Each page has one cursor.
		if from, err := decodeCursor(cursor); err == nil && cursor != "" && encodeCursor(from) != cursor {
			t.Errorf("%q: is %d, which is %q", cursor, from, encodeCursor(from))
		}
	})
}
