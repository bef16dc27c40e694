// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package recordapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/server/call"
)

// text asks a call with a body as it stands there.
func (d *desk) text(path, body string) (string, error) {
	r, err := d.calls[path](context.Background(), call.Request{Method: "POST", Path: path,
		ContentType: call.ContentJSON, Length: int64(len(body)), Body: []byte(body)})
	if err != nil {
		return "", err
	}
	return string(r.AppendJSON(nil)), nil
}

// must asks a call that is answered.
func (d *desk) must(path, body string) string {
	d.t.Helper()
	text, err := d.text(path, body)
	if err != nil {
		d.t.Fatalf("%s %s: %v", path, body, err)
	}
	return text
}

// TestEveryCallHasAnOperation: each endpoint is described.
func TestEveryCallHasAnOperation(t *testing.T) {
	described := map[string]bool{}
	for _, o := range Operations {
		described[o.Method+" "+o.Path] = true
	}
	for _, e := range New(nil, nil).Endpoints() {
		if !described[e.Method+" "+e.Path] {
			t.Errorf("%s %s is not described", e.Method, e.Path)
		}
	}
}

// TestCallsRefuseWhatTheyCannotRead: what cannot be is refused with what was wanted, and nothing is
// written.
func TestCallsRefuseWhatTheyCannotRead(t *testing.T) {
	d := newDesk(t)
	put := func(values string) string {
		return `{"index":"people","puts":[{"key":"ok","values":{"age":1}},{"key":"a","values":` + values + `}]}`
	}
	for _, c := range []struct{ path, body, want string }{
		{writePath, `{"puts":[]}`, `"index" is missing or empty`},
		{writePath, `{"index":"people"}`, `got nothing to write`},
		{writePath, `{"index":"people","deletes":["a"],"if":{"key":"a","exist":true}}`, `unknown`},
		{writePath, `{"index":"people","deletes":["a"],"if":{"key":"a"}}`, `want either "exists", or "field" and "value"`},
		{writePath, `{"index":"people","deletes":["a"],"if":{"key":"a","field":"age","value":[1]}}`, `got a list`},
		{writePath, `{"index":"people","deletes":["a"],"if":{"key":"a","field":"likes","value":["x","y"]}}`, `want one value`},
		{writePath, `{"index":"people","deletes":[""]}`, `deletes[0]: key: got 0 bytes`},
		{writePath, put(`{"agee":1}`), `puts[1], field "agee": index "people" has no such field`},
		{writePath, put(`{"age":"old"}`), `puts[1], field "age"`},
		{writePath, put(`{"age":1.5}`), `puts[1], field "age"`},
		{writePath, put(`{"age":true}`), `got true, want a text or a number`},
		{writePath, put(`{"age":[1]}`), `got a list for a field of type "integer"`},
		{writePath, put(`{"city":{"x":1}}`), `puts[1], field "city": got {"x":1}, want a text or a number`},
		{writePath, put(`{"city":{"x":{"limit":0,"y":[{"z":null}]}}}`), `puts[1], field "city": got {"x"`},
		{writePath, put(`{"city":{"x":1,"x":2}}`), `member "x" twice`},
		{writePath, put(`{"likes":["x",{"y":1}]}`), `puts[1], field "likes": got {"y":1}, want a text or a number`},
		{writePath, put(`{"likes":[["x"]]}`), `want a text or a number`},
		{writePath, put(`{"likes":["x",null]}`), `want a text or a number`},
		{writePath, put(`[1]`), `body: member "puts.values" is of type array, want object`},
		{writePath, put(`"x"`), `body: member "puts.values" is of type string, want object`},
		{writePath, put(`{"city":""}`), `got a value of 0 bytes`},
		{writePath, put(`{"born":"1990-13-01"}`), `puts[1], field "born"`},
		{writePath, put(`{"_saved":["x"]}`), `has no such field`},
		{writePath, `{"index":"people","rows":[{"field":"age","value":"1"}]}`, `got a row of a field of type "integer"`},
		{writePath, `{"index":"people","deletes":["a"],"puts":[{"key":"a","values":{"age":1e999}}],"deletes":["b"]}`,
			`member "deletes" twice`},
		{getPath, `{"index":"people","keys":[]}`, `got 0 keys`},
		{getPath, `{"index":"people","keys":["a"],"fields":["age","age"]}`, `got "age" twice`},
		{findPath, `{"index":"people","q":"all","sort":["age","key","city"]}`, `want at most 2`},
		{findPath, `{"index":"people","q":"all","sort":["likes"]}`, `got a field of type "set"`},
		{findPath, `{"index":"people","q":"all","sort":["-"]}`, `got "-"`},
		{findPath, `{"index":"people","q":"all","sort":["age","-age"]}`, `got "-age", which is there already`},
		{findPath, `{"index":"people","q":"all","sort":["key","-key"]}`, `got "-key", which is there already`},
		{findPath, `{"index":"people","q":"all","limit":-1}`, `"limit" is -1`},
		{findPath, `{"index":"people"}`, `"q" is missing`},
	} {
		reply, err := d.text(c.path, c.body)
		if err == nil || call.Failure(err).Code != api.CodeInvalidRequest ||
			!strings.Contains(call.Failure(err).Message, c.want) {
			t.Errorf("%s %s: got %s, %v, want %s", c.path, c.body, reply, err, c.want)
		}
	}
	if _, err := d.text(findPath, `{"index":"people","q":"all","fields":["agee"]}`); !errors.Is(err,
		&api.Error{Code: api.CodeUnknownField}) {
		t.Errorf("an unknown field to show: got %v", err)
	}
	const all = `{"index":"people","q":"all"}`
	if got := d.must(findPath, all); got != `{"records":[]}` {
		t.Errorf("got %s, want nothing written", got)
	}
}

// TestErrorsOfItems: an error names the items, up to its bound, and counts the others.
func TestErrorsOfItems(t *testing.T) {
	d := newDesk(t)
	req := api.RecordsWriteRequest{Index: "people"}
	for i := range 30 {
		req.Puts = append(req.Puts, api.Record{Key: fmt.Sprint(i), Values: api.Values{"age": json.RawMessage(`"x"`)}})
	}
	err := d.ask(writePath, req, nil)
	e := call.Failure(err)
	if len(e.Errors) != api.MaxItemErrors || e.Errors[3].Item != "puts[3]" || e.Errors[3].Field != "age" ||
		!strings.Contains(e.Message, "got 30 items that cannot be written") {
		t.Errorf("got %+v", e)
	}
}

// TestChanges: followers learn what has changed, and nothing that has not.
func TestChanges(t *testing.T) {
	d := newDesk(t)
	d.must(writePath, `{"index":"people","puts":[{"key":"a","values":{"city":"Bern","age":3,"likes":["tea","cake"],`+
		`"tags":["x"],"knows":["b"]}}]}`)
	ix, err := d.db.Index("people")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ body, want string }{
		{`"puts":[{"key":"a","values":{"city":"Bern","age":4,"likes":["tea","milk"],"tags":["x"]}}]`,
			"clear knows a b; clear likes a cake; set age a 4; set likes a milk"},
		{`"merges":[{"key":"a","values":{"likes":[],"city":null,"known":["b"]}}]`,
			"clear likes a milk; clear likes a tea; set knows b a; unset city a "},
		{`"clears":[{"key":"a","fields":["age","known"]},{"key":"nobody","fields":["age"]}]`,
			"clear knows b a; unset age a "},
		{`"merges":[{"key":"c","values":{}}]`, "addRecord  c "},
	} {
		s := ix.Snapshot()
		after := s.Sequence()
		s.Close()
		d.must(writePath, `{"index":"people",`+c.body+`}`)
		var got []string
		for commit, err := range ix.Changes(t.Context(), after) {
			if err != nil {
				t.Fatal(err)
			}
			for _, x := range commit.Changes {
				got = append(got, fmt.Sprint(x.Kind, " ", x.Field, " ", x.Record, " ", x.Value))
			}
		}
		if text := sorted(got); text != c.want {
			t.Errorf("%s: got %s\nwant %s", c.body, text, c.want)
		}
	}
	// What is there already is no change at all.
	s := ix.Snapshot()
	defer s.Close()
	if got, want := d.must(writePath, `{"index":"people","merges":[{"key":"a","values":{"tags":["x"]}}]}`),
		fmt.Sprintf(`{"sequence":%d}`, s.Sequence()); got != want {
		t.Errorf("nothing new: got %s, want %s", got, want)
	}
}

// FuzzWrite: whatever comes as a body is written or refused with a reason of its own.
func FuzzWrite(f *testing.F) {
	for _, seed := range []string{`{"index":"people","puts":[{"key":"a","values":{"age":1,"likes":["x"]}}]}`,
		`{"index":"people","merges":[{"key":"a","values":{"knows":"b"}}],"if":{"key":"a","exists":false}}`,
		`{"index":"people","clears":[{"key":"a","fields":["age"]}],"deletes":["b"],"rows":[{"field":"likes","value":"x"}]}`,
		`{"index":"people","deletes":["a"],"if":[{"key":"a","field":"age","value":null}]}`} {
		f.Add(seed)
	}
	d := newDesk(f)
	f.Fuzz(func(t *testing.T, body string) {
		if _, err := d.text(writePath, body); err != nil && call.Failure(err).Code == api.CodeInternal {
			t.Errorf("%q: got %v, want a reason", body, err)
		}
	})
}

// sorted returns texts in one line, in order.
func sorted(texts []string) string {
	slices.Sort(texts)
	return strings.Join(texts, "; ")
}
