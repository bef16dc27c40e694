// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"context"
	"errors"
	"iter"
	"reflect"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/store/memstore"
)

// TestClosedSnapshot calls each method of a closed snapshot, and of a selection of it. The methods
// that read return ErrClosed, whatever another snapshot of the same state does.
func TestClosedSnapshot(t *testing.T) {
	ctx := t.Context()
	db, err := uproar.Open(ctx, memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	ix, err := db.CreateIndex(ctx, "people", uproar.Field{Name: "age", Type: uproar.Integer},
		uproar.Field{Name: "city", Type: uproar.Single}, uproar.Field{Name: "follows", Type: uproar.Relation,
			Inverse: "followers"})
	if err != nil {
		t.Fatal(err)
	}
	var b uproar.Batch
	b.SetInt("age", "ann", 30)
	b.Set("city", "ann", "Oslo")
	b.Set("follows", "ann", "bob")
	if _, err := ix.Write(ctx, &b); err != nil {
		t.Fatal(err)
	}
	closed, open := ix.Snapshot(), ix.Snapshot()
	defer open.Close()
	row, ok, err := closed.RowID("city", "Oslo")
	if !ok || err != nil {
		t.Fatal(ok, err)
	}
	of, err := closed.Select(ctx, query.All{})
	if err != nil {
		t.Fatal(err)
	}
	under := closed.Under(ctx)
	closed.Close()
	later := ix.Snapshot()
	defer later.Close()

	// Arguments of each type; the fields of "age" and "follows" are asked for by name.
	query1 := query.Equal{Field: "city", Value: "Oslo"}
	arguments := func(method string, in reflect.Type, i int) any {
		switch in {
		case reflect.TypeFor[context.Context]():
			return ctx
		case reflect.TypeFor[query.Expr]():
			return query1
		case reflect.TypeFor[string]():
			field := map[string]string{"Int": "age", "IntOf": "age", "Numbers": "age", "Rows": "follows"}[method]
			switch {
			case i == 0 && (method == "ID" || method == "Contains"), method == "Contains", i == 1 &&
				(method == "Int" || method == "Value" || method == "Has"):
				return "ann"
			case i > 0:
				return "Oslo"
			case field != "":
				return field
			}
			return "city"
		case reflect.TypeFor[uproar.RowID]():
			return row
		case reflect.TypeFor[[]uproar.RowID]():
			return []uproar.RowID{row}
		case reflect.TypeFor[[]uint64]():
			return []uint64{0}
		case reflect.TypeFor[[]query.Related]():
			return []query.Related{{Field: "follows", Key: "ann"}}
		case reflect.TypeFor[uproar.Nearness]():
			return uproar.Nearness{Of: query.All{}, Field: "follows", Limit: 1}
		case reflect.TypeFor[[]string]():
			return []string{"city"}
		case reflect.TypeFor[[]uproar.Order]():
			return []uproar.Order{{Field: "city"}}
		case reflect.TypeFor[[][]string]():
			return [][]string{{"city"}}
		}
		return reflect.Zero(in).Interface()
	}
	unread := map[string]bool{"IDs": true, "View": true, "Len": true, "Sample": true} // of a selection: in memory
	read := 0
	for name, value := range map[string]any{"Snapshot": closed, "Snapshot.Under": under, "Selection": of} {
		v := reflect.ValueOf(value)
		for i := range v.NumMethod() {
			method := v.Type().Method(i).Name
			call, result := v.Method(i), error(nil)
			if name == "Selection" && unread[method] || method == "Close" {
				continue
			}
			var in []reflect.Value
			texts := 0
			for j := range call.Type().NumIn() {
				a := arguments(method, call.Type().In(j), texts)
				if call.Type().In(j).Kind() == reflect.String {
					texts++
				}
				if a == nil {
					in = append(in, reflect.Zero(call.Type().In(j)))
				} else {
					in = append(in, reflect.ValueOf(a))
				}
			}
			var out []reflect.Value
			if call.Type().IsVariadic() {
				out = call.CallSlice(in)
			} else {
				out = call.Call(in)
			}
			if len(out) == 0 {
				continue
			}
			switch last := out[len(out)-1].Interface().(type) {
			case error:
				result = last
			case iter.Seq2[uproar.Row, error]:
				for _, err := range last {
					result = err
				}
			case nil:
			default:
				continue // it reads nothing
			}
			if read++; !errors.Is(result, uproar.ErrClosed) {
				t.Errorf("%s.%s: got %v, want ErrClosed", name, method, result)
			}
		}
	}
	if read < 45 {
		t.Errorf("%d methods were called, want 45 or more", read)
	}
	if n, err := open.Count(ctx, query1); n != 1 || err != nil {
		t.Errorf("the snapshot beside it: got %d, %v, want 1", n, err)
	}
	if n, err := later.Count(ctx, query.All{}); n != 2 || err != nil {
		t.Errorf("the next snapshot: got %d, %v, want 2", n, err)
	}
	for name, q := range map[string]query.Expr{"all": query.All{}, "nothing": query.Nothing{},
		"unknown value": query.Equal{Field: "city", Value: "Rome"}} {
		if n, err := closed.Count(ctx, q); !errors.Is(err, uproar.ErrClosed) {
			t.Errorf("Count of %s: got %d, %v, want ErrClosed", name, n, err)
		}
	}
}
