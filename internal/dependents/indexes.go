// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package dependents

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/audience"
	"github.com/uproar-db/uproar/apps/catalog"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/apps/graph/likes"
	"github.com/uproar-db/uproar/apps/standing"
)

// reserved are the names of indexes that applications make when they need them.
var reserved = map[string]string{
	graph.IndexName:      "the graph, whose first follow makes it",
	audience.Definitions: "saved audiences, the first of which makes it",
	standing.Definitions: "standing queries, the first of which makes it",
}

// Application returns which application the records of an index belong to: "graph", "catalog",
// "standing", "redis" or "".
func Application(ix *uproar.Index) string {
	switch {
	case ix.Name() == graph.IndexName:
		return "graph"
	case catalog.Has(ix):
		return "catalog"
	case standing.Owns(ix.Name()):
		return "standing"
	case isKeyspace(ix):
		return "redis"
	}
	return ""
}

// purposeOf returns what an application needs the name of an index for; "" if none does.
func purposeOf(name string) string {
	if standing.Owns(name) && reserved[name] == "" {
		return "the results of standing queries, the first of which makes it"
	}
	return reserved[name]
}

// CheckName fails for the name of a new index that an application needs for one of its own. Of an
// index that there is, it leaves the error to who makes it.
func CheckName(db *uproar.DB, name string) error {
	purpose := purposeOf(name)
	if _, err := db.Index(name); err == nil || purpose == "" {
		return nil
	}
	return fmt.Errorf("%w: new index: got %q, which is the name for %s; want another name", uproar.ErrInvalid, name,
		purpose)
}

// Table says what a table that is imported may write. The zero value takes everything.
type Table struct {
	Key   func(key string) error // CheckKey of the index; nil: it takes any
	index *uproar.Index          // nil: a new one
}

// Field fails for a field that CheckChange refuses.
func (t Table) Field(name string) error {
	if t.index == nil {
		return nil
	}
	return CheckChange(t.index, name)
}

// CheckImport fails for the name of an index into which tables cannot be imported: a new one that
// CheckName refuses, or one that CheckWrite does. Errors: uproar.ErrInvalid, or those of reading.
func CheckImport(db *uproar.DB, name string) (Table, error) {
	ix, err := db.Index(name)
	if errors.Is(err, uproar.ErrUnknownIndex) {
		return Table{}, CheckName(db, name)
	}
	if err != nil {
		return Table{}, err
	}
	t := Table{index: ix}
	if Application(ix) != "" {
		t.Key = func(key string) error { return CheckKey(ix, key) }
	}
	return t, CheckWrite(ix)
}

// CheckDrop fails for an index that an application cannot do without; the error names which. Cost:
// it evaluates the saved audiences of the index. Errors: uproar.ErrInvalid, uproar.ErrUnknownIndex,
// or those of reading.
func CheckDrop(ctx context.Context, db *uproar.DB, index string) error {
	ix, err := db.Index(index)
	if err != nil {
		return err
	}
	refused := func(why string) error {
		return fmt.Errorf("%w: drop: got index %q: %s", uproar.ErrInvalid, index, why)
	}
	switch {
	case standing.IsLeft(db, ix.Name()): // of an index that is gone
		return nil
	case Application(ix) == "standing":
		return refused("it has the results of standing queries; drop these instead")
	case reserved[ix.Name()] != "":
		return refused("it belongs to " + reserved[ix.Name()])
	case Application(ix) == "catalog":
		for _, name := range catalog.List(db) {
			if db.Aliases()[name] == ix.Name() {
				return refused(fmt.Sprintf("it has the records of catalog %q", name))
			}
		}
	}
	as, err := audience.Of(db, ix.Name())
	if err != nil {
		return err
	}
	v, err := as.View(ctx)
	if err != nil {
		return err
	}
	defer v.Close()
	saved, err := v.Saved(ctx)
	if err != nil {
		return err
	}
	for _, s := range saved {
		if s.Follows {
			return refused(fmt.Sprintf("saved audience %q needs it; forget that one first", s.Name))
		}
	}
	name, err := standing.Needs(ctx, db, ix, "")
	if err == nil && name != "" {
		return refused(fmt.Sprintf("standing query %q needs it; drop that one first", name))
	}
	return err
}

// CheckAlias fails for an alias that an application cannot do without as it is: the name of a
// catalog, one that an application needs for an index, or, if it is to be of no index, one of which
// queries stand. Errors: uproar.ErrInvalid, or those of reading.
func CheckAlias(ctx context.Context, db *uproar.DB, alias, index string) error {
	if purpose := purposeOf(alias); purpose != "" {
		return fmt.Errorf("%w: alias: got %q, which is the name for %s; want another name", uproar.ErrInvalid, alias,
			purpose)
	}
	if index == "" {
		queries, err := standing.List(ctx, db, alias)
		if err != nil {
			return err
		}
		if len(queries) > 0 {
			return fmt.Errorf("%w: alias: got %q, which standing query %q needs; drop that one first", uproar.ErrInvalid,
				alias, queries[0].Name)
		}
	}
	_, err := catalog.Open(db, alias)
	if err == nil && db.Aliases()[alias] != "" {
		return fmt.Errorf("%w: alias: got %q, which is a catalog; replace the catalog instead, or want another name",
			uproar.ErrInvalid, alias)
	}
	if errors.Is(err, catalog.ErrUnknownCatalog) || errors.Is(err, catalog.ErrSchema) {
		return nil
	}
	return err
}

// CheckWrite fails for an index whose records belong together in a way that only their application
// knows: those of a catalog, and the definitions of saved audiences. Errors: uproar.ErrInvalid.
func CheckWrite(ix *uproar.Index) error {
	switch {
	case Application(ix) == "catalog":
		return fmt.Errorf("%w: got index %q, which has the records of a catalog; write them as such", uproar.ErrInvalid,
			ix.Name())
	case Application(ix) == "standing":
		return fmt.Errorf("%w: got index %q, which belongs to standing queries; set and drop these instead",
			uproar.ErrInvalid, ix.Name())
	case ix.Name() == audience.Definitions:
		return fmt.Errorf("%w: got index %q, which belongs to %s; save and forget audiences instead", uproar.ErrInvalid,
			ix.Name(), reserved[ix.Name()])
	}
	return nil
}

// CheckChange fails for a field whose values change only as its application changes others. The
// error names the call that does so.
func CheckChange(ix *uproar.Index, field string) error {
	call := ""
	switch {
	case likes.Needs(ix, field):
		call = "POST /v1/likes/write"
	case graph.Alone(ix, field):
		call = "POST /v1/graph/write"
	case isKeyspace(ix) && field != sets && ofKeyspace(field):
		call = "a command of Redis, such as EXPIRE"
	default:
		return nil
	}
	return fmt.Errorf("%w: got a change of field %q of index %q, want it by %s, which changes with it what belongs to it",
		uproar.ErrInvalid, field, ix.Name(), call)
}

// CheckKey fails for a key that a record of the index cannot have, because of the application that
// it belongs to.
func CheckKey(ix *uproar.Index, key string) error {
	switch {
	case ix.Name() == graph.IndexName:
		return graph.CheckAccount(key)
	case (strings.HasPrefix(key, `\!`) || strings.HasPrefix(key, `\@`)) && isKeyspace(ix):
		return fmt.Errorf("%w: got %.100q, which says when a set or member of Redis' clients ends, want its member, or "+
			"a command of Redis", uproar.ErrInvalid, key)
	}
	return nil
}
