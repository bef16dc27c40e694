// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/catalog"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/server/call"
	"github.com/uproar-db/uproar/store/memstore"
)

// wire is a request without a connection.
type wire struct {
	local
	body *bytes.Reader
}

func (w wire) Read(p []byte) (int, error) { return w.body.Read(p) }

func (wire) ReadUntil(time.Time) {}

// FuzzRequests sends any parameters and any body to every call, of GraphD's and rsky-graph's too.
// Whatever they are, the answer is one that docs/http.md has, in JSON if it is an error, and never
// 500.
func FuzzRequests(f *testing.F) {
	db, err := uproar.Open(f.Context(), memstore.New(), nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { _ = db.Close() })
	g, err := graph.OpenWith(f.Context(), db, graph.Options{Keyed: []graph.Relation{graph.Follows, graph.Members}})
	if err != nil {
		f.Fatal(err)
	}
	s, err := New(db, &Options{Paths: Paths{GraphD: true, Rsky: true, Constellation: true},
		Hosts:   []string{"example.com", "x"},
		Timeout: 5 * time.Second, MaxQueryBytes: 4 << 20, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		f.Fatal(err)
	}
	if _, err := g.Follow(f.Context(), graph.Follow{Account: "alice", Target: "bob"},
		graph.Follow{Account: "bob", Target: "alice"}); err != nil {
		f.Fatal(err)
	}
	schema, err := catalog.ParseSchema(
		[]byte(`{"priority": "p", "default": "e", "attributes": [{"name": "a"}, {"name": "r", "rule": true},
			{"name": "n", "type": "number"}, {"name": "d", "type": "date", "rule": true}]}`))
	if err != nil {
		f.Fatal(err)
	}
	r, err := catalog.Replace(f.Context(), db, "c", schema, catalog.ReplaceOptions{})
	if err != nil {
		f.Fatal(err)
	}
	if _, _, err := r.Read(f.Context(), catalog.Table{},
		strings.NewReader("a,r,n,d,p,e\nx,u|v,1,,1,\nx,,2,2026-01-01..,,yes\ny,!u,3,,,\n")); err != nil {
		f.Fatal(err)
	}
	if err := r.Commit(f.Context()); err != nil {
		f.Fatal(err)
	}
	type target struct{ method, path string }
	var targets []target
	for _, path := range slices.Sorted(maps.Keys(s.routes.paths)) {
		for _, method := range slices.Sorted(maps.Keys(s.routes.paths[path].methods)) {
			if path != metricsPath {
				targets = append(targets, target{method, path})
			}
		}
	}
	for i, t := range targets {
		f.Add(uint16(i), "account=alice&limit=1&index=accounts&q=all", call.ContentJSON,
			[]byte(`{"index":"accounts","q":"all"}`))
		if strings.HasPrefix(t.path, "/v1/graph/") && t.method == "POST" {
			f.Add(uint16(i), "", call.ContentJSON,
				[]byte(
					`{"follows":[{"account":"a","target":"b"}],"changes":[{"op":"set","relation":"blocks","account":"a","target":"b"}]}`))
		}
		switch t.path {
		case "/v1/follows-following":
			f.Add(uint16(i), "viewer=alice&targets=bob%2Calice,,%zz&limit=1&count=true", "", []byte(nil))
		case "/v1/is-following":
			f.Add(uint16(i), "actor=alice&target=bob", "", []byte(nil))
		case "/v1/catalog/search":
			f.Add(uint16(i), "", call.ContentJSON,
				[]byte(
					`{"catalog":"c","searches":[{"a":"x"},{"a":{"in":["x","y"]},"r":"u","d":"2026-01-01"},{"n":{"from":"2"}},{"a":{"not":["x"]}},{}],"show":["a","r"],"limit":2}`))
		case "/v1/catalog/facets":
			f.Add(uint16(i), "", call.ContentJSON,
				[]byte(`{"catalog":"c","where":{"a":"x"},"attributes":["r","n","d"],"limit":1}`))
		case "/v1/catalog/sorted":
			f.Add(uint16(i), "", call.ContentJSON,
				[]byte(`{"catalog":"c","where":{"r":"u"},"by":"n","descending":true,"from":1,"limit":1,"show":["d"]}`))
		case "/v1/catalog/write":
			f.Add(uint16(i), "", call.ContentJSON,
				[]byte(
					`{"catalog":"c","put":[{"key":"k","has":{"a":"z","r":{"not":["v"]},"d":{"to":"2026-02-01"}},"priority":-1,"default":true}],"delete":["1"]}`))
		}
		f.Add(uint16(i), "did=alice&actor_did=alice&target_did=bob", "text/csv", []byte("a,b\n"))
	}
	f.Fuzz(func(t *testing.T, which uint16, query, contentType string, body []byte) {
		to := targets[int(which)%len(targets)]
		if strings.Contains(query, "wait=") { // it may be told to wait for what nobody writes
			t.Skip()
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		c := &call.Request{Method: to.method, Path: to.path, Query: query, ContentType: contentType,
			Length:    int64(len(body)),
			Transport: wire{body: bytes.NewReader(body)}}
		r := s.respond(ctx, c, nil, time.Now(), nil)
		if r.stream != nil {
			if _, err := io.Copy(io.Discard, r.stream); err != nil {
				t.Errorf("%s %s: a stream ends with %v", to.method, to.path, err)
			}
			_ = r.stream.Close()
		}
		if r.status == 500 || r.status < 200 || r.status > 503 {
			t.Errorf("%s %s?%q %q %q: got %d %s", to.method, to.path, query, contentType, body, r.status, r.body)
		}
		if strings.HasPrefix(to.path, "/xrpc/") || strings.HasPrefix(to.path, "/links") {
			if r.status != 200 && !json.Valid(r.body) && r.contentType != "text/plain; charset=utf-8" {
				t.Errorf("%s %s?%q: the error %q is %s", to.method, to.path, query, r.body, r.contentType)
			}
			return
		}
		if r.status != 200 && !json.Valid(r.body) {
			t.Errorf("%s %s?%q %q: the error %q is not JSON", to.method, to.path, query, body, r.body)
		}
	})
}
