// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server_test

import "testing"

// TestFields: fields are listed, dropped and added while their index is there to be asked; a request that cannot be changes nothing.
func TestFields(t *testing.T) {
	s := newSite(t, nil)
	s.addPeople()
	const before = `{"fields":[{"name":"likes","type":"set","column":"fast"},{"name":"city","type":"single"},{"name":"sex","type":"single"},{"name":"age","type":"integer"}]}`
	s.check("GET", "/v1/fields?index=people", "", 200, before)
	for body, want := range map[string]string{
		`{"index":"people"}`:                                   `{"error":{"code":"invalid_request","message":"got nothing to drop or to add, want \"drop\" or \"add\""}}`,
		`{"drop":["city"]}`:                                    `{"error":{"code":"invalid_request","message":"\"index\" is missing or empty"}}`,
		`{"index":"people","drop":["city","city"]}`:            `{"error":{"code":"invalid_request","message":"drop: got \"city\" twice"}}`,
		`{"index":"people","add":[{"name":"x","type":"bag"}]}`: "",
	} {
		if want == "" {
			if answer, text := s.do("POST", "/v1/fields", body); answer.StatusCode != 400 {
				t.Errorf("%s: got %d, %s, want 400", body, answer.StatusCode, text)
			}
			continue
		}
		s.check("POST", "/v1/fields", body, 400, want)
	}
	s.check("POST", "/v1/fields", `{"index":"people","drop":["city","ctiy"]}`, 400, `{"error":{"code":"unknown_field","message":"index \"people\": unknown field \"ctiy\""}}`)
	s.check("POST", "/v1/fields", `{"index":"pepole","drop":["city"]}`, 404, `{"error":{"code":"unknown_index","message":"unknown index \"pepole\": did you mean \"people\"?"}}`)
	s.check("GET", "/v1/fields?index=people", "", 200, before)

	const after = `{"fields":[{"name":"likes","type":"set","column":"fast"},{"name":"sex","type":"single"},{"name":"age","type":"integer"},{"name":"city","type":"set","column":"small"},` +
		`{"name":"born","type":"integer","format":"date"},{"name":"balance","type":"integer","scale":2},{"name":"knows","type":"relation","inverse":"known"},{"name":"known","type":"relation","inverse":"knows"}]}`
	s.check("POST", "/v1/fields", `{"index":"people","drop":["city"],"add":[{"name":"city","type":"set","column":"small"},{"name":"born","type":"integer","format":"date"},{"name":"balance","type":"integer","scale":2},{"name":"knows","type":"relation","inverse":"known"}]}`, 200, after)
	s.check("GET", "/v1/fields?index=people", "", 200, after)
	s.check("GET", "/v1/audience/size?index=people&q=any(city)", "", 200, `{"records":0,"of":5,"share":0}`)
	s.check("POST", "/v1/fields", `{"index":"people","drop":["known"]}`, 400, `{"error":{"code":"invalid_request","message":"invalid: drop: got \"known\", the inverse of \"knows\", which is dropped with it"}}`)
	s.check("POST", "/v1/fields", `{"index":"people","add":[{"name":"born","type":"integer","format":"date"}]}`, 200, after)
}
