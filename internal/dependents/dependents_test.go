// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package dependents_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/audience"
	"github.com/uproar-db/uproar/apps/catalog"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/apps/standing"
	"github.com/uproar-db/uproar/internal/dependents"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/store/memstore"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// newDB returns a database with a graph, the catalog "prices", and the index "people", which has
// the saved audience "young" and the standing query "swiss". The index "free" is nobody's.
func newDB(t *testing.T) *uproar.DB {
	t.Helper()
	ctx := t.Context()
	db, err := uproar.Open(ctx, memstore.New(), nil)
	must(t, err)
	t.Cleanup(func() { must(t, db.Close()) })
	_, err = graph.Open(ctx, db)
	must(t, err)
	schema, err := catalog.ParseSchema([]byte(`{"key": "id", "attributes": [{"name": "article"}]}`))
	must(t, err)
	r, err := catalog.Replace(ctx, db, "prices", schema, catalog.ReplaceOptions{})
	must(t, err)
	_, _, err = r.Read(ctx, catalog.Table{}, strings.NewReader("id,article\n1,tea\n"))
	must(t, err)
	must(t, r.Commit(ctx))
	for _, name := range []string{"people", "free"} {
		_, err = db.CreateIndex(ctx, name, uproar.Field{Name: "country", Type: uproar.Single},
			uproar.Field{Name: "age", Type: uproar.Integer}, uproar.Field{Name: "city", Type: uproar.Single},
			uproar.Field{Name: "likes", Type: uproar.Relation, Inverse: "likers"},
			uproar.Field{Name: "knows", Type: uproar.Relation, Inverse: "known"})
		must(t, err)
	}
	as, err := audience.Of(db, "people")
	must(t, err)
	e, err := query.Parse("age < 30 and likers = p1")
	must(t, err)
	_, err = as.Follow(ctx, "young", e)
	must(t, err)
	must(t, standing.Set(ctx, db, "people", "swiss", "country = ch and known(p2)"))
	return db
}

// refused holds an error to what it must name; "" stands for none.
func refused(t *testing.T, what string, err error, name string) {
	t.Helper()
	switch {
	case name == "" && err != nil:
		t.Errorf("%s: got %v, want no error", what, err)
	case name != "" && (!errors.Is(err, uproar.ErrInvalid) || !strings.Contains(err.Error(), name)):
		t.Errorf("%s: got %v, want an invalid request, since %s", what, err, name)
	}
}

// TestFieldsThatAreNeeded: a field is dropped only when no application needs it, under either name
// of a relation.
func TestFieldsThatAreNeeded(t *testing.T) {
	db := newDB(t)
	prices := db.Aliases()["prices"]
	for _, c := range []struct{ index, field, needs string }{
		{"people", "city", ""},
		{"people", "age", `audience "young"`},
		{"people", "likes", `audience "young"`},
		{"people", "country", `query "swiss"`},
		{"people", "knows", `query "swiss"`},
		{"free", "country", ""},
		{"free", "age", ""},
		{graph.IndexName, "follows", "graph"},
		{graph.IndexName, "nothing", ""},
		{prices, "article", `catalog "prices"`},
		{audience.Definitions, "query", audience.Definitions},
		{standing.Definitions, "query", standing.Definitions},
		{"standing_people", "in", "standing_people"},
	} {
		refused(t, c.index+"."+c.field, dependents.Check(t.Context(), db, c.index, c.field), c.needs)
	}
	if err := dependents.Check(t.Context(), db, "none", "x"); !errors.Is(err, uproar.ErrUnknownIndex) {
		t.Errorf("an index that there is not: got %v", err)
	}
	must(t, standing.Drop(t.Context(), db, "people", "swiss"))
	refused(t, "country without the query", dependents.Check(t.Context(), db, "people", "country"), "")
}

// TestFieldIsDroppedOrNeeded: of one who drops a field and one who sets a query that needs it, at
// the same time, one is refused.
func TestFieldIsDroppedOrNeeded(t *testing.T) {
	db, ctx := newDB(t), t.Context()
	city := []uproar.Field{{Name: "city", Type: uproar.Single}}
	for range 200 {
		_, err := db.AddFields(ctx, "people", city...)
		must(t, err)
		set := make(chan error)
		go func() { set <- standing.Set(ctx, db, "people", "bern", "city = Bern") }()
		dropped := dependents.ChangeFields(ctx, db, "people", []string{"city"}, nil)
		if err := <-set; (err == nil) == (dropped == nil) {
			t.Fatalf("got %v for the query, and %v for the field, want one of them refused", err, dropped)
		} else if err == nil {
			must(t, standing.Drop(ctx, db, "people", "bern"))
		}
	}
}

// TestIndexesThatAreNeeded: an index is dropped only when no application needs it, and its records
// are written by whoever knows them.
func TestIndexesThatAreNeeded(t *testing.T) {
	db := newDB(t)
	for _, c := range []struct{ index, application, drop, write string }{
		{"free", "", "", ""},
		{"people", "", `audience "young"`, ""},
		{graph.IndexName, "graph", "the graph", ""},
		{db.Aliases()["prices"], "catalog", `catalog "prices"`, "records of a catalog"},
		{audience.Definitions, "", "saved audiences", "forget audiences"},
		{standing.Definitions, "standing", "standing queries", "drop these"},
		{"standing_people", "standing", "standing queries", "drop these"},
	} {
		ix, err := db.Index(c.index)
		must(t, err)
		if got := dependents.Application(ix); got != c.application {
			t.Errorf("application of %s: got %q, want %q", c.index, got, c.application)
		}
		refused(t, "drop "+c.index, dependents.CheckDrop(t.Context(), db, c.index), c.drop)
		refused(t, "write "+c.index, dependents.CheckWrite(ix), c.write)
	}
	as, err := audience.Of(db, "people")
	must(t, err)
	must(t, as.Forget(t.Context(), "young"))
	refused(t, "drop people with its query", dependents.CheckDrop(t.Context(), db, "people"), `query "swiss"`)
	must(t, standing.Drop(t.Context(), db, "people", "swiss"))
	refused(t, "drop people with nothing", dependents.CheckDrop(t.Context(), db, "people"), "")
	must(t, db.DropIndex(t.Context(), "people"))
	refused(t, "drop the results of what is gone", dependents.CheckDrop(t.Context(), db, "standing_people"), "")
	if err := dependents.CheckDrop(t.Context(), db, "none"); !errors.Is(err, uproar.ErrUnknownIndex) {
		t.Errorf("an index that there is not: got %v", err)
	}
}

// TestNamesThatAreTaken: no index, alias or record has a name that an application needs for another
// one.
func TestNamesThatAreTaken(t *testing.T) {
	empty, err := uproar.Open(t.Context(), memstore.New(), nil)
	must(t, err)
	t.Cleanup(func() { must(t, empty.Close()) })
	for name, why := range map[string]string{"people": "", graph.IndexName: "follow", audience.Definitions: "audiences",
		standing.Definitions: "standing queries", "standing_people": "standing queries"} {
		refused(t, "import into the new "+name, importError(empty, name), why)
		refused(t, "new index "+name, dependents.CheckName(empty, name), why)
		refused(t, "alias "+name, dependents.CheckAlias(t.Context(), empty, name, "people"), why)
	}
	db := newDB(t)
	for index, why := range map[string]string{"free": "", graph.IndexName: "", audience.Definitions: "audiences",
		standing.Definitions: "standing queries", "standing_people": "standing queries", "prices": "catalog"} {
		refused(t, "import into "+index, importError(db, index), why)
	}
	refused(t, "an index that there is", dependents.CheckName(db, graph.IndexName), "")
	refused(t, "alias prices", dependents.CheckAlias(t.Context(), db, "prices", "free"), "catalog")
	refused(t, "alias other", dependents.CheckAlias(t.Context(), db, "other", "free"), "")
	must(t, db.SetAlias(t.Context(), "now", "people"))
	refused(t, "alias now of nothing", dependents.CheckAlias(t.Context(), db, "now", ""), "")
	must(t, standing.Set(t.Context(), db, "now", "young", "age < 30"))
	refused(t, "alias now of another index", dependents.CheckAlias(t.Context(), db, "now", "free"), "")
	refused(t, "alias now of nothing, with a query", dependents.CheckAlias(t.Context(), db, "now", ""), `query "young"`)
	accounts, err := db.Index(graph.IndexName)
	must(t, err)
	people, err := db.Index("people")
	must(t, err)
	long := strings.Repeat("x", 10_000)
	if err := dependents.CheckKey(accounts, long); err == nil {
		t.Error("an account with a name of 10 000 bytes: got no error")
	}
	refused(t, "an account", dependents.CheckKey(accounts, "ann"), "")
	refused(t, "a person", dependents.CheckKey(people, long), "")
}

// TestValuesOfApplications: what changes with more than itself changes by its application alone.
func TestValuesOfApplications(t *testing.T) {
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	must(t, err)
	t.Cleanup(func() { must(t, db.Close()) })
	_, err = graph.OpenWith(t.Context(), db, graph.Options{Keyed: []graph.Relation{graph.Follows}})
	must(t, err)
	_, err = db.CreateIndex(t.Context(), "redis", uproar.Field{Name: "sets", Type: uproar.Set},
		uproar.Field{Name: "type", Type: uproar.Single}, uproar.Field{Name: "expires", Type: uproar.Integer},
		uproar.Field{Name: "timed", Type: uproar.Set})
	must(t, err)
	const graphCall = "POST /v1/graph/write"
	for _, c := range []struct{ index, field, why string }{
		{"accounts", "follows", graphCall}, {"accounts", "followers", graphCall}, {"accounts", "blocks", ""},
		{"accounts", "blockers", ""}, {"accounts", "hidden", graphCall}, {"accounts", "position", graphCall},
		{"accounts", "repeated", graphCall}, {"accounts", "repeated_by", graphCall}, {"accounts", "other", ""},
		{"redis", "sets", ""}, {"redis", "type", "EXPIRE"}, {"redis", "expires", "EXPIRE"},
		{"redis", "timed", "EXPIRE"},
	} {
		ix, err := db.Index(c.index)
		must(t, err)
		refused(t, c.index+"."+c.field, dependents.CheckChange(ix, c.field), c.why)
		table, err := dependents.CheckImport(db, c.index)
		must(t, err)
		refused(t, "table: "+c.index+"."+c.field, table.Field(c.field), c.why)
	}
	sets, err := db.Index("redis")
	must(t, err)
	if got := dependents.Application(sets); got != "redis" {
		t.Errorf("application of the sets: got %q, want redis", got)
	}
	for key, why := range map[string]string{"m": "", `\:x`: "", `\!s`: "command of Redis",
		`\@1:sm`: "command of Redis"} {
		refused(t, key, dependents.CheckKey(sets, key), why)
	}
}

// importError returns why tables cannot be imported into an index.
func importError(db *uproar.DB, name string) error {
	_, err := dependents.CheckImport(db, name)
	return err
}
