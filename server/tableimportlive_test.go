// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server_test

import (
	"fmt"
	"io"
	"strings"
	"testing"
)

// TestTableImportBesideWrites writes records while a table with them arrives, as the documents say:
// what the import brings goes over values that are written meanwhile, other fields keep theirs, and
// a record that is deleted meanwhile stays away if its line was read long before, so that its key
// had a number, and comes back if it was not. An import that breaks off leaves what was written.
func TestTableImportBesideWrites(t *testing.T) {
	for _, whole := range []bool{true, false} {
		s := newSite(t, nil)
		post := func(path, body string) string {
			t.Helper()
			resp, got := s.do("POST", path, body)
			if resp.StatusCode != 200 {
				t.Fatalf("%s %s: got %d %s", path, body, resp.StatusCode, got)
			}
			return got
		}
		post("/v1/indexes/create", `{"index":"people","fields":[{"name":"age","type":"integer"},`+
			`{"name":"city","type":"single"},{"name":"tags","type":"set","column":"fast"}]}`)
		post("/v1/records/write", `{"index":"people","puts":[{"key":"ann","values":{"age":1,"tags":["a"]}},`+
			`{"key":"bob","values":{"age":1}},{"key":"dee","values":{"age":1}},{"key":"eve","values":{"age":1,"city":"Rome"}}]}`)
		part, end := s.beginImport(tableImportPath + "?index=people")
		_, _ = io.WriteString(part, "id,age,tags\nann,30,b\nbob,30,b\nnew,30,b\n")
		const fillers = 30_000 // whose keys are more than a load gathers before it gives them numbers
		for i := range fillers {
			_, _ = fmt.Fprintf(part, "filler%d%s,1,c\n", i, strings.Repeat("-", 450))
		}
		post("/v1/records/write", `{"index":"people","merges":[{"key":"ann","values":{"age":99,"city":"Bern"}},`+
			`{"key":"eve","values":{"age":98}}],"puts":[{"key":"new","values":{"age":77,"city":"Oslo"}}],`+
			`"deletes":["bob","dee"]}`)
		_, _ = io.WriteString(part, "dee,30,b\n")
		if got := end(whole); whole && got != 200 {
			t.Fatalf("got status %d, want 200", got)
		}
		want := `{"records":[{"key":"ann","values":{"age":30,"city":"Bern","tags":["a","b"]}},{"key":"bob","missing":true},` +
			`{"key":"dee","values":{"age":30,"tags":["b"]}},{"key":"eve","values":{"age":98,"city":"Rome"}},` +
			`{"key":"new","values":{"age":30,"city":"Oslo","tags":["b"]}}]`
		if !whole {
			want = `{"records":[{"key":"ann","values":{"age":99,"city":"Bern","tags":["a"]}},{"key":"bob","missing":true},` +
				`{"key":"dee","missing":true},{"key":"eve","values":{"age":98,"city":"Rome"}},` +
				`{"key":"new","values":{"age":77,"city":"Oslo"}}]`
		}
		got := post("/v1/records/get", `{"index":"people","keys":["ann","bob","dee","eve","new"]}`)
		if !strings.HasPrefix(got, want) {
			t.Errorf("whole %v: got  %s\nwant %s", whole, got, want)
		}
		if whole {
			s.counts("people", fmt.Sprint(fillers+4, " all"), "0 age = 99", "3 tags = b")
		}
	}
}
