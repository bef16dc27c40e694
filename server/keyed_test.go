// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server_test

import (
	"strings"
	"testing"
)

// TestRecordsOverHTTP: a graph whose first write has a key keeps keys, and is written to by them.
func TestRecordsOverHTTP(t *testing.T) {
	s := newEmptySite(t)
	const write = "/v1/graph/write"
	s.check("POST", write, `{"changes":[
		{"op":"set","relation":"follows","account":"a","target":"b","key":"3m6i4wtqkuf2l"},
		{"op":"set","relation":"follows","account":"a","target":"b","key":"self"},
		{"op":"set","relation":"follows","account":"a","target":"c","key":"3m6i4wtqkuf3l"}],
		"stream":"network","position":7}`, 200, `{"sequence":1}`)
	s.check("POST", write, `{"changes":[{"op":"clear","relation":"follows","account":"a","key":"self"},
		{"op":"clear","relation":"follows","account":"a","key":"3m6i4wtqkuf3l"},
		{"op":"clear","relation":"follows","account":"nobody","key":"x"}]}`, 200, `{"sequence":2}`)
	s.check("GET", "/v1/graph/following?account=a", "", 200, `{"accounts":["b"]}`)
	s.check("POST", write, `{"changes":[{"op":"replace","relation":"follows","account":"a","edges":[
		{"target":"d","key":"3m6i4wtqkuf4l"},{"target":"b","key":"3m6i4wtqkuf2l"}]},
		{"op":"hide","account":"d"}]}`, 200, `{"sequence":3}`)
	s.check("GET", "/v1/graph/following?account=a", "", 200, `{"accounts":["b"]}`)
	s.check("GET", "/v1/graph/following?account=a&count=true", "", 200, `{"count":2}`)
	s.check("POST", write, `{"changes":[{"op":"show","account":"d"}]}`, 200, `{"sequence":4}`)
	s.check("GET", "/v1/graph/following?account=a", "", 200, `{"accounts":["b","d"]}`)
	s.check("POST", write, `{"changes":[{"op":"replace","relation":"follows","account":"a"}]}`, 200, `{"sequence":5}`)
	s.check("GET", "/v1/graph/following?account=a", "", 200, `{"accounts":[]}`)
	s.check("POST", write, `{"changes":[{"op":"set","relation":"follows","account":"a","target":"e","key":"3m6i4wtqkuf5l"}]}`,
		200, `{"sequence":6}`)
	s.check("POST", "/v1/graph/unfollow", `{"account":"a","target":"e"}`, 200, `{"sequence":7}`)
	s.check("GET", "/v1/graph/following?account=a", "", 200, `{"accounts":[]}`)
	s.check("POST", write, `{"changes":[{"op":"set","relation":"follows","account":"a","target":"e"},
		{"op":"clear","relation":"follows","account":"a","key":"3m6i4wtqkuf5l"}]}`, 200, `{"sequence":8}`)
	s.check("GET", "/v1/graph/following?account=a", "", 200, `{"accounts":["e"]}`)
	for _, body := range []string{
		`{"op":"replace","relation":"follows","account":"a","edges":[{"target":"b","key":"x"},{"target":"c","key":"x"}]}`,
		`{"op":"set","relation":"mutes","account":"a","target":"b","key":"x"}`,
		`{"op":"clear","relation":"follows","account":"a","target":"b","key":"x"}`,
		`{"op":"hide","relation":"follows","account":"a"}`,
		`{"op":"set","relation":"follows","account":"a","target":"","key":"x"}`} {
		if resp, reply := s.do("POST", write, `{"changes":[`+body+`]}`); resp.StatusCode != 400 {
			t.Errorf("%s: got %d %s, want 400", body, resp.StatusCode, reply)
		}
	}
	plain := newSite(t, nil)
	plain.check("POST", "/v1/graph/follow", `{"account":"a","target":"b"}`, 200, `{"sequence":1}`)
	if resp, reply := plain.do("POST", write, `{"changes":[{"op":"set","relation":"follows","account":"a","target":"b",
		"key":"x"}]}`); resp.StatusCode != 400 {
		t.Errorf("a graph without keys: got %d %s, want 400", resp.StatusCode, reply)
	}
}

// TestHiddenFirst: a graph whose first write hides an account keeps keys.
func TestHiddenFirst(t *testing.T) {
	s := newEmptySite(t)
	const write = "/v1/graph/write"
	s.check("POST", write, `{"changes":[{"op":"hide","account":"a"}]}`, 200, `{"sequence":1}`)
	s.check("POST", write, `{"changes":[{"op":"set","relation":"follows","account":"b","target":"a","key":"3m6i4wtqkuf2l"}]}`,
		200, `{"sequence":2}`)
	s.check("GET", "/v1/graph/following?account=b", "", 200, `{"accounts":[]}`)
}

// askEdges writes records, and asks for lists by time and for keys of edges.
func (s *site) askEdges() {
	s.t.Helper()
	s.check("POST", "/v1/graph/write", `{"changes":[
		{"op":"set","relation":"follows","account":"a","target":"b","key":"3m6i4wtqkuf2l"},
		{"op":"set","relation":"follows","account":"a","target":"c","key":"3m6i4wtqkuf3l"},
		{"op":"set","relation":"follows","account":"a","target":"b","key":"3m6i4wtqkuf4l"},
		{"op":"set","relation":"follows","account":"a","target":"d","key":"self"},
		{"op":"set","relation":"follows","account":"c","target":"a","key":"3m6i4wtqkuf5l"},
		{"op":"set","relation":"blocks","account":"a","target":"d","key":"3m6i4wtqkuf6l"},
		{"op":"set","relation":"blocks","account":"b","target":"a","key":"3m6i4wtqkuf7l"},
		{"op":"set","relation":"mutes","account":"a","target":"c"},
		{"op":"set","relation":"members","account":"l","target":"a","key":"3m6i4wtqkufal"}]}`, 200, `{"sequence":1}`)
	const list = "/v1/graph/following?account=a&order="
	s.check("GET", list+"newest&keys=true", "", 200,
		`{"accounts":["c","b","d"],"keys":["3m6i4wtqkuf3l","3m6i4wtqkuf2l","self"]}`)
	s.check("GET", list+"oldest", "", 200, `{"accounts":["d","b","c"]}`)
	s.check("GET", list+"newest&limit=1", "", 200, `{"accounts":["c"],"cursor":"1764100801250__3m6i4wtqkuf3l"}`)
	s.check("GET", list+"newest&limit=1&cursor=1764100801250__3m6i4wtqkuf3l", "", 200,
		`{"accounts":["b"],"cursor":"1764100801250__3m6i4wtqkuf2l"}`)
	s.check("GET", list+"newest&limit=1&cursor=1764100801250__3m6i4wtqkuf2l", "", 200, `{"accounts":["d"]}`)
	s.check("GET", "/v1/graph/members?account=l&order=oldest&keys=true", "", 200,
		`{"accounts":["a"],"keys":["3m6i4wtqkufal"]}`)
	s.check("GET", "/v1/graph/blocks?account=c&order=oldest&keys=true", "", 200, `{"accounts":[]}`)
	s.check("POST", "/v1/graph/edges", `{"account":"a","targets":["b","c","d","zoe","b"],"lists":["l","m"]}`, 200,
		`{"edges":[`+
			`{"following":"3m6i4wtqkuf2l","followedBy":"","blocking":"","blockedBy":"3m6i4wtqkuf7l","muting":false},`+
			`{"following":"3m6i4wtqkuf3l","followedBy":"3m6i4wtqkuf5l","blocking":"","blockedBy":"","muting":true},`+
			`{"following":"self","followedBy":"","blocking":"3m6i4wtqkuf6l","blockedBy":"","muting":false},`+
			`{"following":"","followedBy":"","blocking":"","blockedBy":"","muting":false},`+
			`{"following":"3m6i4wtqkuf2l","followedBy":"","blocking":"","blockedBy":"3m6i4wtqkuf7l","muting":false}],`+
			`"lists":["3m6i4wtqkufal",""]}`)
	s.check("POST", "/v1/graph/edges", `{"account":"zoe","lists":["l"]}`, 200, `{"edges":[],"lists":[""]}`)
	s.check("POST", "/v1/graph/edges", `{"account":"zoe","targets":["a"]}`, 200,
		`{"edges":[{"following":"","followedBy":"","blocking":"","blockedBy":"","muting":false}],"lists":[]}`)
}

// TestEdgesOverHTTP: lists by time and keys of edges, and what cannot be asked.
func TestEdgesOverHTTP(t *testing.T) {
	s := newEmptySite(t)
	s.askEdges()
	const list = "/v1/graph/following?account="
	for _, c := range []struct{ method, path, body, code string }{
		{"GET", list + "a&order=first", "", "invalid_request"},
		{"GET", list + "a&order=", "", "invalid_request"},
		{"GET", list + "a&keys=true", "", "invalid_request"},
		{"GET", list + "a&order=newest&count=true", "", "invalid_request"},
		{"GET", list + "a&order=newest&viewer=b", "", "invalid_request"},
		{"GET", list + "a&order=newest&cursor=1::2", "", "invalid_cursor"},
		{"GET", list + "zoe&order=newest", "", "unknown_account"},
		{"GET", "/v1/graph/followers?account=a&order=newest", "", "invalid_request"},
		{"GET", "/v1/graph/mutes?account=a&order=newest", "", "invalid_request"},
		{"POST", "/v1/graph/edges", `{"targets":["a"]}`, "invalid_request"},
		{"POST", "/v1/graph/edges", `{"account":"a"}`, "invalid_request"},
		{"POST", "/v1/graph/edges", `{"account":"a","targets":[""]}`, "invalid_account"},
		{"POST", "/v1/graph/edges", `{"account":"a","lists":["l"` + strings.Repeat(`,"l"`, 100) + `]}`,
			"invalid_request"},
	} {
		resp, reply := s.do(c.method, c.path, c.body)
		if resp.StatusCode/100 != 4 || !strings.Contains(reply, `"`+c.code+`"`) {
			t.Errorf("%s %s: got %d %s, want %s", c.path, c.body, resp.StatusCode, reply, c.code)
		}
	}
	plain := newSite(t, nil)
	plain.check("POST", "/v1/graph/follow", `{"account":"a","target":"b"}`, 200, `{"sequence":1}`)
	for path, body := range map[string]string{list + "a&order=newest": "",
		"/v1/graph/edges": `{"account":"a","targets":["b"]}`} {
		method := "GET"
		if body != "" {
			method = "POST"
		}
		resp, reply := plain.do(method, path, body)
		if resp.StatusCode != 400 || !strings.Contains(reply, "keeps no keys") {
			t.Errorf("%s of a graph without keys: got %d %s", path, resp.StatusCode, reply)
		}
	}
}
