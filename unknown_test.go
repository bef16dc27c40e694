// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/store/memstore"
)

// TestUnknown names the leaves of queries that name a record which does not exist.
func TestUnknown(t *testing.T) {
	db := openDB(t, memstore.New(), nil)
	defer db.Close()
	ix := newAccounts(t, db)
	writeAll(t, ix, func(b *uproar.Batch) {
		b.Set("follows", "alice", "bob")
		b.Set("follows", "bob", "gone")
		b.Set("country", "alice", "de")
	})
	writeAll(t, ix, func(b *uproar.Batch) { b.DeleteRecord("gone") })
	snap := ix.Snapshot()
	defer snap.Close()
	for _, c := range []struct{ q, want string }{
		{"all", ""},
		{"follows(alice) or follows = bob or country = de", ""},
		{"follows(zoe)", "follows(zoe)"},
		{"follows in (alice, zoe, gone)", "follows = zoe; follows = gone"},
		{"follows in (zoe, zoe, a) or follows(zoe) or follows = zoe", "follows = zoe; follows = a; follows(zoe)"},
		{"not followers = zoe and country = xx", "followers = zoe"},
		{"follows(follows(zoe)) xor country prefix x", "follows(zoe)"},
		{"at least 2 of (follows in (a, b, c, d), all, country = xx)", "follows = a; follows = b; follows = c"},
	} {
		q, err := query.Parse(c.q)
		if err != nil {
			t.Fatal(err)
		}
		unknown, err := snap.Unknown(t.Context(), q, 3)
		var texts []string
		for _, e := range unknown {
			texts = append(texts, e.String())
		}
		if got := strings.Join(texts, "; "); err != nil || got != c.want {
			t.Errorf("%s: got %q, %v, want %q", c.q, got, err, c.want)
		}
	}
	many := []string{"alice"}
	for i := range 10_000 {
		many = append(many, fmt.Sprint("nobody ", i))
	}
	q := query.Not{Of: query.Field("follows").In(append(many, "bob")...)}
	if unknown, err := snap.Unknown(t.Context(), q, 20_000); err != nil || len(unknown) != len(many)-1 ||
		unknown[9_999].String() != `follows = "nobody 9999"` {
		t.Errorf("got %d unknown, %v, want %d in the order of the text", len(unknown), err, len(many)-1)
	}
	if unknown, err := snap.Unknown(t.Context(), q, 2); err != nil || len(unknown) != 2 ||
		unknown[0].String() != `follows = "nobody 0"` {
		t.Errorf("got %v, %v, want the first two", unknown, err)
	}
	if n, err := snap.Count(t.Context(), q); err != nil || n != 1 {
		t.Errorf("got %d, %v, want all but alice", n, err)
	}
	if _, err := snap.Unknown(t.Context(), query.Field("folows").Is("a"), 9); !errors.Is(err, uproar.ErrUnknownField) {
		t.Errorf("got %v, want ErrUnknownField", err)
	}
	if err := snap.Exist(t.Context(), "alice", "bob"); err != nil {
		t.Errorf("got %v of records that exist", err)
	}
	var e *uproar.UnknownError
	if err := snap.Exist(t.Context(), "alice", "gone", "zoe"); !errors.As(err, &e) || e.Name != "gone" {
		t.Errorf("got %v, want one that names gone", err)
	}
}
