// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/uproar-db/uproar/api"

	"github.com/uproar-db/uproar/server"
	"github.com/uproar-db/uproar/store/ship"
)

// The examples of docs/http.md are run in their order, and answered as they say.
func TestDocumentedExamples(t *testing.T) {
	text, err := os.ReadFile("../docs/http.md")
	if err != nil {
		t.Fatal(err)
	}
	s := newSite(t, nil)
	s.addPeople()
	s.addDiscounts()
	if examples := s.runExamples("docs/http.md", string(text)); examples < 20 {
		t.Errorf("found %d examples, want all of them", examples)
	}
	// What has no example is asked too, so that openapi.json is compared with an answer of each
	// call.
	for _, path := range []string{
		"/v1/graph/blockers?account=dan", "/v1/graph/mutes?account=bob", "/v1/graph/muters?account=carol",
		"/v1/changes?index=accounts&after=0",
		"/v1/query?index=accounts&q=all&answer=explain", "/v1/query?index=accounts&q=all&answer=ids", "/v1/backup",
		"/v1/query?index=accounts&q=all&answer=records", "/v1/stats", "/v1/slow", "/v1/stats?index=people&kinds=true",
		"/v1/catalog/check?catalog=discounts", "/v1/catalog/schema?catalog=discounts",
		"/v1/likes/liked?account=bob", "/v1/likes/likers?subject=feed&limit=1&hidden=true", "/metrics", "/readyz", "/v1/openapi.json",
	} {
		s.do("GET", path, "")
	}
	s.check("POST", "/v1/indexes/create", `{"index":"spare"}`, 200, `{"index":"spare","fields":[]}`)
	s.check("POST", "/v1/indexes/alias", `{"alias":"folk","index":"spare"}`, 200, `{"done":true}`)
	s.check("POST", "/v1/indexes/alias", `{"alias":"folk","index":""}`, 200, `{"done":true}`)
	s.do("GET", "/v1/indexes", "")
	s.do("POST", "/v1/records/get", `{"index":"guests","keys":["ann","zoe"]}`)
	s.do("POST", "/v1/standing/set", `{"index":"guests","name":"all","q":"all"}`)
	s.do("GET", "/v1/standing?index=guests", "")
	s.do("GET", "/v1/standing/events?index=guests&name=all&after=0&wait=5s", "")
	s.check("POST", "/v1/standing/drop", `{"index":"guests","name":"all"}`, 200, `{"queries":[]}`)
	s.check("POST", "/v1/indexes/drop", `{"index":"spare"}`, 200, `{"done":true}`)
	_, full := s.do("GET", "/v1/backup", "")
	head := headOf(t, full)
	if _, got := s.do("POST", "/v1/backup", head, "Content-Type", "application/octet-stream"); got == "" {
		t.Error("an increment has no bytes")
	}
	s.do("POST", "/v1/graph/import", "zoe,bob\n", "Content-Type", "application/octet-stream")
	s.do("POST", "/v1/import?index=pets", "id,legs\na,4\nb,2\n", "Content-Type", "text/csv")
	s.do("POST", "/v1/catalog/import?catalog=discounts", discountsTable, "Content-Type", "text/csv")
	keyed := newEmptySite(t)
	keyed.contract = s.contract
	keyed.askEdges()
	one := newSiteOf(t, &server.Options{Replica: aCopy{}}, s.db, nil)
	one.contract = s.contract
	const leads = `{"status":"ok","copy":{"node":"a","leads":true,"writer":"a","epoch":1,"position":7,"ageMillis":0,` +
		`"forward":"redirect"}}`
	one.check("POST", "/v1/handover", "", 200, leads)
	one.check("GET", "/healthz", "", 200, leads)
	one.check("GET", "/v1/cluster", "", 200, `{"log":"l","horizon":3,"nodes":[{"node":"a","url":"http://a","leads":true,`+
		`"epoch":1,"position":7,"ageMillis":0}],"checkpoints":[{"position":4,"bytes":9,"time":"2026-11-21T14:00:00Z"}]}`)
	for path, methods := range s.contract.at("paths") {
		for method := range methods.(map[string]any) {
			if call := strings.ToUpper(method) + " " + path; !s.contract.done[call] {
				t.Errorf("%s: neither an example of docs/http.md nor a call here has got an answer", call)
			}
		}
	}
}

// aCopy is the copy of a database that leads.
type aCopy struct{}

func (aCopy) Status() ship.Status {
	return ship.Status{Node: ship.Node{ID: "a"}, Writer: ship.Node{ID: "a"}, Leads: true, Epoch: 1, Object: 7}
}

func (aCopy) Wait(context.Context, uint64) error { return nil }
func (aCopy) HandOver(context.Context) error     { return nil }
func (aCopy) Confirm(context.Context) error      { return nil }

func (c aCopy) Look(context.Context) (ship.Overview, error) {
	made := time.Date(2026, 11, 21, 14, 0, 0, 0, time.UTC)
	return ship.Overview{Log: "l", Horizon: 3, Nodes: []ship.Sighting{{Node: ship.Node{ID: "a", URL: "http://a"},
		Leads: true, Epoch: 1, Object: 7, Time: time.Now().Add(time.Hour)}},
		Checkpoints: []ship.CheckpointInfo{{Object: 4, Time: made, Bytes: 9}}}, nil
}

// runExamples runs the examples of a page in their order, and returns how many there are.
func (s *site) runExamples(page, text string) (examples int) {
	s.t.Helper()
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		command, ok := strings.CutPrefix(line, "$ curl ")
		if !ok || !strings.Contains(command, "http://localhost:7070") {
			continue
		}
		examples++
		method, path, body, header := parseCurl(s.t, command)
		if _, got := s.do(method, path, body, header...); got != lines[i+1]+"\n" {
			s.t.Errorf("%s:%d: %s\ngot  %swant %s", page, i+1, line, got, lines[i+1])
		}
	}
	return examples
}

var curlWord = regexp.MustCompile(`'[^']*'|[^ ]+`)

// parseCurl reads the arguments of a curl command, as far as the examples use
// them.
func parseCurl(t testing.TB, command string) (method, path, body string, header []string) {
	t.Helper()
	method = http.MethodGet
	words := curlWord.FindAllString(command, -1)
	for i := range words {
		words[i] = strings.Trim(words[i], "'")
	}
	header = []string{"Content-Type", "application/x-www-form-urlencoded"}
	var encoded string
	for i := 0; i < len(words); i++ {
		switch word := words[i]; word {
		case "-d":
			i++
			method, body = http.MethodPost, words[i]
		case "--json":
			i++
			method, body = http.MethodPost, words[i]
			header = append(header, "Content-Type", "application/json", "Accept", "application/json")
		case "-H":
			i++
			name, value, _ := strings.Cut(words[i], ": ")
			header = append(header, name, value)
		case "-X":
			i++
			method = words[i]
		case "--get":
		case "--data-urlencode":
			i++
			name, value, _ := strings.Cut(words[i], "=")
			encoded += "&" + name + "=" + url.QueryEscape(value)
		default:
			var ok bool
			if path, ok = strings.CutPrefix(word, "http://localhost:7070"); !ok {
				t.Fatalf("curl %s: unknown argument %s", command, word)
			}
		}
	}
	return method, path + encoded, body, header
}

// docs/http.md has every code with its status, and every call.
func TestDocumentedCodesAndCalls(t *testing.T) {
	text, err := os.ReadFile("../docs/http.md")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("../api/error.go")
	if err != nil {
		t.Fatal(err)
	}
	codes := regexp.MustCompile(`Code = "([a-z_]+)"`).FindAllStringSubmatch(string(source), -1)
	if len(codes) < 10 {
		t.Fatalf("found %d codes in api/error.go, want all of them", len(codes))
	}
	for _, m := range codes {
		if row := fmt.Sprintf("\n| %d | `%s` |", api.Code(m[1]).Status(), m[1]); !strings.Contains(string(text), row) {
			t.Errorf("docs/http.md lacks the row %q", row)
		}
	}
	document, err := os.ReadFile("openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	var calls struct {
		Paths map[string]map[string]json.RawMessage `json:"paths"`
	}
	if err := json.Unmarshal(document, &calls); err != nil || len(calls.Paths) < 35 {
		t.Fatalf("openapi.json has %d paths (%v), want all of them", len(calls.Paths), err)
	}
	for path, methods := range calls.Paths {
		for method := range methods {
			row := `\n\| \[.*` + strings.ToUpper(method) + `.*` + regexp.QuoteMeta(path) + "`"
			if !regexp.MustCompile(row).Match(text) {
				t.Errorf("docs/http.md lacks the call %s %s in its first table", method, path)
			}
		}
	}
}
