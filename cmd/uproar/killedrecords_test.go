// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/client"
)

// person is what a record has: lists of texts, texts, and numbers as texts.
type person map[string][]string

// writer writes records of its own, and knows what each has. After a write of which nobody knows
// whether it was done, the records are as before it, or all as after it.
type writer struct {
	r      *rand.Rand
	name   string
	state  map[string]person
	doubt  map[string]person // what the records have if the last write was done; nil: it was answered
	writes atomic.Int64
	failed atomic.Int64 // conditions that did not hold
}

// fields of the records, with how many values each may have.
var personFields = []api.Field{{Name: "city", Type: "single"}, {Name: "likes", Type: "set"},
	{Name: "age", Type: "integer"}, {Name: "born", Type: "integer", Format: "date"}}

// keysEach is how many records a writer has, roundPatience how long a round may take.
const (
	keysEach      = 12
	roundPatience = 3 * time.Minute
)

func (w *writer) key() string { return w.name + strconv.Itoa(w.r.IntN(keysEach)) }

// draw draws values for some fields.
func (w *writer) draw() (api.Values, person) {
	values, texts := map[string]any{}, person{}
	for _, f := range personFields {
		var list []string
		switch w.r.IntN(4) {
		case 0:
			continue
		case 1: // no value
		default:
			switch n := w.r.IntN(90); f.Name {
			case "city":
				list = []string{"c" + strconv.Itoa(n%5)}
			case "age":
				list = []string{strconv.Itoa(n)}
			case "born":
				list = []string{fmt.Sprintf("19%02d-05-01", n)}
			default:
				list = []string{"l" + strconv.Itoa(n%4), "l" + strconv.Itoa(4+n%3)}
			}
		}
		switch {
		case f.Type == "set":
			values[f.Name] = append([]string{}, list...)
		case len(list) == 0:
			values[f.Name] = nil
		default:
			values[f.Name] = list[0]
		}
		texts[f.Name] = list
	}
	drawn, err := api.ValuesOf(values)
	if err != nil {
		panic(err)
	}
	return drawn, texts
}

// batch draws a write of several records, and returns what they have afterwards: puts come first,
// then merges, clears and deletes, and of two items of a list the last counts.
func (w *writer) batch() (req api.RecordsWriteRequest, after map[string]person, holds bool) {
	req.Index, after, holds = "people", map[string]person{}, true
	for key, p := range w.state {
		after[key] = maps.Clone(p)
	}
	for range 1 + w.r.IntN(4) {
		values, texts := w.draw()
		key := w.key()
		req.Puts, after[key] = append(req.Puts, api.Record{Key: key, Values: values}), texts
	}
	for range w.r.IntN(4) {
		values, texts := w.draw()
		key := w.key()
		req.Merges = append(req.Merges, api.Record{Key: key, Values: values})
		if after[key] == nil {
			after[key] = person{}
		}
		maps.Copy(after[key], texts)
	}
	for range w.r.IntN(3) {
		key, field := w.key(), personFields[w.r.IntN(len(personFields))].Name
		req.Clears = append(req.Clears, api.RecordFields{Key: key, Fields: []string{field}})
		if after[key] != nil {
			delete(after[key], field)
		}
	}
	for range w.r.IntN(3) {
		key := w.key()
		req.Deletes = append(req.Deletes, key)
		delete(after, key)
	}
	for range w.r.IntN(3) {
		c := api.Requirement{Key: w.key()}
		had := w.state[c.Key]
		switch field := personFields[w.r.IntN(len(personFields))].Name; w.r.IntN(3) {
		case 0:
			c.Exists = new(w.r.IntN(2) == 0)
			holds = holds && *c.Exists == (had != nil)
		case 1:
			c.Field, c.Value = field, json.RawMessage("null")
			holds = holds && len(had[field]) == 0
		default: // mostly of what it has
			value := map[string]string{"city": "c1", "likes": "l1", "age": "30", "born": "1930-05-01"}[field]
			if len(had[field]) > 0 && w.r.IntN(4) > 0 {
				value = had[field][0]
			}
			c.Field, c.Value = field, json.RawMessage(strconv.Quote(value))
			holds = holds && slices.Contains(had[field], value)
		}
		req.If = append(req.If, c)
	}
	return req, after, holds
}

// run writes until the server is gone.
func (w *writer) run(ctx context.Context, t *testing.T, c *client.Client) {
	for ctx.Err() == nil {
		req, after, holds := w.batch()
		if holds {
			w.doubt = after
		}
		_, err := c.WriteRecords(ctx, req)
		refused := errors.Is(err, &api.Error{Code: api.CodeConditionFailed})
		switch {
		case err == nil && !holds:
			t.Errorf("%+v was done, want a failed condition: %v", req, w.state)
			return
		case refused && holds:
			t.Errorf("%+v was refused, though its conditions hold: %v", req, w.state)
			return
		case refused:
			w.failed.Add(1)
		case err != nil:
			if e, ok := errors.AsType[*api.Error](err); ok && e.Code != api.CodeUnavailable {
				t.Errorf("%+v: %v", req, err)
			}
			return // the server is gone, and doubt stays
		default:
			w.state, w.doubt = after, nil
			w.writes.Add(1)
		}
	}
}

// check compares the records with what the writer knows of them.
func (w *writer) check(ctx context.Context, t *testing.T, c *client.Client) {
	var keys []string
	for i := range keysEach {
		keys = append(keys, w.name+strconv.Itoa(i))
	}
	records, err := c.Records(ctx, "people", keys)
	if err != nil {
		t.Fatal(err)
	}
	there := map[string]person{}
	for _, r := range records {
		if r.Missing {
			continue
		}
		p := person{}
		for field, raw := range r.Values {
			var list []string
			if json.Unmarshal(raw, &list) != nil {
				text := string(raw)
				if unquoted, err := strconv.Unquote(text); err == nil {
					text = unquoted
				}
				list = []string{text}
			}
			p[field] = list
		}
		there[r.Key] = p
	}
	switch {
	case samePeople(there, w.state):
	case w.doubt != nil && samePeople(there, w.doubt):
		w.state = w.doubt
	default:
		t.Fatalf("got %v, want %v, or %v", there, w.state, w.doubt)
	}
	w.doubt = nil
}

// samePeople reports whether records have the same values.
func samePeople(a, b map[string]person) bool {
	return maps.EqualFunc(a, b, func(p, q person) bool {
		for _, f := range personFields {
			x, y := slices.Sorted(slices.Values(p[f.Name])), slices.Sorted(slices.Values(q[f.Name]))
			if !slices.Equal(x, y) {
				return false
			}
		}
		return true
	})
}

// TestKilledRecords kills a server in the midst of batches of puts, merges, clears and deletes with
// conditions. Each batch is done whole or not at all, those that were acknowledged are done, and
// reads by key and counts by query agree with a plain model.
func TestKilledRecords(t *testing.T) {
	rounds, longest := 6, 300*time.Millisecond
	if testing.Short() {
		rounds, longest = 2, 100*time.Millisecond
	}
	dir := filepath.Join(t.TempDir(), "db")
	seed := rand.Uint64()
	t.Log("seed", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	var writers []*writer
	for i := range 4 {
		writers = append(writers, &writer{r: rand.New(rand.NewPCG(seed, uint64(2+i))), name: string(rune('a' + i)),
			state: map[string]person{}})
	}
	serve := func() (*exec.Cmd, *client.Client) {
		cmd := exec.Command("uproar", "serve", "--dir", dir, "--addr", "127.0.0.1:0", "--log-format", "json",
			"--delta", "64KiB")
		c, err := client.New(served(t, cmd), &client.Options{Retries: -1})
		if err != nil {
			t.Fatal(err)
		}
		return cmd, c
	}
	for round := range killRounds(t, rounds) {
		ctx, cancel := context.WithTimeout(t.Context(), roundPatience)
		cmd, c := serve()
		if round == 0 {
			if _, err := c.Indexes().Create(ctx, "people", personFields...); err != nil {
				t.Fatal(err)
			}
		}
		for _, w := range writers {
			w.check(ctx, t, c)
		}
		checkCounts(ctx, t, c, writers)
		var all sync.WaitGroup
		writes, failed := writers[0].writes.Load(), writers[0].failed.Load()
		for _, w := range writers {
			all.Go(func() { w.run(ctx, t, c) })
		}
		begun := func() bool { return writers[0].writes.Load() >= writes+5 && writers[0].failed.Load() >= failed+5 }
		for ctx.Err() == nil && !t.Failed() && !begun() {
			time.Sleep(time.Millisecond)
		}
		if ctx.Err() != nil {
			t.Fatalf("in round %d: %d writes, and %d whose conditions did not hold, in %v", round,
				writers[0].writes.Load()-writes, writers[0].failed.Load()-failed, roundPatience)
		}
		time.Sleep(time.Duration(r.Int64N(int64(longest))))
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		all.Wait()
		c.Close()
		cancel()
		if t.Failed() {
			t.Fatalf("in round %d", round)
		}
	}
	cmd, c := serve()
	writes, failed := int64(0), int64(0)
	for _, w := range writers {
		w.check(t.Context(), t, c)
		writes, failed = writes+w.writes.Load(), failed+w.failed.Load()
	}
	checkCounts(t.Context(), t, c, writers)
	c.Close()
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	t.Logf("%d writes, and %d whose conditions did not hold", writes, failed)
}

// checkCounts compares counts by query with what all writers know.
func checkCounts(ctx context.Context, t *testing.T, c *client.Client, writers []*writer) {
	t.Helper()
	for text, holds := range map[string]func(person) bool{
		"all":        func(person) bool { return true },
		"city = c1":  func(p person) bool { return slices.Contains(p["city"], "c1") },
		"likes = l1": func(p person) bool { return slices.Contains(p["likes"], "l1") },
		"age < 50": func(p person) bool {
			n, err := strconv.Atoi(first(p["age"]))
			return err == nil && n < 50
		},
		"born < 1950-01-01": func(p person) bool { return len(p["born"]) > 0 && p["born"][0] < "1950-01-01" },
	} {
		want := uint64(0)
		for _, w := range writers {
			for _, p := range w.state {
				if holds(p) {
					want++
				}
			}
		}
		if n, err := c.Count(ctx, "people", text); err != nil || n != want {
			t.Errorf("%s: got %d, %v, want %d", text, n, err, want)
		}
	}
}

func first(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[0]
}
