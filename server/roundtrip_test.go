// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/internal/export"
)

// nastyParts are what separators, quotes, escapes and blanks are told apart by.
var nastyParts = []string{"a", "b", "|", ";", ",", "\\", `"`, "\n", "\r\n", "\r", "\t", " ", "\u00a0", "\u2028",
	"\ufeff", "'", "null", "NULL", "0", "é", "\u0085", "sep=", "{", "[", "#", `\N`, `\.`, "\x00"}

// TestExportsComeBack: what an index has, whatever texts they are, comes back byte for byte when
// its export is imported into an index of the same fields.
func TestExportsComeBack(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 1))
	s := newSite(t, nil)
	const fields = `"fields":[{"name":"likes","type":"set"},{"name":"tags","type":"set","column":"fast"},` +
		`{"name":"city","type":"single"},{"name":"age","type":"integer"},` +
		`{"name":"paid","type":"integer","scale":2},{"name":"born","type":"integer","format":"date"}]`
	nasty := func() (text string) {
		for range 1 + rng.IntN(6) {
			text += nastyParts[rng.IntN(len(nastyParts))]
		}
		return text
	}
	for round := range 3 {
		from := fmt.Sprint("from", round)
		postTo(s, "/v1/indexes/create", `{"index":"`+from+`",`+fields+`}`)
		want := map[string]string{}
		write := api.RecordsWriteRequest{Index: from}
		for range 500 {
			values := map[string]any{}
			for _, field := range []string{"likes", "tags"} {
				// One value in most records, so that nothing shows that others are lists.
				list := []string{nasty(), nasty(), nasty()}[:max(rng.IntN(2), rng.IntN(4)*(rng.IntN(9)/8))]
				slices.Sort(list)
				if list = slices.Compact(list); len(list) > 0 {
					values[field] = list
				}
			}
			if rng.IntN(4) > 0 {
				values["city"] = nasty()
			}
			if rng.IntN(4) > 0 {
				values["age"], values["born"] = rng.Int64()-rng.Int64(), fmt.Sprintf("%d-02-03", 1000+rng.IntN(9000))
				values["paid"] = json.Number(fmt.Sprintf("%d.%02d", rng.IntN(1e9), rng.IntN(100)))
			}
			key := nasty() + fmt.Sprint(rng.IntN(1e9)) + nasty()
			r, err := api.ValuesOf(values)
			if err != nil {
				t.Fatal(err)
			}
			write.Puts = append(write.Puts, api.Record{Key: key, Values: r})
			want[key] = texts(t, r)
		}
		body, err := json.Marshal(write)
		if err != nil {
			t.Fatal(err)
		}
		postTo(s, "/v1/records/write", string(body))
		for _, media := range []string{export.CSV.Media(), export.TSV.Media(), export.Parquet.Media(),
			"application/x-ndjson"} {
			to := fmt.Sprintf("%s_%s", from, media[strings.LastIndexAny(media, "/.-")+1:])
			postTo(s, "/v1/indexes/create", `{"index":"`+to+`",`+fields+`}`)
			resp, table := s.do("POST", "/v1/records/find", `{"index":"`+from+`","q":"all"}`, "Accept", media)
			if resp.StatusCode != 200 {
				t.Fatalf("%s: got %d %s", media, resp.StatusCode, table)
			}
			resp, got := s.do("POST", "/v1/import?key=key&index="+to, table, "Content-Type", media)
			if resp.StatusCode != 200 {
				t.Fatalf("%s: got %d %s", media, resp.StatusCode, got)
			}
			compareRecords(t, s, to, want)
		}
	}
}

// texts returns the values of a record as JSON, with those of each list in order.
func texts(t *testing.T, values api.Values) string {
	t.Helper()
	plain := map[string]any{}
	for name, raw := range values {
		var v any
		if err := json.Unmarshal(raw, &v); err != nil {
			t.Fatal(err)
		}
		if list, ok := v.([]any); ok {
			slices.SortFunc(list, func(a, b any) int { return strings.Compare(a.(string), b.(string)) })
		} else if raw[0] != '"' {
			v = string(raw) // with all its digits
		}
		plain[name] = v
	}
	text, err := json.Marshal(plain)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// compareRecords compares all records of an index with those that are wanted.
func compareRecords(t *testing.T, s *site, index string, want map[string]string) {
	t.Helper()
	get := api.RecordsGetRequest{Index: index}
	for key := range want {
		get.Keys = append(get.Keys, key)
	}
	body, err := json.Marshal(get)
	if err != nil {
		t.Fatal(err)
	}
	var reply api.RecordsGetReply
	if err := json.Unmarshal([]byte(postTo(s, "/v1/records/get", string(body))), &reply); err != nil {
		t.Fatal(err)
	}
	for _, r := range reply.Records {
		if got := texts(t, r.Values); got != want[r.Key] {
			t.Errorf("%s, record %q: got %s, want %s", index, r.Key, got, want[r.Key])
		}
	}
	s.counts(index, fmt.Sprint(len(want), " all"))
}

// postTo asks a call with JSON, and returns its answer.
func postTo(s *site, path, body string) string {
	s.t.Helper()
	resp, got := s.do("POST", path, body, "Content-Type", "application/json")
	if resp.StatusCode != 200 {
		s.t.Fatalf("%s: got %d %.500s", path, resp.StatusCode, got)
	}
	return got
}
