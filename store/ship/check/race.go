// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package check

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/ship"
)

const (
	// racers is how many names a process races for at a time.
	racers = 4

	// pace is the time from one name to the next: the processes begin with each together.
	pace = 8 * time.Millisecond

	// raceBytes is the size of an object.
	raceBytes = 2000
)

// task is what a process is told.
type task struct {
	Prefix  string
	Process int
	Names   int
	Start   time.Time // of the first name; on one machine all have one clock
}

func (t task) name(i int) string { return fmt.Sprintf("%s%06d", t.Prefix, i) }

// outcome is what became of a call of Create.
type outcome uint8

const (
	unknown outcome = iota
	created
	existed
)

// result is what a process found, a message of its own for each name.
type result struct {
	Name     int
	Outcome  outcome
	Error    string        `json:",omitempty"` // why it is unknown
	Fault    *Fault        `json:",omitempty"`
	Create   time.Duration // how long the calls took
	Get      time.Duration
	List     time.Duration
	Fatal    string `json:",omitempty"` // the process ends with it
	Finished bool   `json:",omitempty"` // the last message
}

// Race is the part of one process: it reads what to do, and writes what it found. It is called in a
// process that Options.Command starts. Errors are told to the process that started it, too.
func Race(ctx context.Context, open func(context.Context) (ship.Engine, error), in io.Reader, out io.Writer) error {
	lines, messages := json.NewDecoder(in), json.NewEncoder(out)
	var mu sync.Mutex
	tell := func(r result) error {
		mu.Lock()
		defer mu.Unlock()
		return messages.Encode(r)
	}
	fatal := func(err error) error { return errors.Join(err, tell(result{Fatal: err.Error()})) }
	e, err := open(ctx)
	if err != nil {
		return fatal(err)
	}
	defer func() { _ = e.Close() }()
	// The connection is made before the race.
	if _, err := read(ctx, e, ship.Checked); err != nil && !errors.Is(err, store.ErrNotFound) {
		return fatal(err)
	}
	if err := tell(result{}); err != nil { // ready
		return err
	}
	var t task
	if err := lines.Decode(&t); err != nil {
		return fatal(fmt.Errorf("ship/check: read the task: %w", err))
	}
	var wg sync.WaitGroup
	failures := make([]error, racers)
	for w := range racers {
		wg.Go(func() {
			for i := w; i < t.Names && failures[w] == nil && ctx.Err() == nil; i += racers {
				time.Sleep(time.Until(t.Start.Add(time.Duration(i) * pace)))
				r, err := t.one(ctx, e, i)
				failures[w] = errors.Join(err, tell(r))
			}
		})
	}
	wg.Wait()
	if err := errors.Join(append(failures, ctx.Err())...); err != nil {
		return fatal(err)
	}
	return tell(result{Finished: true})
}

// one races for one name. Whoever's object it is, it is there at once.
func (t task) one(ctx context.Context, e ship.Engine, i int) (r result, err error) {
	name := t.name(i)
	r.Name = i
	data := content(name, t.Process, raceBytes)
	began := time.Now()
	err = e.Create(ctx, name, data)
	r.Create = time.Since(began)
	switch {
	case err == nil:
		r.Outcome = created
	case errors.Is(err, ship.ErrExists):
		r.Outcome = existed
	case errors.Is(err, store.ErrUnavailable) && ctx.Err() == nil:
		r.Outcome, r.Error = unknown, err.Error()
		return r, nil
	default:
		return r, err
	}
	began = time.Now()
	got, err := read(ctx, e, name)
	r.Get = time.Since(began)
	switch {
	case errors.Is(err, store.ErrNotFound):
		r.Fault = &Fault{"Get does not show an object at once", name, "not found", "the object"}
		return r, nil
	case err != nil:
		return r, err
	case r.Outcome == created && string(got) != string(data):
		r.Fault = &Fault{"an object is not that of the call that created it", name, describe(got, nil),
			describe(data, nil)}
	}
	began = time.Now()
	names, err := list(ctx, e, name)
	r.List = time.Since(began)
	if err == nil && !slices.Contains(names, name) {
		r.Fault = &Fault{"List does not show an object at once", name, fmt.Sprintf("%d names", len(names)), name}
	}
	return r, err
}
