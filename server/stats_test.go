// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server_test

import (
	"encoding/json"
	"testing"

	"github.com/uproar-db/uproar/api"
)

// TestStats: the figures are those of the indexes that were asked for; kinds only if asked for.
func TestStats(t *testing.T) {
	s := newSite(t, nil)
	s.addPeople()
	s.do("POST", "/v1/graph/follow", `{"account":"alice","target":"bob"}`, "Content-Type", "application/json")
	read := func(path string) (r api.StatsReply) {
		t.Helper()
		resp, text := s.do("GET", path, "")
		if err := json.Unmarshal([]byte(text), &r); err != nil || resp.StatusCode != 200 {
			t.Fatalf("%s: got %d %s, %v", path, resp.StatusCode, text, err)
		}
		return r
	}
	all := read("/v1/stats")
	if len(all.Indexes) < 2 || all.Memory.Limit == 0 || all.Memory.Used < all.Memory.Indexes {
		t.Errorf("got %+v, want all indexes, and memory", all)
	}
	one := read("/v1/stats?index=people&kinds=true")
	if len(one.Indexes) != 1 || one.Indexes[0].Name != "people" || one.Indexes[0].Records != 5 {
		t.Fatalf("got %+v, want people with 5 records", one.Indexes)
	}
	if text, _ := json.Marshal(one.Indexes[0].Declared); string(text) != `[`+
		`{"name":"likes","type":"set","values":"keys","column":"fast"},`+
		`{"name":"city","type":"single","values":"keys","column":"value"},`+
		`{"name":"sex","type":"single","values":"keys","column":"value"},`+
		`{"name":"age","type":"integer","values":"integers","column":"value","format":"number"}]` {
		t.Errorf("got fields %s", text)
	}
	s.check("GET", "/v1/stats?index=none", "", 404, `{"error":{"code":"unknown_index","message":"unknown index \"none\""}}`)
	s.check("GET", "/v1/stats?index=", "", 400,
		`{"error":{"code":"invalid_request","message":"parameter \"index\" is empty"}}`)
}

// TestCommits: commits are counted from the first of each index, whose number is far above those of
// indexes that were dropped.
func TestCommits(t *testing.T) {
	s := newSite(t, nil)
	write := func(index, key string) {
		t.Helper()
		if resp, text := s.do("POST", "/v1/records/write", `{"index":"`+index+`","puts":[{"key":"`+key+`"}]}`,
			"Content-Type", "application/json"); resp.StatusCode != 200 {
			t.Fatalf("write %s: got %d %s", index, resp.StatusCode, text)
		}
	}
	want := func(name string, above, commits uint64) {
		t.Helper()
		var stats api.StatsReply
		var list api.IndexesReply
		for path, into := range map[string]any{"/v1/stats?index=" + name: &stats, "/v1/indexes?index=" + name: &list} {
			_, text := s.do("GET", path, "")
			if err := json.Unmarshal([]byte(text), into); err != nil {
				t.Fatalf("%s: got %s, %v", path, text, err)
			}
		}
		if x := stats.Indexes[0]; x.Commits != commits || x.Sequence != above+commits {
			t.Errorf("stats of %s: got %d commits, the last %d, want %d, %d", name, x.Commits, x.Sequence, commits,
				above+commits)
		}
		if x := list.Indexes[0]; x.Commits != commits || x.Sequence != above+commits {
			t.Errorf("indexes of %s: got %d commits, the last %d, want %d, %d", name, x.Commits, x.Sequence, commits,
				above+commits)
		}
	}
	create := func(name string) {
		t.Helper()
		if resp, text := s.do("POST", "/v1/indexes/create", `{"index":"`+name+`"}`, "Content-Type",
			"application/json"); resp.StatusCode != 200 {
			t.Fatalf("create %s: got %d %s", name, resp.StatusCode, text)
		}
	}
	create("first")
	write("first", "a")
	write("first", "b")
	want("first", 0, 2)
	create("second")
	want("second", 0, 0)
	write("second", "a")
	want("second", 0, 1)
	s.do("POST", "/v1/indexes/drop", `{"index":"first"}`, "Content-Type", "application/json")
	create("first")
	want("first", 1_000_000, 0)
	write("first", "a")
	want("first", 1_000_000, 1)
}

// TestCatalogCheck: faults are listed in their order, and whether there are more of them.
func TestCatalogCheck(t *testing.T) {
	s := newSite(t, nil)
	s.addDiscounts()
	const first = `{"kind":"ambiguous","key":"bulk","other":"trade",` +
		`"message":"ambiguous: bulk and trade fit the same search, and neither counts more"}`
	s.check("GET", "/v1/catalog/check?catalog=discounts", "", 200, `{"faults":[`+first+
		`,{"kind":"ambiguous","key":"both","other":"sale",`+
		`"message":"ambiguous: both and sale fit the same search, and neither counts more"}]}`)
	s.check("GET", "/v1/catalog/check?catalog=discounts&limit=1", "", 200, `{"faults":[`+first+`],"more":true}`)
	s.check("GET", "/v1/catalog/check?catalog=discounts&limit=2", "", 200,
		`{"faults":[`+first+`,{"kind":"ambiguous","key":"both","other":"sale",`+
			`"message":"ambiguous: both and sale fit the same search, and neither counts more"}]}`)
	s.check("GET", "/v1/catalog/check?catalog=none", "", 404,
		`{"error":{"code":"unknown_index","message":"unknown catalog \"none\""}}`)
}
