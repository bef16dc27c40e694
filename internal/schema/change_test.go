// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package schema

import (
	"errors"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/sentinel"
	"github.com/uproar-db/uproar/store/memstore"
)

// TestChanges makes indexes, aliases and fields come and go, in copies of a catalog.
func TestChanges(t *testing.T) {
	s := memstore.New()
	c, err := Read(s, false)
	if err != nil {
		t.Fatal(err)
	}
	fields, err := Declare(nil, []Field{{Name: "likes", Type: Relation, Inverse: "liked"}, {Name: "tag", Type: Set}})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a", "b", "new"} {
		c.Indexes = append(c.Indexes, Index{ID: c.NextID(), Name: name, Fields: fields, Loading: name == "new"})
	}
	if err := c.SetAlias("b", "a"); !errors.Is(err, sentinel.ErrInvalid) {
		t.Errorf("an alias of the name of an index: got %v, want ErrInvalid", err)
	}
	if err := c.SetAlias("x", "b"); err != nil {
		t.Fatal(err)
	}
	if err := c.Write(s); err != nil {
		t.Fatal(err)
	}
	next := c.Clone()
	next.Entry("a").DropFields(fieldStep, 2*fieldStep)
	next.DropLoading()
	if err := next.SetAlias("x", ""); err != nil {
		t.Fatal(err)
	}
	next.Drop(2)
	if alias, ok := c.AliasOf("b"); alias != "x" || !ok || c.Entry("new") == nil || c.Index("new") != nil ||
		slices.ContainsFunc(c.Entry("a").Fields, func(f StoredField) bool { return f.Dropped }) {
		t.Errorf("got %+v, want it as it was before the copy was changed", c)
	}
	if id := next.NextID(); id != 4 || !slices.Equal(next.Dropping, []uint32{3, 2}) || next.Entry("b") != nil {
		t.Errorf("got ID %d next, dropping %d, want 4, 3 and 2", id, next.Dropping)
	}
	kept := New(next.Entry("a").Fields)
	if kept.Named("likes") != nil || kept.Dropped(fieldStep) == nil || kept.Numbered(3*fieldStep) != kept.Named("tag") {
		t.Errorf("got %+v, want the relation dropped", kept)
	}
	if again, err := Declare(next.Entry("a").Fields, []Field{{Name: "likes", Type: Set}}); err != nil ||
		again[0].ID != 4*fieldStep {
		t.Errorf("got %+v, %v, want a new number for the name of a dropped field", again, err)
	}
	if err := next.Write(s); err != nil {
		t.Fatal(err)
	}
	if back, err := Read(s, true); err != nil || len(back.Indexes) != 1 {
		t.Errorf("got %+v, %v, want one index", back, err)
	}
	next.Aliases = map[string]string{"x": "b"}
	if err := next.Check(); !errors.Is(err, model.ErrCorrupt) {
		t.Errorf("an alias of no index: got %v, want ErrCorrupt", err)
	}
}
