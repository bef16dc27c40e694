// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"iter"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/server/call"
	"github.com/uproar-db/uproar/server/console"
)

var writeOpenAPI = flag.Bool("write-openapi", false, "write openapi.json anew")

const openapiIntro = `Sets, graphs and queries of an Uproar database. docs/http.md has the same with examples.

Parameters and members of bodies are exact: what a call does not have is an error. A reply may get more members in later versions.

The paths of GraphD (uproar serve --graphd), rsky-graph (--rsky), constellation (--constellation) and bitmap-usage (--prices) are not here: their errors are texts, as the clients that they are for expect; docs/graphd.md, docs/graph.md and docs/catalog.md have them. Nor are
those of pprof (--pprof), which are those of Go's net/http/pprof.`

// object is a JSON object.
type object = map[string]any

// openapiOf makes the document of operations.
func openapiOf(t *testing.T, operations []call.Operation) []byte {
	s := newSchemas(t)
	paths := object{}
	for _, o := range operations {
		path, ok := paths[o.Path].(object)
		if !ok {
			path = object{}
			paths[o.Path] = path
		}
		path[strings.ToLower(o.Method)] = s.operation(o)
	}
	s.of(reflect.TypeFor[api.ErrorReply]())
	doc := object{
		"openapi": "3.1.0",
		"info": object{"title": "Uproar", "version": "1", "description": openapiIntro + "\n\n" + descriptionOf(""),
			"license": object{"name": "Apache-2.0", "identifier": "Apache-2.0"}},
		"servers": []any{object{"url": "http://127.0.0.1:7070",
			"description": "where uproar serve listens if not told otherwise"}},
		"paths": paths,
		"components": object{
			"schemas": s.components,
			"securitySchemes": object{"token": object{"type": "http", "scheme": "bearer",
				"description": "A token of the file that the server was started with (--tokens); without that " +
					"option no token is needed."}},
		},
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(doc); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// operation describes an operation.
func (s *schemas) operation(o call.Operation) object {
	id := strings.ToLower(o.Method) +
		regexp.MustCompile(`[^a-z0-9]+`).ReplaceAllString(strings.TrimSuffix(strings.TrimPrefix(o.Path, "/v1"),
			".json"), "-")
	d := object{"operationId": id, "summary": o.Summary, "tags": []any{tagOf(o.Path)},
		"description": descriptionOf(o.Method + " " + o.Path)}
	if o.Access != call.AccessPublic {
		d["security"] = []any{object{}, object{"token": []any{}}} // with --tokens the first does not do
	}
	var params []any
	for _, p := range o.Params {
		params = append(params, documentParameter(p))
	}
	if params != nil {
		d["parameters"] = params
	}
	if o.Body != nil {
		d["requestBody"] = object{"required": true,
			"content": object{call.ContentJSON: object{"schema": s.of(reflect.TypeOf(o.Body))}}}
	} else if o.Takes != "" {
		d["requestBody"] = object{"required": true, "content": object{o.Takes: object{"schema": bytesOf(o.Takes)}}}
	}
	var replies []any
	for _, r := range o.Replies {
		replies = append(replies, s.of(reflect.TypeOf(r)))
	}
	content := object{}
	switch len(replies) {
	case 0:
		content[o.Media] = object{"schema": bytesOf(o.Media)}
	case 1:
		content[call.ContentJSON] = object{"schema": replies[0]}
	default:
		content[call.ContentJSON] = object{"schema": object{"anyOf": replies}}
	}
	for _, media := range o.Streamed {
		content[media] = object{"schema": bytesOf(media)}
	}
	responses := object{"200": object{"description": "done", "content": content}}
	failure := object{call.ContentJSON: object{"schema": object{"$ref": "#/components/schemas/ErrorReply"}}}
	byStatus := make(map[int][]string)
	for _, code := range append([]api.Code{api.CodeInvalidRequest, api.CodeUnauthorized, api.CodeForbidden,
		api.CodeAnswerTooLarge, api.CodeOverloaded,
		api.CodeUnavailable, api.CodeDeadlineExceeded, api.CodeInternal}, o.Errors...) {
		byStatus[code.Status()] = append(byStatus[code.Status()], string(code))
	}
	for status, codes := range byStatus {
		responses[fmt.Sprint(status)] = object{"description": strings.Join(codes, ", "), "content": failure}
	}
	responses["default"] = object{"description": "any other error", "content": failure}
	d["responses"] = responses
	return d
}

// bytesOf describes a body that is not read as JSON: generators of clients need a schema of each.
func bytesOf(media string) object {
	switch media {
	case call.ContentJSON:
		return object{"type": "object"}
	case "text/plain":
		return object{"type": "string"}
	}
	return object{"type": "string", "format": "binary"}
}

// tagOf groups operations by the first part of their path.
func tagOf(path string) string {
	if rest, ok := strings.CutPrefix(path, "/v1/"); ok {
		if tag, _, more := strings.Cut(rest, "/"); more {
			return tag
		}
		return "database"
	}
	return "server"
}

func documentParameter(p call.Parameter) object {
	schema := object{"type": "string"}
	switch {
	case p.Integer:
		schema = object{"type": "integer", "minimum": p.Least}
		if p.Most > 0 {
			schema["maximum"] = p.Most
		}
	case p.Boolean:
		schema["type"] = "boolean"
	case p.Enum != nil:
		schema["enum"] = p.Enum
	case p.Repeated:
		schema = object{"type": "array", "items": schema, "minItems": 1}
		if p.Most > 0 {
			schema["maxItems"] = p.Most
		}
	}
	d := object{"name": p.Name, "in": "query", "description": p.About, "schema": schema}
	if p.Required {
		d["required"] = true
	}
	return d
}

// The document is what the operations and package api say.
func TestOpenAPIDocument(t *testing.T) {
	want := openapiOf(t, operations)
	if *writeOpenAPI {
		if err := os.WriteFile("openapi.json", want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !bytes.Equal(want, openapiDocument) {
		t.Error(
			"openapi.json is not what the operations and package api say: go test ./server -run OpenAPIDocument " +
				"-write-openapi, and read the difference")
	}
}

// The operations are the endpoints: every method of every path, and no other; each with the
// parameters that its handler reads.
func TestOperations(t *testing.T) {
	s, _ := newServer(t, nil)
	described := make(map[string]call.Operation)
	for _, o := range operations {
		key := o.Method + " " + o.Path
		if _, twice := described[key]; twice {
			t.Errorf("%s is described twice", key)
		}
		described[key] = o
	}
	for path, at := range s.routes.paths {
		for method, e := range at.methods {
			if method == "HEAD" || console.Has(path) { // wherever GET is; static files, which are no calls
				continue
			}
			o, ok := described[method+" "+path]
			if !ok {
				t.Errorf("%s %s has no operation: describe it in one of the lists that operations is made of", method,
					path)
				continue
			}
			delete(described, method+" "+path)
			if o.Summary == "" || len(o.Replies) == 0 && o.Media == "" {
				t.Errorf("%s %s has no summary, or no reply", method, path)
			}
			s.checkParameters(t, o, e)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(described)) {
		t.Errorf("%s is described, and there is no such endpoint", key)
	}
}

// checkParameters asks an endpoint for a parameter that it cannot have: the refusal names those
// that it has.
func (s *Server) checkParameters(t *testing.T, o call.Operation, e *bound) {
	t.Helper()
	const absurd = "absurd-parameter"
	_, err := e.Handle(t.Context(), call.Request{Method: o.Method, Path: o.Path, Query: absurd + "=1",
		ContentType: call.ContentJSON,
		Body:        []byte("{}"), Transport: local{}})
	refused, ok := err.(*api.Error)
	if !ok || refused.Code != api.CodeInvalidRequest {
		t.Errorf("%s %s with the parameter %s: got %v, want it refused", o.Method, o.Path, absurd, err)
		return
	}
	var want []string
	for _, p := range o.Params {
		want = append(want, p.Name)
	}
	slices.Sort(want)
	_, known, ok := strings.Cut(refused.Message, "known are: ")
	switch {
	case !ok && want != nil:
		t.Errorf("%s %s takes %v, says its operation, and its handler: %s", o.Method, o.Path, want, refused.Message)
	case ok && known != strings.Join(want, ", ") && (known != "none" || want != nil):
		t.Errorf("%s %s takes %v, says its operation, and its handler: %s", o.Method, o.Path, want, known)
	}
}

// local is a connection of this machine, without a body.
type local struct{ call.Carrier }

func (local) Remote() string { return "127.0.0.1:1" }

func (local) Fields() iter.Seq2[string, string] { return maps.All(map[string]string{}) }

func (local) Header(name string) string {
	if name == "Host" {
		return "localhost"
	}
	return ""
}
