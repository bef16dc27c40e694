// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/server"
)

// TestPartialAnswers: of many questions whose answers have no room together, the first are
// answered, and the others are refused one by one, whatever their number.
func TestPartialAnswers(t *testing.T) {
	s := newSite(t, &server.Options{AnswerBytes: 16 << 20}) // that of 64 MiB: 2 MiB for one reply
	many := make([]string, 8200)
	for i := range many {
		many[i] = fmt.Sprintf("m%080d>hub", i)
	}
	s.follow(strings.Join(many, " "))
	s.addCatalog("long", `{"key":"id","attributes":[{"name":"a"},{"name":"b"}]}`,
		"id,a,b\nx,1,"+strings.Repeat("z", 4000)+"\n")
	calls := make([]string, api.MaxCalls)
	for i := range calls {
		calls[i] = "/v1/graph/followers?account=hub&limit=10000"
	}
	batch, _ := json.Marshal(api.BatchRequest{Calls: calls})
	searches := `{"catalog":"long","show":["b"],"brief":true,"searches":[` + strings.Repeat(`{"a":"1"},`, 9999) +
		`{"a":"1"}]}`
	for path, body := range map[string]string{"/v1/batch": string(batch), "/v1/catalog/search": searches} {
		resp, got := s.do("POST", path, body)
		var r struct {
			Answers []struct{ Error *api.Error }
		}
		if err := json.Unmarshal([]byte(got), &r); err != nil || resp.StatusCode != 200 {
			t.Errorf("%s: got %d %.300s, want answers", path, resp.StatusCode, got)
			continue
		}
		refused := 0
		for _, a := range r.Answers {
			if a.Error != nil {
				refused++
			}
		}
		if r.Answers[0].Error != nil || refused == 0 || len(got) > 2<<20 {
			t.Errorf("%s: got %d bytes and %d of %d refused, want some refused, and not the first", path, len(got),
				refused, len(r.Answers))
		}
	}
}
