// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package recordapi

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/internal/dependents"
	"github.com/uproar-db/uproar/server/call"
)

// maxKey is the greatest length of a key or value, in bytes.
const maxKey = 65534

// column is a field of an index.
type column struct {
	uproar.Field
	derived bool // the inverse of a relation, whose values other records have
	many    bool // a record may have several values
}

// columnsOf returns the fields of an index, in the order of their declaration.
func columnsOf(ix *uproar.Index) []column {
	var columns []column
	for _, f := range ix.Fields() {
		n := len(columns)
		derived := f.Type == uproar.Relation && n > 0 && columns[n-1].Inverse == f.Name && !columns[n-1].derived
		columns = append(columns, column{f, derived, f.Type == uproar.Relation || f.Type == uproar.Set})
	}
	return columns
}

// items gathers what a write wants of each record, and what is wrong with it.
type items struct {
	index   *uproar.Index
	columns []column
	wants   map[string]*want
	order   []*want // as the keys first came
	ifs     api.Requirements
	errors  []api.ItemError
	wrong   int // items that are wrong
}

// want is what a write wants of a record.
type want struct {
	key     string
	whole   bool // what is not in fields is to have no value
	exists  bool // the record is to exist
	deleted bool // the record is to be gone, whatever else
	fields  map[string][]string
}

func (w *items) fail(item, field, format string, args ...any) {
	if w.wrong++; len(w.errors) < api.MaxItemErrors {
		w.errors = append(w.errors, api.ItemError{Item: item, Field: call.Cut(field, maxShown),
			Message: call.Cut(fmt.Sprintf(format, args...), call.MaxMessage/4)})
	}
}

// maxShown bounds what an error repeats of a name, in bytes.
const maxShown = 64

// err returns the error about all items; nil if none is wrong.
func (w *items) err() error {
	if w.wrong == 0 {
		return nil
	}
	first := w.errors[0]
	if first.Field != "" {
		first.Item += ", field " + call.Quote(first.Field)
	}
	return &api.Error{Code: api.CodeInvalidRequest, Errors: w.errors,
		Message: fmt.Sprintf("got %d items that cannot be written, so nothing was; the first is %s: %s", w.wrong, first.Item,
			first.Message)}
}

// of returns what is wanted of a record; nil if there can be none of the key.
func (w *items) of(item, key string) *want {
	if err := w.checkKey(key); err != nil {
		w.fail(item, "", "key: %v", err)
		return nil
	}
	x := w.wants[key]
	if x == nil {
		x = &want{key: key, fields: make(map[string][]string)}
		w.wants[key], w.order = x, append(w.order, x)
	}
	return x
}

func (w *items) checkKey(key string) error {
	if len(key) == 0 || len(key) > maxKey {
		return fmt.Errorf("got %d bytes, want 1 to %d", len(key), maxKey)
	}
	return dependents.CheckKey(w.index, key)
}

// column finds a field by name; nil if there is none.
func (w *items) column(item, field string) *column {
	i := slices.IndexFunc(w.columns, func(c column) bool { return c.Name == field })
	if i < 0 {
		w.fail(item, field, "index %s has no such field", call.Quote(w.index.Name()))
		return nil
	}
	return &w.columns[i]
}

// gather gathers the items of a request.
func (w *items) gather(req *api.RecordsWriteRequest) {
	for i, r := range req.Puts {
		item := fmt.Sprintf("puts[%d]", i)
		if x := w.of(item, r.Key); x != nil {
			*x = want{key: x.key, whole: true, exists: true, fields: make(map[string][]string, len(r.Values))}
			w.values(item, x, r)
		}
	}
	for i, r := range req.Merges {
		item := fmt.Sprintf("merges[%d]", i)
		if x := w.of(item, r.Key); x != nil {
			x.exists = true
			w.values(item, x, r)
		}
	}
	for i, r := range req.Clears {
		item := fmt.Sprintf("clears[%d]", i)
		x := w.of(item, r.Key)
		for _, field := range r.Fields {
			if w.column(item, field) != nil && x != nil {
				x.fields[field] = nil
			}
		}
	}
	for i, key := range req.Deletes {
		if x := w.of(fmt.Sprintf("deletes[%d]", i), key); x != nil {
			x.deleted = true
		}
	}
	for i, r := range req.Rows {
		item := fmt.Sprintf("rows[%d]", i)
		if c := w.column(item, r.Field); c != nil && c.Type == uproar.Integer {
			w.fail(item, r.Field, "got a row of a field of type %q, want one of another type", c.Type)
		}
		if len(r.Value) == 0 || len(r.Value) > maxKey {
			w.fail(item, r.Field, "value: got %d bytes, want 1 to %d", len(r.Value), maxKey)
		}
	}
	for i := range req.If {
		w.requirement(fmt.Sprintf("if[%d]", i), &req.If[i])
	}
}

// values gathers the values of a put or merge.
func (w *items) values(item string, x *want, r api.Record) {
	if r.Missing {
		w.fail(item, "", "got \"missing\", which only answers have")
	}
	for field, raw := range r.Values {
		c := w.column(item, field)
		if c == nil {
			continue
		}
		values, err := w.read(c, raw)
		if err != nil {
			w.fail(item, field, "%v", err)
		}
		x.fields[field] = values
	}
}

// requirement checks a condition.
func (w *items) requirement(item string, r *api.Requirement) {
	if err := w.checkKey(r.Key); err != nil {
		w.fail(item, "", "key: %v", err)
	}
	switch {
	case (r.Exists != nil) == (r.Field != "") || (r.Field != "") != (r.Value != nil):
		w.fail(item, "", "want either \"exists\", or \"field\" and \"value\"")
	case r.Field != "":
		c := w.column(item, r.Field)
		if c == nil {
			return
		}
		if values, err := w.read(c, r.Value); err != nil || len(values) > 1 {
			w.fail(item, r.Field, "want one value, or null: %v", err)
		}
	}
}

// read reads the values of a field, each once: none of null.
func (w *items) read(c *column, raw json.RawMessage) ([]string, error) {
	list := []json.RawMessage{raw}
	switch {
	case string(raw) == "null":
		return nil, nil
	case raw[0] == '[' && !c.many:
		return nil, fmt.Errorf("got a list for a field of type %q, want one value", c.Type)
	case raw[0] == '[':
		if err := json.Unmarshal(raw, &list); err != nil {
			return nil, err
		}
	}
	values, known := make([]string, 0, len(list)), make(map[string]bool, len(list))
	for _, one := range list {
		value, err := w.one(c, one)
		if err != nil {
			return nil, err
		}
		if !known[value] {
			known[value], values = true, append(values, value)
		}
	}
	return values, nil
}

// one reads a value.
func (w *items) one(c *column, raw json.RawMessage) (value string, err error) {
	switch first := raw[0]; {
	case first == '"':
		if err := json.Unmarshal(raw, &value); err != nil {
			return "", err
		}
	case first == '-' || first >= '0' && first <= '9', (first == 't' || first == 'f') && c.Type != uproar.Integer:
		value = string(raw)
	default:
		return "", fmt.Errorf("got %s, want a text or a number", call.Cut(string(raw), maxShown))
	}
	switch {
	case c.Type == uproar.Integer:
		_, err = c.Parse(value)
		if err != nil {
			err = fmt.Errorf("%s", call.Public(err))
		}
	case len(value) == 0 || len(value) > maxKey:
		err = fmt.Errorf("got a value of %d bytes, want 1 to %d", len(value), maxKey)
	case c.Type == uproar.Relation:
		err = w.checkKey(value)
	}
	return value, err
}
