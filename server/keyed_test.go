// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server_test

import "testing"

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
