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
	httpMark = "<!-- Written from openapi.json and server/operations.md: go test ./server -run TestHTTPGuide " +
		"-write-http -->\n"

	// httpLimit is how much may be written by hand, in bytes.
	httpLimit = 5 << 10
)

// document is what docs/http.md shows of openapi.json.
type document struct {
	Paths      map[string]map[string]documentedCall
	Components struct{ Schemas map[string]documentedSchema }
}

type documentedCall struct {
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
	for at, methods := range d.Paths {
		for method, c := range methods {
			for _, code := range c.implied(&d) {
				if at == "/v1/indexes/create" && code == "unknown_index" {
					continue // whose index there is not yet
				}
				if !slices.Contains(c.errors(), code) {
					t.Errorf("%s %s has not the error %s, as errorsOf says", method, at, code)
				}
			}
		}
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
	out.WriteString("\n## Calls\n\n| | call |\n|---|---|\n")
	for _, c := range all {
		if c.calls != nil {
			fmt.Fprintf(&out, "| [%s](#%s) | `%s` |\n", c.title, anchorOf(c.title), strings.Join(c.calls, "`, `"))
		}
	}
	for _, c := range all {
		fmt.Fprintf(&out, "\n## %s\n\n%s\n", c.title, strings.ReplaceAll(c.text, "](../docs/", "]("))
		for group := range groups(c.calls, d.form) {
			fmt.Fprintf(&out, "\n`%s`\n\n%s", strings.Join(group, "`, `"), d.form(group[0]))
		}
		out.WriteString(d.parameters(c.calls))
	}
	return out.String()
}

// anchorOf returns the anchor of a title.
func anchorOf(title string) string {
	return strings.ReplaceAll(strings.NewReplacer(",", "", "?", "").Replace(strings.ToLower(title)), " ", "-")
}

// groups yields runs of consecutive calls that have the same form.
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
	var names []string
	for _, p := range c.Parameters {
		names = append(names, member(p.Name, p.Required))
	}
	if names != nil {
		fmt.Fprintf(&out, "- Parameters: %s\n", strings.Join(names, ", "))
	}
	for _, media := range slices.Sorted(maps.Keys(c.RequestBody.Content)) {
		fmt.Fprintf(&out, "- Body: %s\n", d.shape(media, c.RequestBody.Content[media].Schema))
	}
	replies := c.Responses["200"].Content
	for _, media := range slices.Sorted(maps.Keys(replies)) {
		fmt.Fprintf(&out, "- Reply: %s\n", d.shape(media, replies[media].Schema))
	}
	told := append(c.implied(d), everyCall...)
	codes := slices.DeleteFunc(c.errors(), func(code string) bool { return slices.Contains(told, code) })
	if len(codes) > 0 {
		fmt.Fprintf(&out, "- Errors: `%s`\n", strings.Join(codes, "`, `"))
	}
	return out.String()
}

// errors returns the codes of the errors of a call, in the order of their status.
func (c *documentedCall) errors() (codes []string) {
	for _, status := range slices.Sorted(maps.Keys(c.Responses)) {
		if status >= "300" && status != "default" {
			codes = append(codes, strings.Split(c.Responses[status].Description, ", ")...)
		}
	}
	return codes
}

// implied returns the errors that follow from the parameters and the members of the body.
func (c *documentedCall) implied(d *document) (codes []string) {
	for _, p := range c.Parameters {
		codes = append(codes, errorsOf[p.Name]...)
		if p.Name == "account" {
			codes = append(codes, "invalid_account", "unknown_account")
		}
	}
	for _, content := range c.RequestBody.Content {
		for name := range d.Components.Schemas[path.Base(content.Schema.Ref)].Properties {
			codes = append(codes, errorsOf[name]...)
		}
	}
	return codes
}

// member returns a name with a question mark if it may be absent.
func member(name string, required bool) string {
	if !required {
		name += "?"
	}
	return "`" + name + "`"
}

// parameters returns a table of the parameters of calls. It leaves out parameters that the
// handwritten part explains.
func (d *document) parameters(calls []string) string {
	var rows []string
	of := make(map[string][]string)    // calls, by row
	kinds := make(map[string][]string) // rows, by name
	for _, one := range calls {
		for _, p := range d.call(one).Parameters {
			row := p.Description + p.Schema.bounds()
			if slices.Contains(explained, p.Description) {
				row = ""
			}
			row = "`" + p.Name + "`\n" + row
			if of[row] == nil {
				rows = append(rows, row)
				kinds[p.Name] = append(kinds[p.Name], row)
			}
			of[row] = append(of[row], "`"+path.Base(one)+"`")
		}
	}
	var out strings.Builder
	for _, row := range rows {
		name, about, _ := strings.Cut(row, "\n")
		if about == "" {
			continue
		}
		if out.Len() == 0 {
			out.WriteString("\n| parameter | |\n|---|---|\n")
		}
		if len(kinds[strings.Trim(name, "`")]) > 1 {
			name += " of " + strings.Join(of[row], ", ")
		}
		fmt.Fprintf(&out, "| %s | %s |\n", name, about)
	}
	return out.String()
}

// explained are the descriptions of parameters that the part written by hand explains, or the
// chapter.
var explained = append(abouts(call.Part(call.OfAccount, call.OfAccounts, call.OfTarget, call.OfIndex)),
	"the query, in the query language", "what is wanted: keys, if not given", "the query of the audience",
	"name of the stream", "name of the catalog", "name of the field", "names of fields", "the queries, at least two",
	"query of the other audience")

func abouts(of []call.Parameter) (texts []string) {
	for _, p := range of {
		texts = append(texts, p.About)
	}
	return texts
}

// errorsOf are the errors of every call that has a parameter or a member of that name.
var errorsOf = map[string][]string{
	"index":   {"unknown_index"},
	"catalog": {"unknown_index"},
	"q":       {"invalid_query", "unknown_field", "unknown_set"},
	"cursor":  {"invalid_cursor"},
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

// shape describes a body or a reply by the names of its members. Optional ones have a question
// mark.
func (d *document) shape(media string, s documentedSchema) string {
	if s.Ref == "" && s.AnyOf == nil {
		return "`" + media + "`"
	}
	var kinds []string
	for _, k := range append(s.AnyOf, s) {
		if k.Ref == "" {
			continue
		}
		about := d.Components.Schemas[path.Base(k.Ref)]
		var members []string
		for _, m := range slices.Sorted(maps.Keys(about.Properties)) {
			members = append(members, member(m, slices.Contains(about.Required, m)))
		}
		kinds = append(kinds, strings.Join(members, ", "))
	}
	return strings.Join(kinds, "; or ")
}
