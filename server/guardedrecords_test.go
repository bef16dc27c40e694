// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server_test

import (
	"strings"
	"testing"
)

// refusedRecords holds writes of records and tables to a refusal that names what to call instead.
func (s *site) refusedRecords(index, want string, bodies ...string) {
	s.t.Helper()
	for _, body := range bodies {
		resp, reply := s.do("POST", "/v1/records/write", `{"index":"`+index+`",`+body+`}`)
		if resp.StatusCode != 400 || !strings.Contains(reply, want) {
			s.t.Errorf("%s: got %d %s, want 400 with %s", body, resp.StatusCode, reply, want)
		}
	}
}

// TestRecordsOfGraph: what followers of a graph rely on is not changed as records.
func TestRecordsOfGraph(t *testing.T) {
	s := newEmptySite(t)
	s.check("POST", "/v1/graph/write", `{"changes":[
		{"op":"set","relation":"follows","account":"a","target":"b","key":"3m6i4wtqkuf2l"},
		{"op":"hide","account":"b"}],"stream":"network","position":7}`, 200, `{"sequence":1}`)
	s.refusedRecords("accounts", "/v1/graph/write",
		`"merges":[{"key":"network","values":{"position":9}}]`,
		`"merges":[{"key":"new","values":{"position":9}}]`,
		`"clears":[{"key":"network","fields":["position"]}]`,
		`"puts":[{"key":"network","values":{}}]`,
		`"deletes":["network"]`,
		`"merges":[{"key":"a","values":{"hidden":["hidden"]}}]`,
		`"clears":[{"key":"b","fields":["hidden"]}]`,
		`"rows":[{"field":"hidden","value":"hidden"}]`,
		`"merges":[{"key":"a","values":{"follows":["b","c"]}}]`,
		`"merges":[{"key":"c","values":{"followers":["a"]}}]`,
		`"clears":[{"key":"a","fields":["follows"]}]`,
		`"rows":[{"field":"follows","value":"b"}]`)
	for _, table := range []string{"id,position\nnetwork,9\n", "id,hidden\na,hidden\n"} {
		resp, reply := s.do("POST", "/v1/import?index=accounts", table, "Content-Type", "text/csv")
		if resp.StatusCode != 400 || !strings.Contains(reply, "/v1/graph/write") {
			t.Errorf("%q: got %d %s, want 400 with the call", table, resp.StatusCode, reply)
		}
	}
	s.check("POST", "/v1/records/get", `{"index":"accounts","keys":["network"]}`, 200,
		`{"records":[{"key":"network","values":{"position":7}}],"sequence":1}`)
	s.check("POST", "/v1/records/write", `{"index":"accounts","merges":[{"key":"network","values":{"position":"7"}},`+
		`{"key":"a","values":{"follows":["b"],"mutes":["c"]}}]}`, 200, `{"sequence":2}`)
	s.check("POST", "/v1/records/write", `{"index":"accounts","deletes":["c"]}`, 200, `{"sequence":3}`)
}

// TestRecordsOfEdgesWithKeys: an edge that is cleared goes with its keys.
func TestRecordsOfEdgesWithKeys(t *testing.T) {
	s := newEmptySite(t)
	resp, reply := s.do("POST", "/v1/indexes/create", `{"index":"people","fields":[{"name":"knows","type":"relation",`+
		`"inverse":"known","column":"keys"}]}`)
	if resp.StatusCode != 200 {
		t.Fatalf("got %d %s, want an index of edges with keys", resp.StatusCode, reply)
	}
	s.check("POST", "/v1/records/write", `{"index":"people","puts":[{"key":"a","values":{"knows":["b","c"]}}]}`, 200,
		`{"sequence":1}`)
	s.check("POST", "/v1/records/write", `{"index":"people","merges":[{"key":"a","values":{"knows":["c"]}},`+
		`{"key":"c","values":{"known":[]}}]}`, 200, `{"sequence":2}`)
	s.check("POST", "/v1/records/get", `{"index":"people","keys":["a"]}`, 200, `{"records":[{"key":"a","values":{}}],"sequence":2}`)
	s.refusedRecords("people", "clears", `"rows":[{"field":"knows","value":"b"}]`)
}

// TestRecordsOfSets: memberships of the sets of Redis' clients are written as records, and when
// they end is not.
func TestRecordsOfSets(t *testing.T) {
	s := newEmptySite(t)
	fields := `"fields":[{"name":"sets","type":"set"},{"name":"type","type":"single"},` +
		`{"name":"expires","type":"integer"},{"name":"timed","type":"set"}]`
	s.check("POST", "/v1/indexes/create", `{"index":"redis",`+fields+`}`, 200, `{"index":"redis",`+fields+`}`)
	if _, reply := s.do("GET", "/v1/indexes?index=redis", ""); !strings.Contains(reply, `"application":"redis"`) {
		t.Errorf("indexes: got %s, want the application", reply)
	}
	s.refusedRecords("redis", "command of Redis",
		`"puts":[{"key":"\\!s1","values":{}}]`,
		`"deletes":["\\@2:s1m"]`,
		`"merges":[{"key":"m","values":{"expires":1}}]`,
		`"merges":[{"key":"m","values":{"type":"hash"}}]`,
		`"merges":[{"key":"m","values":{"timed":["s1"]}}]`,
		`"rows":[{"field":"timed","value":"s1"}]`)
	s.check("POST", "/v1/records/write", `{"index":"redis","puts":[{"key":"m","values":{"sets":["s1","s2"]}},`+
		`{"key":"n","values":{"sets":["s1"]}}]}`, 200, `{"sequence":1}`)
	s.check("POST", "/v1/records/write", `{"index":"redis","rows":[{"field":"sets","value":"s2"}],"deletes":["n"]}`, 200,
		`{"sequence":2}`)
	for _, table := range []string{"id,expires\nm,9\n", "id,timed\nm,s1\n"} {
		resp, reply := s.do("POST", "/v1/import?index=redis", table, "Content-Type", "text/csv")
		if resp.StatusCode != 400 || !strings.Contains(reply, "command of Redis") {
			t.Errorf("%q: got %d %s, want 400", table, resp.StatusCode, reply)
		}
	}
	s.check("POST", "/v1/records/get", `{"index":"redis","keys":["m"]}`, 200,
		`{"records":[{"key":"m","values":{"sets":["s1"]}}],"sequence":2}`)
}
