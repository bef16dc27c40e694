// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/uproar-db/uproar/api"
)

// schemas makes JSON schemas of the Go types that are read and written as JSON. What their comments
// say goes into the schemas.
type schemas struct {
	t          *testing.T
	components object
	comments   map[string]map[string]string // by package and type: comments by field; "" is the type's own
}

func newSchemas(t *testing.T) *schemas {
	return &schemas{t, object{
		"Query": object{"description": "a query: a text in the query language, or an object (docs/query.md)",
			"oneOf": []any{object{"type": "string"}, object{"type": "object"}}},
	}, make(map[string]map[string]string)}
}

// raw says what stands in the json.RawMessage of a type.
func raw(of reflect.Type, member string) object {
	switch name := of.Name(); {
	case name == "Question" && member == "bounds", name == "Band":
		return object{"oneOf": []any{object{"type": "number"}, object{"type": "string"}},
			"description": "a number, or a date or time as text"}
	}
	switch of.Name() {
	case "AnswersRequest", "SaveRequest", "Question", "ReportRequest", "CompareRequest", "SaveAudienceRequest",
		"QueryRequest", "RecordsFindRequest":
		return object{"$ref": "#/components/schemas/Query"}
	case "BatchReply", "PlanReply":
		return object{"type": "object"}
	case "Reply", "Figures":
		return object{"oneOf": []any{object{"type": "number"}, object{"type": "string"}},
			"description": "a number, or a date or time as text"}
	}
	return object{"description": "any value"}
}

// of returns the schema of a type, or a reference to it.
func (s *schemas) of(t reflect.Type) object {
	switch t {
	case reflect.TypeFor[time.Time]():
		return object{"type": "string", "format": "date-time"}
	case reflect.TypeFor[[]byte]():
		return object{"type": "string", "contentEncoding": "base64"}
	}
	switch t {
	case reflect.TypeFor[json.RawMessage]():
		return object{"description": "a text, a number, a list of them, or null"}
	case reflect.TypeFor[api.Requirements]():
		// No type: of one or many openapi-generator makes code that does not compile.
		s.of(t.Elem())
		return object{}
	}
	if t == reflect.TypeFor[api.Condition]() {
		s.condition(t)
		return object{"$ref": "#/components/schemas/Condition"}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return s.of(t.Elem())
	case reflect.String:
		return object{"type": "string"}
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.Float64:
		return object{"type": "number"}
	case reflect.Int, reflect.Int64:
		return object{"type": "integer", "format": "int64"}
	case reflect.Uint64:
		return object{"type": "integer", "format": "int64", "minimum": 0}
	case reflect.Slice:
		return object{"type": "array", "items": s.of(t.Elem())}
	case reflect.Map:
		return object{"type": "object", "additionalProperties": s.of(t.Elem())}
	case reflect.Struct:
		s.component(t)
		return object{"$ref": "#/components/schemas/" + t.Name()}
	}
	s.t.Fatalf("no schema of %v", t)
	return nil
}

// component adds the schema of a struct.
func (s *schemas) component(t reflect.Type) {
	if _, ok := s.components[t.Name()]; ok {
		return
	}
	schema := object{"type": "object"}
	s.components[t.Name()] = schema
	comments := s.commentsOf(t)
	if about := comments[""]; about != "" {
		schema["description"] = about
	}
	properties, required := object{}, []any{}
	for f := range t.Fields() {
		tag, rest, _ := strings.Cut(f.Tag.Get("json"), ",")
		if tag == "" || tag == "-" {
			s.t.Fatalf("%v.%s has no name in JSON", t, f.Name)
		}
		optional := strings.Contains(rest, "omit")
		var property object
		switch f.Type {
		case reflect.TypeFor[json.RawMessage]():
			property = raw(t, tag)
		case reflect.TypeFor[[]json.RawMessage]():
			property = object{"type": "array", "items": raw(t, tag)}
		default:
			property = s.of(f.Type)
			if kind, ok := property["type"].(string); ok && f.Type.Kind() == reflect.Pointer && !optional {
				property["type"] = []any{kind, "null"}
			}
		}
		if about := comments[f.Name]; about != "" {
			property["description"] = about
		}
		properties[tag] = property
		if !optional {
			required = append(required, tag)
		}
	}
	schema["properties"] = properties
	if len(required) > 0 {
		schema["required"] = required
	}
	if isRequest(t) {
		schema["additionalProperties"] = false
	}
}

// condition adds the schema of a condition: a text, or an object.
func (s *schemas) condition(t reflect.Type) {
	texts, text := object{"type": "array", "items": object{"type": "string"}}, object{"type": "string"}
	s.components["Condition"] = object{"description": s.commentsOf(t)[""], "anyOf": []any{text,
		object{"type": "object", "additionalProperties": false, "properties": object{"in": texts, "not": texts,
			"from": text, "to": text}}}}
}

// isRequest reports whether a struct is read by the server, which takes no members that it does not
// know.
func isRequest(t reflect.Type) bool {
	return strings.HasSuffix(t.Name(), "Request") || t.Name() == "Follow" || t.Name() == "Question"
}

// commentsOf reads the comments of a type from its source.
func (s *schemas) commentsOf(t reflect.Type) map[string]string {
	key := t.PkgPath() + "." + t.Name()
	if _, ok := s.comments[key]; !ok {
		s.readComments(t.PkgPath())
	}
	return s.comments[key]
}

func (s *schemas) readComments(pkg string) {
	dir := filepath.Join("..", strings.TrimPrefix(pkg, "github.com/uproar-db/uproar/"))
	files, err := os.ReadDir(dir)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, file := range files {
		if !strings.HasSuffix(file.Name(), ".go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, file.Name()), nil, parser.ParseComments)
		if err != nil {
			s.t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if d, ok := n.(*ast.GenDecl); ok {
				for _, spec := range d.Specs {
					if ts, ok := spec.(*ast.TypeSpec); ok {
						s.comments[pkg+"."+ts.Name.Name] = structComments(ts, d.Doc)
					}
				}
			}
			return true
		})
	}
}

// structComments returns the comments of a struct and its fields.
func structComments(ts *ast.TypeSpec, doc *ast.CommentGroup) map[string]string {
	comments := map[string]string{"": oneLine(doc)}
	if st, ok := ts.Type.(*ast.StructType); ok {
		for _, field := range st.Fields.List {
			for _, name := range field.Names {
				comments[name.Name] = strings.TrimSpace(oneLine(field.Doc) + " " + oneLine(field.Comment))
			}
		}
	}
	return comments
}

func oneLine(c *ast.CommentGroup) string {
	if c == nil {
		return ""
	}
	return strings.Join(strings.Fields(c.Text()), " ")
}
