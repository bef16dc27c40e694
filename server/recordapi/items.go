// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package recordapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

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
	derived bool  // the inverse of a relation, whose values other records have
	many    bool  // a record may have several values
	guarded error // why only an application changes its values; nil: anybody does
}

// columnsOf returns the fields of an index, in the order of their declaration. The inverse of a
// relation has its column, so that both know whether the edges have keys.
func columnsOf(ix *uproar.Index) []column {
	var columns []column
	for _, f := range ix.Fields() {
		n := len(columns)
		derived := f.Type == uproar.Relation && n > 0 && columns[n-1].Inverse == f.Name && !columns[n-1].derived
		if derived {
			f.Column = columns[n-1].Column
		}
		columns = append(columns, column{Field: f, derived: derived,
			many: f.Type == uproar.Relation || f.Type == uproar.Set})
	}
	return columns
}

// items gathers what a write wants of each record, and what is wrong with it.
type items struct {
	index   *uproar.Index
	columns []column
	places  map[string]int // of the columns, by name
	wants   map[string]*want
	order   []*want // as the keys first came
	ifs     api.Requirements
	errors  []api.ItemError
	wrong   int // items that are wrong
}

// want is what a write wants of a record.
type want struct {
	key     string
	whole   bool     // what is not in fields is to have no value
	exists  bool     // the record is to exist
	deleted bool     // the record is to be gone, whatever else
	fields  []wanted // by the places of the columns
}

// wanted is what a field of a record is to have.
type wanted struct {
	named   bool     // it is in fields
	texts   []string // each once
	integer int64    // of an integer field with a text
}

func newItems(ix *uproar.Index, conditions api.Requirements) *items {
	w := &items{index: ix, columns: columnsOf(ix), wants: make(map[string]*want), ifs: conditions,
		places: make(map[string]int)}
	for at, c := range w.columns {
		w.places[c.Name] = at
		w.columns[at].guarded = dependents.CheckChange(ix, c.Name)
	}
	return w
}

// item names an item of a request.
type item struct {
	list string
	at   int
}

// String returns it as the client knows it, such as puts[3].
func (x item) String() string { return x.list + "[" + strconv.Itoa(x.at) + "]" }

func (w *items) fail(of item, field, format string, args ...any) {
	if w.wrong++; len(w.errors) < api.MaxItemErrors {
		w.errors = append(w.errors, api.ItemError{Item: of.String(), Field: call.Cut(field, maxShown),
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
	items := "items"
	if w.wrong == 1 {
		items = "item"
	}
	return &api.Error{Code: api.CodeInvalidRequest, Errors: w.errors,
		Message: fmt.Sprintf("got %d %s that cannot be written, so nothing was; the first is %s: %s", w.wrong, items,
			first.Item, first.Message)}
}

// of returns what is wanted of a record; nil if there can be none of the key.
func (w *items) of(of item, key string) *want {
	if err := w.checkKey(key); err != nil {
		w.fail(of, "", "key: %v", err)
		return nil
	}
	x := w.wants[key]
	if x == nil {
		x = &want{key: key, fields: make([]wanted, len(w.columns))}
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

// column finds a field by name; ok is false if there is none.
func (w *items) column(of item, field string) (at int, ok bool) {
	if at, ok = w.places[field]; !ok {
		w.fail(of, field, "index %s has no such field", call.Quote(w.index.Name()))
	}
	return at, ok
}

// gather gathers the items of a request.
func (w *items) gather(req *api.RecordsWriteRequest) {
	for i := range req.Puts {
		of := item{"puts", i}
		if x := w.of(of, req.Puts[i].Key); x != nil {
			x.whole, x.exists = true, true
			clear(x.fields)
			w.values(of, x, &req.Puts[i])
		}
	}
	for i := range req.Merges {
		of := item{"merges", i}
		if x := w.of(of, req.Merges[i].Key); x != nil {
			x.exists = true
			w.values(of, x, &req.Merges[i])
		}
	}
	for i, r := range req.Clears {
		of := item{"clears", i}
		x := w.of(of, r.Key)
		for _, field := range r.Fields {
			if at, ok := w.column(of, field); ok && x != nil {
				x.fields[at] = wanted{named: true}
			}
		}
	}
	for i, key := range req.Deletes {
		if x := w.of(item{"deletes", i}, key); x != nil {
			x.deleted = true
		}
	}
	for i, r := range req.Rows {
		of := item{"rows", i}
		switch at, ok := w.column(of, r.Field); {
		case !ok:
		case w.columns[at].Type == uproar.Integer:
			w.fail(of, r.Field, "got a row of a field of type %q, want one of another type", uproar.Integer)
		case w.columns[at].guarded != nil:
			w.fail(of, r.Field, "%s", call.Public(w.columns[at].guarded))
		case w.columns[at].Column == uproar.KeyColumn:
			w.fail(of, r.Field, "got a row of a relation whose edges have keys, want \"clears\" of it for each record")
		}
		if len(r.Value) == 0 || len(r.Value) > maxKey {
			w.fail(of, r.Field, "value: got %d bytes, want 1 to %d", len(r.Value), maxKey)
		}
	}
	for i := range req.If {
		w.requirement(item{"if", i}, &req.If[i])
	}
}

// values gathers the values of a put or merge.
func (w *items) values(of item, x *want, r *api.Record) {
	if r.Missing {
		w.fail(of, "", "got \"missing\", which only answers have")
	}
	for field, raw := range r.Values {
		at, ok := w.column(of, field)
		if !ok {
			continue
		}
		var err error
		if x.fields[at], err = w.read(&w.columns[at], raw); err != nil {
			w.fail(of, field, "%v", err)
		}
	}
}

// requirement checks a condition.
func (w *items) requirement(of item, r *api.Requirement) {
	if err := w.checkKey(r.Key); err != nil {
		w.fail(of, "", "key: %v", err)
	}
	switch {
	case (r.Exists != nil) == (r.Field != "") || (r.Field != "") != (r.Value != nil):
		w.fail(of, "", "want either \"exists\", or \"field\" and \"value\"")
	case r.Field != "":
		at, ok := w.column(of, r.Field)
		if !ok {
			return
		}
		switch values, err := w.read(&w.columns[at], r.Value); {
		case err != nil:
			w.fail(of, r.Field, "want one value, or null: %v", err)
		case len(values.texts) > 1:
			w.fail(of, r.Field, "got %d values, want one value, or null", len(values.texts))
		}
	}
}

// comparedTexts is up to how many values of a list are compared one by one.
const comparedTexts = 16

// read reads the values of a field, each once: none of null.
func (w *items) read(c *column, raw json.RawMessage) (to wanted, err error) {
	to.named = true
	switch {
	case string(raw) == "null":
		return to, nil
	case raw[0] == '[' && !c.many:
		return to, fmt.Errorf("got a list for a field of type %q, want one value", c.Type)
	case raw[0] != '[':
		to.texts = make([]string, 1)
		to.texts[0], to.integer, err = w.one(c, raw)
		return to, err
	}
	var list []json.RawMessage
	if err := json.Unmarshal(raw, &list); err != nil {
		return to, err
	}
	to.texts = make([]string, 0, len(list))
	var known map[string]bool // if they are many
	if len(list) > comparedTexts {
		known = make(map[string]bool, len(list))
	}
	for _, one := range list {
		value, _, err := w.one(c, one)
		switch {
		case err != nil:
			return to, err
		case known[value] || known == nil && slices.Contains(to.texts, value):
			continue
		case known != nil:
			known[value] = true
		}
		to.texts = append(to.texts, value)
	}
	return to, nil
}

// one reads a value, and the integer that it is in an integer field.
func (w *items) one(c *column, raw json.RawMessage) (value string, x int64, err error) {
	switch first := raw[0]; {
	case first == '"' && bytes.IndexByte(raw, '\\') < 0:
		value = string(raw[1 : len(raw)-1])
	case first == '"':
		if err := json.Unmarshal(raw, &value); err != nil {
			return "", 0, err
		}
	case first == '-' || first >= '0' && first <= '9', (first == 't' || first == 'f') && c.Type != uproar.Integer:
		value = string(raw)
	default:
		return "", 0, fmt.Errorf("got %s, want a text or a number", call.Cut(string(raw), maxShown))
	}
	switch {
	case c.Type == uproar.Integer:
		if x, err = c.Parse(value); err != nil {
			err = fmt.Errorf("%s", call.Public(err))
		}
	case len(value) == 0 || len(value) > maxKey:
		err = fmt.Errorf("got a value of %d bytes, want 1 to %d", len(value), maxKey)
	case c.Type == uproar.Relation:
		err = w.checkKey(value)
	}
	return value, x, err
}
