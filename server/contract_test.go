// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// A contract is openapi.json, against which the tests' requests and replies are checked: a request
// that the server takes must be one that the document allows, and every reply must be as the
// document says, without further members.
type contract struct {
	t        *testing.T
	doc      map[string]any
	compiler *jsonschema.Compiler

	mu      sync.Mutex
	schemas map[string]*jsonschema.Schema
	done    map[string]bool // operations that were answered with 200
}

func newContract(t *testing.T) *contract {
	t.Helper()
	text, err := os.ReadFile("openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := &contract{t: t, doc: doc.(map[string]any), compiler: jsonschema.NewCompiler(),
		schemas: make(map[string]*jsonschema.Schema), done: make(map[string]bool)}
	for _, schema := range c.at("components", "schemas") {
		schema := schema.(map[string]any)
		if _, ok := schema["properties"]; ok {
			schema["additionalProperties"] = false
		}
	}
	c.compiler.AssertFormat()
	c.compiler.AssertContent()
	if err := c.compiler.AddResource("openapi.json", doc); err != nil {
		t.Fatal(err)
	}
	return c
}

// at returns the object at a path of the document, nil if there is none.
func (c *contract) at(path ...string) map[string]any {
	at := c.doc
	for _, name := range path {
		at, _ = at[name].(map[string]any)
	}
	return at
}

// validate checks a value against the schema at a path of the document.
func (c *contract) validate(value any, path ...string) error {
	pointer := "openapi.json#"
	for _, name := range path {
		pointer += "/" + url.PathEscape(strings.NewReplacer("~", "~0", "/", "~1").Replace(name))
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	schema := c.schemas[pointer]
	if schema == nil {
		var err error
		if schema, err = c.compiler.Compile(pointer); err != nil {
			return fmt.Errorf("openapi.json has no schema there: %w", err)
		}
		c.schemas[pointer] = schema
	}
	return schema.Validate(value)
}

// check checks a request and its reply.
func (c *contract) check(method, target, body string, status int, contentType, reply string) {
	c.t.Helper()
	path, query, _ := strings.Cut(target, "?")
	operation := []string{"paths", path, strings.ToLower(method)}
	if method == "HEAD" || c.at(operation...) == nil {
		return // nothing is said of it; TestOperations knows what must be
	}
	if status == 200 {
		c.mu.Lock()
		c.done[method+" "+path] = true
		c.mu.Unlock()
		if err := c.checkRequest(operation, query, body); err != nil {
			c.t.Errorf("%s %s %s is answered, and openapi.json does not allow it: %v", method, target, body, err)
		}
	}
	code := strconv.Itoa(status)
	if c.at(append(operation, "responses", code)...) == nil {
		c.t.Errorf("%s %s %s: status %d is not in openapi.json: %s", method, target, body, status, reply)
		code = "default"
	}
	media, _, _ := strings.Cut(contentType, ";")
	content := append(operation, "responses", code, "content", media)
	if c.at(content...) == nil {
		c.t.Errorf("%s %s: openapi.json has no content %s of status %s", method, target, media, code)
		return
	}
	if c.at(append(content, "schema")...) == nil {
		return // bytes
	}
	if media != "application/json" {
		return // bytes, or a text
	}
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(reply))
	if err == nil {
		err = c.validate(value, append(content, "schema")...)
	}
	if err != nil {
		c.t.Errorf("%s %s: the reply %.300s is not what openapi.json says: %v", method, target, reply, err)
	}
}

// checkRequest checks the parameters and the body of a request.
func (c *contract) checkRequest(operation []string, query, body string) error {
	values, err := url.ParseQuery(query)
	if err != nil {
		return err
	}
	params, _ := c.at(operation...)["parameters"].([]any)
	for i, p := range params {
		p := p.(map[string]any)
		name := p["name"].(string)
		given := values[name]
		delete(values, name)
		schema, _ := p["schema"].(map[string]any)
		if len(given) == 0 {
			if p["required"] == true {
				return fmt.Errorf("parameter %s is required", name)
			}
			continue
		}
		var value any
		switch schema["type"] {
		case "array":
			list := make([]any, len(given))
			for i := range given {
				list[i] = given[i]
			}
			value = list
		case "integer":
			value = json.Number(given[0])
		case "boolean":
			value = given[0] == "true"
		default:
			value = given[0]
		}
		if err := c.validate(value, append(operation, "parameters", strconv.Itoa(i), "schema")...); err != nil {
			return fmt.Errorf("parameter %s: %w", name, err)
		}
	}
	if len(values) > 0 {
		return fmt.Errorf("parameters %v are not there", values)
	}
	content := append(operation, "requestBody", "content", "application/json", "schema")
	if c.at(content...) == nil {
		return nil
	}
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(body))
	if err != nil {
		return err
	}
	return c.validate(value, content...)
}
