// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package recordapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/server/call"
	"github.com/uproar-db/uproar/server/streaming"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
)

// shared outlives databases.
type shared struct{ store.Store }

func (shared) Close() error { return nil }

// desk is a database with an index, and the handlers of it.
type desk struct {
	t     testing.TB
	store store.Store
	db    *uproar.DB
	calls map[string]call.Handler
}

var declared = []uproar.Field{{Name: "city", Type: uproar.Single}, {Name: "age", Type: uproar.Integer},
	{Name: "paid", Type: uproar.Integer, Scale: 2}, {Name: "born", Type: uproar.Integer, Format: uproar.Date},
	{Name: "likes", Type: uproar.Set}, {Name: "tags", Type: uproar.Set, Column: uproar.SmallColumn},
	{Name: "knows", Type: uproar.Relation, Inverse: "known"}}

func newDesk(t testing.TB) *desk {
	t.Helper()
	d := &desk{t: t, store: shared{memstore.New()}}
	d.open()
	if _, err := d.db.CreateIndex(t.Context(), "people", declared...); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.db.Close() })
	return d
}

// open opens the database, again if it was open.
func (d *desk) open() {
	d.t.Helper()
	if d.db != nil {
		if err := d.db.Close(); err != nil {
			d.t.Fatal(err)
		}
	}
	var err error
	if d.db, err = uproar.Open(context.Background(), d.store, nil); err != nil {
		d.t.Fatal(err)
	}
	d.calls = make(map[string]call.Handler)
	for _, e := range New(d.db, streaming.New(2)).Endpoints() {
		d.calls[e.Path] = e.Handle
	}
}

// ask asks a call, whose reply it reads into reply.
func (d *desk) ask(path string, req, reply any) error {
	body, err := json.Marshal(req)
	if err != nil {
		d.t.Fatal(err)
	}
	r, err := d.calls[path](context.Background(), call.Request{Method: "POST", Path: path,
		ContentType: call.ContentJSON, Length: int64(len(body)), Body: body})
	if err == nil && reply != nil {
		err = json.Unmarshal(r.AppendJSON(nil), reply)
	}
	return err
}

// people is the plain model: by record and field, the values.
type people map[string]map[string][]string

// put changes what a record has in a field, and for a relation the others.
func (p people) put(key, field string, values []string) {
	opposite := map[string]string{"knows": "known", "known": "knows"}[field]
	for _, value := range p[key][field] {
		if opposite != "" {
			p[value][opposite] = slices.DeleteFunc(slices.Clone(p[value][opposite]),
				func(x string) bool { return x == key })
		}
	}
	p[key][field] = slices.Clone(values)
	for _, value := range values {
		if opposite == "" {
			continue
		}
		p.add(value)
		if !slices.Contains(p[value][opposite], key) {
			p[value][opposite] = append(p[value][opposite], key)
		}
	}
}

func (p people) add(key string) {
	if p[key] == nil {
		p[key] = make(map[string][]string)
	}
}

func (p people) delete(key string) {
	if p[key] != nil {
		p.put(key, "knows", nil)
		p.put(key, "known", nil)
		delete(p, key)
	}
}

// draw draws the values of a record in some fields.
func draw(r *rand.Rand) (api.Values, map[string][]string) {
	values, texts := make(api.Values), make(map[string][]string)
	for _, f := range declared {
		if r.IntN(2) == 0 {
			continue
		}
		var list []string
		var text string
		switch {
		case r.IntN(5) == 0:
			text = "null"
		case f.Name == "city":
			list = []string{string(rune('A' + r.IntN(5)))}
		case f.Type == uproar.Integer:
			list = []string{f.Text(r.Int64N(400) - 50)}
		default:
			for range r.IntN(4) {
				if x := f.Name[:1] + strconv.Itoa(r.IntN(6)); f.Name == "knows" {
					list = append(list, "p"+x[1:])
				} else {
					list = append(list, x)
				}
			}
			slices.Sort(list)
			list = slices.Compact(list)
			b, _ := json.Marshal(append([]string{}, list...))
			text = string(b)
		}
		if text == "" {
			if text = list[0]; f.Type != uproar.Integer || f.Format != uproar.Number || r.IntN(2) == 0 {
				text = strconv.Quote(text)
			}
		}
		values[f.Name], texts[f.Name] = json.RawMessage(text), list
	}
	return values, texts
}

// TestModel writes records at random, with conditions that hold or do not, and compares what is
// read with a plain model, through flushes and openings.
func TestModel(t *testing.T) {
	for seed := range uint64(6) {
		t.Run(fmt.Sprint("seed=", seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 3))
			d, model := newDesk(t), make(people)
			for range 120 {
				step(t, r, d, model)
				ix, err := d.db.Index("people")
				if err != nil {
					t.Fatal(err)
				}
				switch r.IntN(12) {
				case 0:
					if err := ix.Flush(t.Context()); err != nil {
						t.Fatal(err)
					}
				case 1:
					d.open()
				}
				compare(t, r, d, model)
			}
		})
	}
}

// step does one write, to the index and to the model.
func step(t *testing.T, r *rand.Rand, d *desk, model people) {
	t.Helper()
	req, next := api.RecordsWriteRequest{Index: "people"}, make(people)
	for key, fields := range model {
		next[key] = maps.Clone(fields)
	}
	key := func() string { return "p" + strconv.Itoa(r.IntN(8)) }
	// One record: which of several writes to a relation counts has rules of its own.
	switch k := key(); r.IntN(6) {
	case 0, 1:
		values, texts := draw(r)
		req.Puts = []api.Record{{Key: k, Values: values}}
		next.add(k)
		for _, f := range declared {
			next.put(k, f.Name, texts[f.Name])
		}
	case 2, 3:
		values, texts := draw(r)
		req.Merges = []api.Record{{Key: k, Values: values}}
		next.add(k)
		for field, list := range texts {
			next.put(k, field, list)
		}
	case 4:
		fields := []string{"city", "likes", "known", "tags", "age"}[:1+r.IntN(5)]
		req.Clears = []api.RecordFields{{Key: k, Fields: fields}}
		if next[k] != nil {
			for _, field := range fields {
				next.put(k, field, nil)
			}
		}
	default:
		req.Deletes = []string{k}
		next.delete(k)
		if r.IntN(2) == 0 {
			req.Rows = []api.ValueRow{{Field: "likes", Value: "l1"}, {Field: "city", Value: "A"}}
			for key, fields := range next {
				for _, row := range req.Rows {
					next.put(key, row.Field, slices.DeleteFunc(slices.Clone(fields[row.Field]),
						func(x string) bool { return x == row.Value }))
				}
			}
		}
	}
	holds := true
	for range r.IntN(3) {
		k := key()
		c := api.Requirement{Key: k}
		switch r.IntN(3) {
		case 0:
			c.Exists = new(r.IntN(2) == 0)
			holds = holds && *c.Exists == (model[k] != nil)
		case 1:
			c.Field, c.Value = "city", json.RawMessage("null")
			holds = holds && len(model[k]["city"]) == 0
		default:
			c.Field = []string{"likes", "tags", "knows", "city"}[r.IntN(4)]
			x := map[string]string{"likes": "l2", "tags": "t2", "knows": "p2", "city": "B"}[c.Field]
			c.Value = json.RawMessage(strconv.Quote(x))
			holds = holds && slices.Contains(model[k][c.Field], x)
		}
		req.If = append(req.If, c)
	}
	var reply api.RecordsWriteReply
	err := d.ask(writePath, req, &reply)
	switch {
	case holds && err != nil:
		t.Fatalf("%+v: %v", req, err)
	case !holds && !errors.Is(err, &api.Error{Code: api.CodeConditionFailed}):
		t.Fatalf("%+v: got %v, want a failed condition", req, err)
	case holds:
		clear(model)
		maps.Copy(model, next)
	}
}

// compare compares what is read with the model.
func compare(t *testing.T, r *rand.Rand, d *desk, model people) {
	t.Helper()
	keys, fields := []string{}, []string{"known"}
	for _, f := range declared {
		fields = append(fields, f.Name)
	}
	for i := range 8 {
		keys = append(keys, "p"+strconv.Itoa(i))
	}
	var got api.RecordsGetReply
	if err := d.ask(getPath, api.RecordsGetRequest{Index: "people", Keys: keys, Fields: fields}, &got); err != nil {
		t.Fatal(err)
	}
	for i, record := range got.Records {
		want := model[keys[i]]
		if record.Missing != (want == nil) {
			t.Fatalf("%s: missing is %v, want %v", keys[i], record.Missing, want == nil)
		}
		for _, field := range fields {
			have, list := textsOf(t, record.Values[field]), slices.Clone(want[field])
			slices.Sort(have)
			if slices.Sort(list); !slices.Equal(have, list) {
				t.Fatalf("%s of %s: got %q, want %q", field, keys[i], have, list)
			}
		}
	}
	compareSorted(t, r, d, model)
}

// compareSorted lists the records that have a city by age and key.
func compareSorted(t *testing.T, r *rand.Rand, d *desk, model people) {
	t.Helper()
	var want, have []string
	for key, fields := range model {
		if len(fields["city"]) > 0 {
			want = append(want, key)
		}
	}
	age := func(key string) int { x, _ := strconv.Atoi(strings.Join(model[key]["age"], "")); return x }
	slices.SortFunc(want, func(a, b string) int {
		if x, y := len(model[a]["age"]), len(model[b]["age"]); x != y {
			return y - x
		}
		if x, y := age(a), age(b); x != y {
			return y - x
		}
		return strings.Compare(a, b)
	})
	req := api.RecordsFindRequest{Index: "people", Query: json.RawMessage(`"any(city)"`), Sort: []string{"-age", "key"},
		Limit: 1 + r.IntN(4)}
	for {
		var reply api.RecordsFindReply
		if err := d.ask(findPath, req, &reply); err != nil {
			t.Fatal(err)
		}
		for _, record := range reply.Records {
			have = append(have, record.Key)
		}
		if req.Cursor = reply.Cursor; req.Cursor == "" {
			break
		}
	}
	if !slices.Equal(have, want) {
		t.Fatalf("by -age and key: got %q, want %q", have, want)
	}
}

// textsOf returns the values of a field of an answer.
func textsOf(t *testing.T, raw json.RawMessage) (texts []string) {
	t.Helper()
	switch {
	case raw == nil:
	case raw[0] == '[':
		if err := json.Unmarshal(raw, &texts); err != nil || len(texts) == 0 {
			t.Fatalf("got %s, %v, want a list with values", raw, err)
		}
	case raw[0] == '"':
		texts = []string{""}
		if err := json.Unmarshal(raw, &texts[0]); err != nil {
			t.Fatal(err)
		}
	default:
		texts = []string{string(raw)}
	}
	return texts
}

// TestIncrements has eight goroutines count one integer up by comparing and setting it: none is
// lost, and each that came too late is told so.
func TestIncrements(t *testing.T) {
	d := newDesk(t)
	write := func(req api.RecordsWriteRequest) error {
		req.Index = "people"
		return d.ask(writePath, req, nil)
	}
	at := func(n int) api.Values { return api.Values{"age": json.RawMessage(strconv.Itoa(n))} }
	if err := write(api.RecordsWriteRequest{Puts: []api.Record{{Key: "n", Values: at(0)}}}); err != nil {
		t.Fatal(err)
	}
	const goroutines, each = 8, 40
	var wait sync.WaitGroup
	for range goroutines {
		wait.Go(func() {
			for done := 0; done < each; {
				var now api.RecordsGetReply
				err := d.ask(getPath, api.RecordsGetRequest{Index: "people", Keys: []string{"n"}}, &now)
				if err != nil {
					t.Error(err)
					return
				}
				old := now.Records[0].Values["age"]
				n, _ := strconv.Atoi(string(old))
				err = write(api.RecordsWriteRequest{Merges: []api.Record{{Key: "n", Values: at(n + 1)}},
					If: api.Requirements{{Key: "n", Field: "age", Value: old}}})
				switch {
				case err == nil:
					done++
				case !errors.Is(err, &api.Error{Code: api.CodeConditionFailed}):
					t.Error(err)
					return
				}
			}
		})
	}
	wait.Wait()
	var now api.RecordsGetReply
	if err := d.ask(getPath, api.RecordsGetRequest{Index: "people", Keys: []string{"n"}}, &now); err != nil ||
		string(now.Records[0].Values["age"]) != strconv.Itoa(goroutines*each) {
		t.Errorf("got %+v, %v, want %d", now, err, goroutines*each)
	}
}

// TestWholeRecords has eight goroutines put, delete and read the same records in batches, whose
// fields all say who wrote them: nobody ever sees a record of two writers.
func TestWholeRecords(t *testing.T) {
	d := newDesk(t)
	var wait sync.WaitGroup
	for g := range 8 {
		wait.Go(func() {
			r := rand.New(rand.NewPCG(uint64(g), 5))
			for n := range 60 {
				x := fmt.Sprint("w", g, "-", n)
				var req api.RecordsWriteRequest
				for _, k := range r.Perm(12)[:1+r.IntN(6)] {
					key := "p" + strconv.Itoa(k)
					if r.IntN(8) == 0 {
						req.Deletes = append(req.Deletes, key)
						continue
					}
					values, err := api.ValuesOf(map[string]any{"city": x, "likes": []string{x, x + "+"}, "tags": x,
						"knows": "friend of " + x, "age": 100*g + n})
					if err != nil {
						t.Error(err)
					}
					req.Puts = append(req.Puts, api.Record{Key: key, Values: values})
				}
				req.Index = "people"
				if err := d.ask(writePath, req, nil); err != nil {
					t.Error(err)
				}
				if n%20 == g {
					if ix, err := d.db.Index("people"); err != nil || ix.Flush(t.Context()) != nil {
						t.Error("no flush")
					}
				}
				wholeRecords(t, d)
			}
		})
	}
	wait.Wait()
}

// wholeRecords reads the records of TestWholeRecords.
func wholeRecords(t *testing.T, d *desk) {
	keys := make([]string, 12)
	for i := range keys {
		keys[i] = "p" + strconv.Itoa(i)
	}
	var got api.RecordsGetReply
	if err := d.ask(getPath, api.RecordsGetRequest{Index: "people", Keys: keys}, &got); err != nil {
		t.Error(err)
		return
	}
	for _, record := range got.Records {
		if record.Missing {
			continue
		}
		var x string
		if err := json.Unmarshal(record.Values["city"], &x); err != nil {
			t.Error(err)
			return
		}
		var g, n int
		if _, err := fmt.Sscanf(x, "w%d-%d", &g, &n); err != nil {
			t.Error(err)
		}
		likes := []string{x, x + "+"}
		for field, want := range map[string]any{"likes": likes, "tags": likes[:1], "knows": []string{"friend of " + x},
			"age": 100*g + n} {
			if text, _ := json.Marshal(want); string(record.Values[field]) != string(text) {
				t.Errorf("%s of %s: got %s, want %s", field, record.Key, record.Values[field], text)
			}
		}
	}
}
