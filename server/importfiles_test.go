// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/internal/table/tabletest"
)

// TestImportFiles sends every file of tabletest as a catalog and as an edge list: one that cannot
// be read is a 400 that says why, and the catalog stays as it was.
func TestImportFiles(t *testing.T) {
	s := newSite(t, nil)
	schema, media := parted(t, "application/json", `{"key": "account", "attributes": [{"name": "target"}]}`, "text/csv",
		"account,target\nbefore,x\n")
	reset := func() {
		if resp, got := s.do("POST", catalogImportPath+"?catalog=files", schema, "Content-Type",
			media); resp.StatusCode != 200 {
			t.Fatalf("got %d %s", resp.StatusCode, got)
		}
	}
	reset()
	refused := func(name string, status int, got, want string) {
		t.Helper()
		text, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		if status != 400 || !strings.Contains(got, strings.Trim(string(text), `"`)) ||
			!strings.Contains(got, "nothing was imported") {
			t.Errorf("%s: got %d %s, want 400 with %s", name, status, got, text)
		}
	}
	for _, f := range tabletest.Files() {
		edges := f.Want
		if f.Edges != nil {
			edges = *f.Edges
		}
		resp, got := s.do("POST", importPath, f.Text, "Content-Type", "application/octet-stream")
		var imported api.ImportReply
		switch {
		case edges.Err != "":
			refused(f.Name+", edges", resp.StatusCode, got, edges.Err)
		case len(edges.Rows) == 0 && len(edges.Bad) > 0:
			refused(f.Name+", edges", resp.StatusCode, got, "bad of ")
		case json.Unmarshal([]byte(got), &imported) != nil || resp.StatusCode != 200 ||
			imported.Bad != int64(len(edges.Bad)):
			t.Errorf("%s, edges: got %d %s, want %d bad lines", f.Name, resp.StatusCode, got, len(edges.Bad))
		}
		if f.NDJSON {
			continue
		}
		resp, got = s.do("POST", catalogImportPath+"?catalog=files&bad=100%25&empty=true", f.Text, "Content-Type",
			"application/octet-stream")
		if f.Err != "" {
			refused(f.Name, resp.StatusCode, got, f.Err)
			s.records("files", `"target"`, "before:x")
			continue
		}
		var reply api.CatalogImportReply
		if json.Unmarshal([]byte(got), &reply) != nil || resp.StatusCode != 200 || reply.Records != int64(len(f.Rows)) {
			t.Errorf("%s: got %d %s, want %d records", f.Name, resp.StatusCode, got, len(f.Rows))
		}
		reset()
	}
}

// TestImportSeparator: a separator is found out, or named.
func TestImportSeparator(t *testing.T) {
	s := newSite(t, nil)
	s.addColours("red", "a")
	for _, c := range []struct{ query, body, want string }{
		{"", "id;colour\nb;blue,green\n", "b:blue,green"},
		{"&separator=semicolon", "id;colour;x,y\nb;blue;\n", "b:blue"},
		{"&separator=pipe", "id|colour|x,y\nb|green|\n", "b:green"},
		{"&separator=detect", "id\tcolour\nb\tgreen\n", "b:green"},
	} {
		if resp, got := s.do("POST", catalogImportPath+"?catalog=c"+c.query, c.body, "Content-Type",
			"text/csv"); resp.StatusCode != 200 {
			t.Errorf("%s: got %d %s", c.query, resp.StatusCode, got)
		}
		s.records("c", `"colour"`, c.want)
	}
	for query, want := range map[string]string{"": "name the separator",
		"&separator=colon": `parameter \"separator\" is \"colon\", want detect, comma, semicolon, tab or pipe`} {
		if resp, got := s.do("POST", catalogImportPath+"?catalog=c"+query, "id;colour;x,y\nb;blue;\n", "Content-Type",
			"text/csv"); resp.StatusCode != 400 || !strings.Contains(got, want) {
			t.Errorf("%s: got %d %s, want 400 with %s", query, resp.StatusCode, got, want)
		}
	}
	if resp, got := s.do("POST", importPath+"?separator=semicolon", "x y;z\n", "Content-Type",
		"text/csv"); resp.StatusCode != 200 || !strings.Contains(got, `"follows":1`) {
		t.Errorf("got %d %s, want a follow", resp.StatusCode, got)
	}
}
