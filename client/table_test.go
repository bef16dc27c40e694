// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package client_test

import (
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/client"
)

// tables imports tables into indexes.
func tables(t *testing.T, s *site) {
	t.Helper()
	ctx := t.Context()
	const table = "id,zip,n\na,0042,1\nb,0043,2\n"
	load := func(index, table string, opts client.TableImportOptions) (api.TableImportReply, error) {
		return s.Import(ctx, index, strings.NewReader(table), opts)
	}
	checked, err := load("pets", table, client.TableImportOptions{Check: true})
	check(t, "Import of a table that is only checked", checked.Records, err, 2)
	made, err := load("pets", table, client.TableImportOptions{})
	check(t, "Import of a table", made.Records, err, 2)
	want := api.TableSchema{Key: "id", Columns: []api.TableColumn{{Name: "zip", Type: "single"},
		{Name: "n", Type: "integer"}}}
	if !reflect.DeepEqual(made.Schema, want) || len(made.Fields) != 2 {
		t.Errorf("Import of a table: got %+v, want the schema %+v", made, want)
	}
	again, err := load("pets", `{"nr":"c","n":3,"x":1}`, client.TableImportOptions{Key: "nr", Format: "ndjson",
		Ignore: true, Null: []string{"?"}})
	check(t, "Import of objects", again.Values, err, 1)
	given, err := load("given", "id;n\na;1.5\nb;x\n", client.TableImportOptions{Separator: "semicolon", MaxBad: 0.5,
		Schema: &api.TableSchema{Key: "id", Columns: []api.TableColumn{{Name: "n", Type: "decimal", Scale: 1}}}})
	check(t, "Import with a schema", given.Bad, err, 1)
	for _, opts := range []client.TableImportOptions{{}, {Strict: true, MaxBad: 1}} {
		if _, err := load("pets", "id,n\nd,4\ne,five\n", opts); !errors.Is(err, client.ErrInvalid) ||
			!strings.Contains(err.Error(), "line 3, column n") {
			t.Errorf("Import of a bad value: got %v", err)
		}
	}
	broken := errors.New("no more of it")
	if _, err := s.Import(ctx, "pets", io.MultiReader(strings.NewReader(table), iotest.ErrReader(broken)),
		client.TableImportOptions{}); !errors.Is(err, broken) {
		t.Errorf("Import of a table that breaks off: got %v", err)
	}
	n, err := s.Count(ctx, "pets", "any(n)")
	check(t, "Count of what was imported", n, err, 3)
}
