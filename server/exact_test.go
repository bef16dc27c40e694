// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server_test

import (
	"testing"

	"github.com/uproar-db/uproar"
)

// TestExactSums has sums that neither a float64 nor an int64 holds.
func TestExactSums(t *testing.T) {
	s := newSite(t, nil)
	ix, err := s.db.CreateIndex(t.Context(), "sums", uproar.Field{Name: "n", Type: uproar.Integer},
		uproar.Field{Name: "cents", Type: uproar.Integer, Scale: 2}, uproar.Field{Name: "tiny", Type: uproar.Integer,
			Scale: 18})
	if err != nil {
		t.Fatal(err)
	}
	var b uproar.Batch
	for key, values := range map[string][3]string{"a": {"9223372036854775807", "92233720368547758.07",
		"5.000000000000000001"},
		"b": {"9223372036854775807", "0.01", "5.000000000000000001"}} {
		b.Set("n", key, values[0])
		b.Set("cents", key, values[1])
		b.Set("tiny", key, values[2])
	}
	if _, err := ix.Write(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	s.check("POST", "/v1/answers", `{"index":"sums","q":"all","answers":[{"name":"n","answer":"numbers","field":"n"},`+
		`{"name":"c","answer":"numbers","field":"cents"},{"name":"t","answer":"numbers","field":"tiny"}]}`, 200,
		`{"records":2,"answers":[{"name":"n","count":2,"sum":18446744073709551614,"mean":9223372036854776000,"min":9223372036854775807,"max":9223372036854775807},`+
			`{"name":"c","count":2,"sum":92233720368547758.08,"mean":46116860184273880,"min":0.01,"max":92233720368547758.07},`+
			`{"name":"t","count":2,"sum":10.000000000000000002,"mean":5,"min":5.000000000000000001,"max":5.000000000000000001}]}`)
}

// TestLookupOfGreatIDs asks for IDs that no account can have.
func TestLookupOfGreatIDs(t *testing.T) {
	s := newSite(t, nil)
	s.check("POST", "/v1/graph/follow", `{"follows":[{"account":"a","target":"b"}]}`, 200, `{"sequence":1}`)
	s.check("POST", "/v1/graph/lookup", `{"ids":[9223372036854775808,0,18446744073709551615,9223372036854775807]}`, 200,
		`{"accounts":[{"account":null,"id":9223372036854775808},{"account":"a","id":0},{"account":null,"id":18446744073709551615},{"account":null,"id":9223372036854775807}]}`)
	for _, id := range []string{"18446744073709551616", "-1", "1.5", "1e3", `"1"`} {
		if r, reply := s.do("POST", "/v1/graph/lookup", `{"ids":[`+id+`]}`, "Content-Type",
			"application/json"); r.StatusCode != 400 {
			t.Errorf("ID %s: got %d %s, want 400", id, r.StatusCode, reply)
		}
	}
}
