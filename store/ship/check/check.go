// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package check finds out whether storage keeps the contract of engines of objects. Several
// processes race to create objects of the same names: storage that lets two of them win, that does
// not show an object at once, or that loses one, would lose what writers have acknowledged.
package check

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/ship"
)

// Bounds of Options.
const (
	MaxProcesses = 64
	MaxNames     = 100_000
)

// Options say how storage is checked.
type Options struct {
	Processes int // that race; from 2 to MaxProcesses
	Names     int // that they race for; from 1 to MaxNames

	// Command returns a process that calls Race with its standard input and output.
	Command func(context.Context) *exec.Cmd

	// Progress is told how many of the names are done. It may be nil.
	Progress func(done, total int)
}

// Fault is a sentence of the contract that the storage broke.
type Fault struct {
	What string `json:"what"`
	Name string `json:"name"` // of the object
	Got  string `json:"got"`
	Want string `json:"want"`
}

// Report is what a check found.
type Report struct {
	Passed    bool     `json:"passed"`
	Processes int      `json:"processes"`
	Names     int      `json:"names"`
	Created   int      `json:"created"`          // calls of Create that returned nil
	Existed   int      `json:"existed"`          // calls that found an object
	Unknown   int      `json:"unknown"`          // calls without an outcome: the object had to be read
	Latencies Timings  `json:"latencies"`        // of the race
	Faults    []Fault  `json:"faults"`           // at most maxFaults
	More      int      `json:"more,omitempty"`   // faults that are not listed
	Errors    []string `json:"errors,omitempty"` // of calls without an outcome, some
}

const (
	maxFaults = 20
	maxErrors = 3

	// race is the prefix of the objects of checks.
	race = "check/"
)

func (r *Report) fault(what, name, got, want string) {
	r.Passed = false
	if len(r.Faults) == maxFaults {
		r.More++
		return
	}
	r.Faults = append(r.Faults, Fault{what, name, got, want})
}

// Passed reports whether a check of the storage has passed, and none has failed since. Errors: the
// engine's.
func Passed(ctx context.Context, e ship.Engine) (bool, error) {
	_, err := e.Get(ctx, ship.Checked)
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// Run checks storage. When that has passed, it creates the object ship.Checked; when not, it
// deletes it. It removes all else that it created. Errors: the engine's when the storage cannot be
// checked, or the processes'; a Report that has not passed is none.
func Run(ctx context.Context, e ship.Engine, o Options) (*Report, error) {
	if o.Processes < 2 || o.Processes > MaxProcesses || o.Names < 1 || o.Names > MaxNames {
		return nil, fmt.Errorf("ship/check: got %d processes and %d names, want from 2 to %d and from 1 to %d",
			o.Processes, o.Names, MaxProcesses, MaxNames)
	}
	r := &Report{Passed: true, Processes: o.Processes, Names: o.Names, Faults: []Fault{}}
	id := fmt.Sprintf("%s%d-%08x/", race, time.Now().Unix(), rand.Uint32())
	err := checkAlone(ctx, e, id+"alone/", r)
	if err == nil {
		err = raceProcesses(ctx, e, id+"race/", o, r)
	}
	cleanErr := clean(context.WithoutCancel(ctx), e, id, r)
	if err = errors.Join(err, cleanErr); err != nil {
		return nil, err
	}
	return r, record(ctx, e, r)
}

// record notes the outcome where writers look for it.
func record(ctx context.Context, e ship.Engine, r *Report) error {
	if !r.Passed {
		return again(ctx, func() error { return e.Delete(ctx, ship.Checked) })
	}
	text, err := json.Marshal(struct {
		At        time.Time
		Processes int
		Names     int
	}{time.Now().UTC(), r.Processes, r.Names})
	if err != nil {
		return err
	}
	err = again(ctx, func() error { return e.Create(ctx, ship.Checked, text) })
	if errors.Is(err, ship.ErrExists) {
		return nil // of an earlier check, or ours
	}
	return err
}

// attempts is how often a call is made that fails with store.ErrUnavailable.
const attempts = 10

// again makes a call until its outcome is known.
func again(ctx context.Context, call func() error) (err error) {
	for i := range attempts {
		if err = call(); !errors.Is(err, store.ErrUnavailable) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Duration(1<<i) * 5 * time.Millisecond):
		}
	}
	return err
}

// checkAlone does by itself what needs no other process: it tells storage that knows nothing of
// conditions, or that is not there, at once.
func checkAlone(ctx context.Context, e ship.Engine, prefix string, r *Report) error {
	for _, size := range []int{0, 1, 100_000, 8 << 20} {
		name := fmt.Sprintf("%s%d", prefix, size)
		data := content(name, 0, size)
		unknown := false
		err := again(ctx, func() error {
			err := e.Create(ctx, name, data)
			unknown = unknown || errors.Is(err, store.ErrUnavailable)
			return err
		})
		if err != nil && !(unknown && errors.Is(err, ship.ErrExists)) {
			return err
		}
		got, err := read(ctx, e, name)
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return err
		}
		if string(got) != string(data) || err != nil {
			r.fault("an object is not what was created", name, describe(got, err), fmt.Sprintf("%d bytes", size))
			continue
		}
		switch err := again(ctx, func() error { return e.Create(ctx, name, content(name, 1, size+1)) }); {
		case err == nil:
			r.fault("a second Create of a name won", name, "created", "refused: there is an object")
		case !errors.Is(err, ship.ErrExists):
			return err
		}
	}
	return nil
}

// content is what a process writes under a name: no two have the same.
func content(name string, process, size int) []byte {
	head := fmt.Sprintf("%s of process %d;", name, process)
	if size <= len(head) {
		return []byte(strings.Repeat(string(rune('a'+process)), size))
	}
	return append([]byte(head), make([]byte, size-len(head))...)
}

// read returns an object.
func read(ctx context.Context, e ship.Engine, name string) (data []byte, err error) {
	err = again(ctx, func() error {
		data, err = e.Get(ctx, name)
		return err
	})
	return data, err
}

// describe says what a Get returned.
func describe(data []byte, err error) string {
	if err != nil {
		return err.Error()
	}
	head, _, found := strings.Cut(string(data[:min(len(data), 200)]), ";")
	if !found {
		return fmt.Sprintf("%d bytes", len(data))
	}
	return fmt.Sprintf("%d bytes: %s", len(data), head)
}

// clean removes what a check has created, and looks that it is gone.
func clean(ctx context.Context, e ship.Engine, prefix string, r *Report) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	names, err := list(ctx, e, prefix)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := again(ctx, func() error { return e.Delete(ctx, name) }); err != nil {
			return err
		}
	}
	left, err := list(ctx, e, prefix)
	if err != nil {
		return err
	}
	for _, name := range left {
		if slices.Contains(names, name) {
			r.fault("List shows an object that was deleted", name, "listed", "not listed")
		}
	}
	return nil
}

// list returns the names below a prefix.
func list(ctx context.Context, e ship.Engine, prefix string) (names []string, err error) {
	err = again(ctx, func() error {
		names = nil
		for name, err := range e.List(ctx, prefix, "") {
			if err != nil {
				return err
			}
			names = append(names, name)
		}
		return nil
	})
	return names, err
}
