// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestNotedFields: fields that the graph and its likes keep for themselves are neither dropped nor
// written to as values of records. A record that is put as it is stays as it is.
func TestNotedFields(t *testing.T) {
	s := newEmptySite(t)
	s.check("POST", "/v1/graph/write", `{"changes":[
		{"op":"set","relation":"follows","account":"a","target":"b","key":"3m6i4wtqkuf2l"},
		{"op":"set","relation":"follows","account":"a","target":"b","key":"self"},
		{"op":"set","relation":"follows","account":"a","target":"c","key":"other"}]}`, 200, `{"sequence":1}`)
	s.check("POST", "/v1/records/write", `{"index":"accounts","merges":[{"key":"a","values":{"repeated":["b"]}}]}`, 200,
		`{"sequence":1}`)
	refused := func(path, body, why string) {
		t.Helper()
		if resp, reply := s.do("POST", path, body); resp.StatusCode != 400 || !strings.Contains(string(reply), why) {
			t.Errorf("%s %s: got %d %s, want 400 since %s", path, body, resp.StatusCode, reply, why)
		}
	}
	for _, body := range []string{
		`"puts":[{"key":"a","values":{"follows":["b","c"]}}]`,
		`"puts":[{"key":"new","values":{"repeated":["b"]}}]`,
		`"merges":[{"key":"a","values":{"repeated":[]}}]`,
		`"merges":[{"key":"a","values":{"repeated":["b","c"]}}]`,
		`"merges":[{"key":"c","values":{"repeated_by":["a"]}}]`,
		`"clears":[{"key":"a","fields":["repeated"]}]`,
		`"clears":[{"key":"b","fields":["repeated_by"]}]`,
		`"rows":[{"field":"repeated","value":"a"}]`,
		`"rows":[{"field":"repeated_by","value":"b"}]`,
	} {
		refused("/v1/records/write", `{"index":"accounts",`+body+`}`, "of field")
	}
	s.check("POST", "/v1/likes/write", `{"changes":[{"account":"a","key":"k","subject":"feed"}]}`, 200, `{"sequence":4}`)
	for _, field := range []string{"follows", "hidden", "repeated", "repeated_by", "likers", "likes", "likeslots",
		"likeslotted"} {
		refused("/v1/fields", fmt.Sprintf(`{"index":"accounts","drop":[%q]}`, field), "need")
	}
	for _, field := range []string{"likers", "likes", "likeslots", "likeslotted"} {
		refused("/v1/records/write", fmt.Sprintf(`{"index":"accounts","merges":[{"key":"a","values":{%q:["b"]}}]}`, field),
			"of field")
	}
	s.check("GET", "/v1/graph/following?account=a", "", 200, `{"accounts":["b","c"]}`)
}
