// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/server/call"
)

var writeHTTP = flag.Bool("write-http", false, "write docs/http.md anew")

const (
	httpGuide = "../docs/http.md"

	// httpMark ends what is written by hand.
	httpMark = "<!-- What follows is written from openapi.json and server/operations.md: go test ./server -run " +
		"TestHTTPGuide -write-http -->\n"

	// httpLimit is how much may be written by hand, in bytes.
	httpLimit = 5 << 10
)

// document is what docs/http.md shows of openapi.json.
type document struct {
	Paths      map[string]map[string]documentedCall
	Components struct{ Schemas map[string]documentedSchema }
}

type documentedCall struct {
	Summary    string
	Parameters []struct {
		Name, Description string
		Required          bool
		Schema            documentedSchema
	}
	RequestBody struct{ Content map[string]documentedContent }
	Responses   map[string]struct {
		Description string
		Content     map[string]documentedContent
	}
}

type documentedContent struct{ Schema documentedSchema }

type documentedSchema struct {
	Ref              string `json:"$ref"`
	AnyOf            []documentedSchema
	Enum             []string
	Minimum, Maximum *uint64
	Properties       map[string]documentedSchema
	Required         []string
}

// TestHTTPGuide checks that docs/http.md describes the calls as openapi.json does, and that what is
// written by hand stays short. With -write-http it writes the descriptions anew.
func TestHTTPGuide(t *testing.T) {
	text, err := os.ReadFile(httpGuide)
	if err != nil {
		t.Fatal(err)
	}
	hand, _, found := strings.Cut(string(text), httpMark)
	if !found || len(hand) > httpLimit {
		t.Fatalf("docs/http.md: got %d bytes by hand before the mark (which is there: %v), want at most %d", len(hand),
			found, httpLimit)
	}
	var d document
	if err := json.Unmarshal(openapiDocument, &d); err != nil {
		t.Fatal(err)
	}
	want := hand + httpMark + d.describe(chapters())
	if *writeHTTP {
		if err := os.WriteFile(httpGuide, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if string(text) != want {
		t.Error("docs/http.md differs from openapi.json and operations.md: run go test ./server -run TestHTTPGuide " +
			"-write-http")
	}
}

// describe returns a table of all calls, and a section for each chapter.
func (d *document) describe(all []chapter) string {
	var out strings.Builder
	out.WriteString("\n## Calls\n\n| call | |\n|---|---|\n")
	for _, c := range all {
		for _, call := range c.calls {
			fmt.Fprintf(&out, "| [`%s`](#%s) | %s |\n", call, anchorOf(c.title), d.call(call).Summary)
		}
	}
	for _, c := range all {
		fmt.Fprintf(&out, "\n## %s\n\n%s\n", c.title, strings.ReplaceAll(c.text, "](../docs/", "]("))
		for group := range groups(c.calls, d.form) {
			fmt.Fprintf(&out, "\n`%s`\n%s", strings.Join(group, "`, `"), d.form(group[0]))
		}
	}
	return out.String()
}

// anchorOf returns the anchor of a title.
func anchorOf(title string) string {
	return strings.ReplaceAll(strings.NewReplacer(",", "", "?", "").Replace(strings.ToLower(title)), " ", "-")
}

// groups returns the calls in groups of those that follow each other and have the same form.
func groups(calls []string, form func(call string) string) func(yield func([]string) bool) {
	return func(yield func([]string) bool) {
		for i := 0; i < len(calls); {
			end := i + 1
			for end < len(calls) && form(calls[end]) == form(calls[i]) {
				end++
			}
			if !yield(calls[i:end]) {
				return
			}
			i = end
		}
	}
}

// call returns a call such as "GET /healthz".
func (d *document) call(call string) documentedCall {
	method, at, _ := strings.Cut(call, " ")
	return d.Paths[at][strings.ToLower(method)]
}

// form describes parameters, body, replies and errors of a call.
func (d *document) form(one string) string {
	var out strings.Builder
	c := d.call(one)
	if len(c.Parameters) > 0 {
		out.WriteString("\n| parameter | |\n|---|---|\n")
	}
	var paging []string
	for _, p := range c.Parameters {
		if slices.ContainsFunc(call.Part(), func(of call.Parameter) bool { return of.About == p.Description }) {
			paging = append(paging, "`"+p.Name+"`")
			continue
		}
		needed := ""
		if p.Required {
			needed = "needed: "
		}
		fmt.Fprintf(&out, "| `%s` | %s%s%s |\n", p.Name, needed, p.Description, p.Schema.bounds())
	}
	if paging != nil {
		fmt.Fprintf(&out, "| %s | [pages](#pages-and-cursors) |\n", strings.Join(paging, ", "))
	}
	out.WriteString("\n")
	for media, content := range c.RequestBody.Content {
		fmt.Fprintf(&out, "- Body: %s\n", d.shape(media, content.Schema))
	}
	for media, content := range c.Responses["200"].Content {
		fmt.Fprintf(&out, "- Reply: %s\n", d.shape(media, content.Schema))
	}
	var codes []string
	for _, status := range slices.Sorted(maps.Keys(c.Responses)) {
		if status < "300" || status == "default" {
			continue
		}
		for code := range strings.SplitSeq(c.Responses[status].Description, ", ") {
			if !slices.Contains(everyCall, code) {
				codes = append(codes, "`"+code+"`")
			}
		}
	}
	if codes != nil {
		fmt.Fprintf(&out, "- Errors: %s\n", strings.Join(codes, ", "))
	}
	return out.String()
}

// everyCall are the errors that every call may have, or every call with a body.
var everyCall = []string{"invalid_request", "unauthorized", "forbidden", "answer_too_large", "overloaded",
	"unavailable", "deadline_exceeded", "internal", "body_too_large", "unsupported_media_type"}

// bounds says which values a parameter may have.
func (s documentedSchema) bounds() string {
	switch {
	case s.Enum != nil:
		return " (`" + strings.Join(s.Enum, "`, `") + "`)"
	case s.Minimum != nil && s.Maximum != nil:
		return fmt.Sprintf(" (%d to %d)", *s.Minimum, *s.Maximum)
	}
	return ""
}

// shape describes a body or a reply: the names of its members, those that may be absent with a
// question mark.
func (d *document) shape(media string, s documentedSchema) string {
	if s.Ref == "" && s.AnyOf == nil {
		return "`" + media + "`"
	}
	var kinds []string
	for _, k := range append(s.AnyOf, s) {
		if k.Ref == "" {
			continue
		}
		name := path.Base(k.Ref)
		about := d.Components.Schemas[name]
		var members []string
		for _, m := range slices.Sorted(maps.Keys(about.Properties)) {
			if !slices.Contains(about.Required, m) {
				m += "?"
			}
			members = append(members, "`"+m+"`")
		}
		kinds = append(kinds, fmt.Sprintf("%s: %s", name, strings.Join(members, ", ")))
	}
	return strings.Join(kinds, "; or ")
}
