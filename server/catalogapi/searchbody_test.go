// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package catalogapi

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/server/call"
)

// whole decodes a body in one piece, as decodeSearch does where it cannot be taken apart.
func whole(body string) (req searchRequest, ok bool) {
	err := call.DecodeText([]byte(body), &req.SearchRequest, call.JSONChecker{Of: reflect.TypeFor[api.SearchRequest]()})
	return req, err == nil
}

// like fails unless a body that was taken apart says what it says in one piece.
func like(t *testing.T, body string, req *searchRequest) {
	t.Helper()
	want, ok := whole(body)
	if !ok || len(req.Searches) != len(want.Searches) {
		t.Fatalf("%q: got %d searches, want %d, %v", body, len(req.Searches), len(want.Searches), ok)
	}
	for i := range want.Searches {
		if want.Searches[i] == nil {
			t.Fatalf("%q: search %d is null, want none", body, i)
		}
		got, err := req.appendConditions(nil, i)
		all, failed := want.appendConditions(nil, i)
		if !reflect.DeepEqual(got, all) || (err == nil) != (failed == nil) || err != nil &&
			err.Error() != failed.Error() {
			t.Errorf("%q: search %d: got %+v, %v, want %+v, %v", body, i, got, err, all, failed)
		}
	}
	around := req.SearchRequest
	around.Searches, want.Searches = nil, nil
	if !reflect.DeepEqual(around, want.SearchRequest) || len(req.wrong) > 0 {
		t.Errorf("%q: got %+v, want %+v", body, around, want.SearchRequest)
	}
}

// TestDecodePlain: bodies that are taken apart are those of searches that are all well, and are
// read as they are in one piece.
func TestDecodePlain(t *testing.T) {
	for body, plain := range map[string]bool{
		`{"catalog":"c","searches":[{"a":"x","b":"y"},{"a":"z"}],"limit":2}`:                   true,
		" {\n\t\"searches\" : [ { \"a\" : \"x\" } , { \"a\" : \"y\" } ] , \"show\":[\"a\"] } ": true,
		`{"searches":[{"a":{"in":["x","y"]},"b":{"from":"1","to":"2"}}]}`:                      true,
		`{"searches":[{"a":"\u00e9\"}"},{"é{":"[\\"}]}`:                                        true,
		`{"searches":[{"a":""}]}`:                       true,
		`{"searches":[{}]}`:                             true,
		`{"searches":[]}`:                               false,
		`{"searches":[null]}`:                           false,
		`{"searches":[{"a":"x"},]}`:                     false,
		`{"searches":[{"a":"x"} {"a":"x"}]}`:            false,
		`{"searches":[{"a":"x","a":"y"}]}`:              false,
		`{"searches":[{"a":"x",}]}`:                     false,
		`{"searches":[{"a":"x"}],"searches":[]}`:        false,
		`{"searches":[{"a":"searches"}]}`:               false, // by chance: it is read in one piece
		`{"catalog":"\"searches\":[{","searches":[{}]}`: true,
		`{"show":["searches"],"searches":[{}]}`:         false,
		`{"x":{"searches":[{}]}}`:                       false,
		`[{"searches":[{}]}]`:                           false,
		`{"searches":[{"a":1}]}`:                        false,
		`{"searches":[{"a":"x]}`:                        false,
		`{"searches":[{"a":"x"}]`:                       false,
		`{"searches":[{"a":"x"}]} x`:                    false,
		`{"searches":[{"a":"x"]]}`:                      false,
		`{"searches":[{"a":"` + "\x01" + `"}]}`:         false,
		`{"searches":[{"a":"` + "\xff" + `"}]}`:         false,
		`{"searches":[{"a":"\ud800"}]}`:                 false,
		`{"Searches":[{"a":"x"}]}`:                      false,
		`{"searches":[{"a":"x"}],"nothing":1}`:          false,
	} {
		var req searchRequest
		if got := req.decodePlain([]byte(body)); got != plain {
			t.Errorf("%s: taken apart %v, want %v", body, got, plain)
		} else if got {
			like(t, body, &req)
		}
	}
}

// FuzzDecodePlain compares what is taken apart with what is read in one piece.
func FuzzDecodePlain(f *testing.F) {
	f.Add(`{"catalog":"c","searches":[{"a":"x","b":"y"},{"a":{"in":["z"]}}],"limit":2}`)
	f.Add(`{"searches":[{"a":"x"}],"show":["\"searches\""]}`)
	f.Fuzz(func(t *testing.T, body string) {
		var req searchRequest
		if !req.decodePlain([]byte(body)) {
			return
		}
		like(t, body, &req)
	})
}

// BenchmarkDecodeSearches decodes 10 000 searches of eight conditions.
func BenchmarkDecodeSearches(b *testing.B) {
	var s strings.Builder
	s.WriteString(`{"catalog":"prices","searches":[`)
	for i := range 10_000 {
		if i > 0 {
			s.WriteByte(',')
		}
		s.WriteByte('{')
		for j := range 8 {
			fmt.Fprintf(&s, `%.*s"attribute%d":"value %d"`, min(j, 1), ",", j, i*j)
		}
		s.WriteByte('}')
	}
	s.WriteString("]}")
	for name, decode := range map[string]func([]byte) bool{
		"apart": func(body []byte) bool { return new(searchRequest).decodePlain(body) },
		"whole": func(body []byte) bool { _, ok := whole(string(body)); return ok },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if !decode([]byte(s.String())) {
					b.Fatal("not decoded")
				}
			}
		})
	}
}
