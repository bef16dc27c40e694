// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package check

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/ship"
)

// Timing is how long calls took, in milliseconds.
type Timing struct {
	Median float64 `json:"median_ms"`
	P99    float64 `json:"p99_ms"`
	Max    float64 `json:"max_ms"`
}

// Timings are those of the calls of a race, which has several under way at a time.
type Timings struct {
	Create Timing `json:"create"`
	Get    Timing `json:"get"`
	List   Timing `json:"list"`
}

func timingOf(durations []time.Duration) (t Timing) {
	if len(durations) == 0 {
		return t
	}
	slices.Sort(durations)
	at := func(share float64) float64 {
		return float64(durations[int(share*float64(len(durations)-1))]) / float64(time.Millisecond)
	}
	return Timing{at(0.5), at(0.99), at(1)}
}

// process is one of those that race.
type process struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     *json.Decoder
	errText bytes.Buffer // whole when the process has ended
	wait    func() error // until it has ended
}

// start starts a process, and waits until it can begin.
func start(ctx context.Context, command func(context.Context) *exec.Cmd) (p *process, err error) {
	p = &process{cmd: command(ctx)}
	p.cmd.Stderr = &p.errText
	out, err := p.cmd.StdoutPipe()
	if err == nil {
		p.in, err = p.cmd.StdinPipe()
	}
	if err == nil {
		err = p.cmd.Start()
	}
	if err != nil {
		return nil, fmt.Errorf("ship/check: start a process: %w", err)
	}
	p.out, p.wait = json.NewDecoder(out), sync.OnceValue(p.cmd.Wait)
	return p, nil
}

// next returns what the process says next.
func (p *process) next() (r result, err error) {
	if err := p.out.Decode(&r); err != nil {
		_ = p.in.Close()
		_ = p.cmd.Process.Kill() // it says nothing more that can be understood
		_ = p.wait()
		text := strings.TrimSpace(p.errText.String())
		return r, fmt.Errorf("ship/check: a process of the race ended: %w %s", err, text)
	}
	if r.Fatal != "" {
		return r, fmt.Errorf("ship/check: a process of the race: %s", r.Fatal)
	}
	return r, nil
}

// stop ends a process.
func (p *process) stop() error {
	_ = p.in.Close() // it has ended, or will for it
	return p.wait()
}

// raceProcesses has processes race, and judges what came of it.
func raceProcesses(ctx context.Context, e ship.Engine, prefix string, o Options, r *Report) (err error) {
	ctx, cancel := context.WithCancel(ctx)
	var processes []*process
	defer func() {
		if err != nil {
			cancel()
		}
		for _, p := range processes {
			if stopErr := p.stop(); err == nil && stopErr != nil {
				err = fmt.Errorf("ship/check: a process of the race: %w %s", stopErr, p.errText.String())
			}
		}
		cancel()
	}()
	for range o.Processes {
		p, err := start(ctx, o.Command)
		if err != nil {
			return err
		}
		processes = append(processes, p)
	}
	for _, p := range processes {
		if _, err := p.next(); err != nil { // it is ready
			return err
		}
	}
	t := task{Prefix: prefix, Names: o.Names, Start: time.Now().Add(50 * time.Millisecond)}
	for i, p := range processes {
		t.Process = i
		if err := json.NewEncoder(p.in).Encode(t); err != nil {
			return fmt.Errorf("ship/check: start the race: %w", err)
		}
	}
	results := make([][]result, o.Names) // by name and process
	for i := range results {
		results[i] = make([]result, o.Processes)
	}
	if err := collect(processes, results, o.Progress); err != nil {
		return err
	}
	return t.judge(ctx, e, results, r)
}

// collect reads what the processes found.
func collect(processes []*process, results [][]result, progress func(done, total int)) error {
	type message struct {
		process int
		result
		err error
	}
	messages := make(chan message, len(processes))
	for i, p := range processes {
		go func() {
			for {
				r, err := p.next()
				messages <- message{i, r, err}
				if err != nil || r.Finished {
					return
				}
			}
		}()
	}
	var failure error
	for running, done := len(processes), 0; running > 0; {
		m := <-messages
		switch {
		case m.err != nil:
			failure = cmp.Or(failure, m.err)
			running--
		case m.Finished:
			running--
		case m.Name < 0 || m.Name >= len(results):
			failure = cmp.Or(failure, fmt.Errorf("ship/check: a process of the race spoke of name %d of %d", m.Name,
				len(results)))
		default:
			results[m.Name][m.process] = m.result
			if done++; progress != nil {
				progress(done/len(processes), len(results))
			}
		}
		if failure != nil {
			for _, p := range processes {
				_ = p.in.Close()
				_ = p.cmd.Process.Kill() // the others have nothing to race for
			}
		}
	}
	return failure
}

// judge compares what the processes were told with each other, and with what is there afterwards.
func (t task) judge(ctx context.Context, e ship.Engine, results [][]result, r *Report) error {
	var creates, gets, lists []time.Duration
	listed, err := list(ctx, e, t.Prefix)
	if err != nil {
		return err
	}
	if !slices.IsSorted(listed) {
		r.fault("List is not in ascending order", t.Prefix, "another order", "the order of the bytes of names")
	}
	for i, of := range results {
		var winners []int
		unknowns := 0
		for p, one := range of {
			creates = append(creates, one.Create)
			if one.Outcome != unknown {
				gets, lists = append(gets, one.Get), append(lists, one.List)
			}
			if one.Fault != nil {
				r.fault(one.Fault.What, one.Fault.Name, one.Fault.Got, one.Fault.Want)
			}
			switch one.Outcome {
			case created:
				r.Created++
				winners = append(winners, p)
			case existed:
				r.Existed++
			default:
				unknowns++
				r.Unknown++
				if one.Error != "" && len(r.Errors) < maxErrors {
					r.Errors = append(r.Errors, one.Error)
				}
			}
		}
		if err := t.judgeName(ctx, e, i, winners, unknowns, len(of), listed, r); err != nil {
			return err
		}
	}
	r.Latencies = Timings{timingOf(creates), timingOf(gets), timingOf(lists)}
	if calls := len(creates); r.Unknown > calls/2 {
		return fmt.Errorf("ship/check: %d of %d calls had no outcome, want less than half: %w; the first: %s", r.Unknown,
			calls, store.ErrUnavailable, append(r.Errors, "")[0])
	}
	return nil
}

// judgeName judges what became of one name.
func (t task) judgeName(ctx context.Context, e ship.Engine, i int, winners []int, unknowns, calls int,
	listed []string, r *Report) error {
	name := t.name(i)
	data, err := read(ctx, e, name)
	missing := errors.Is(err, store.ErrNotFound)
	if err != nil && !missing {
		return err
	}
	_, isListed := slices.BinarySearch(listed, name)
	switch {
	case len(winners) > 1:
		r.fault("several Creates of a name won", name, fmt.Sprintf("created by processes %v", winners), "one of them")
	case missing && (len(winners) > 0 || unknowns < calls):
		r.fault("an object is lost", name, "not found", "the object that was created")
	case len(winners) == 0 && unknowns == 0:
		r.fault("no Create of a name won", name, "all were refused: there is an object", "one that created it")
	case len(winners) == 1 && string(data) != string(content(name, winners[0], raceBytes)):
		r.fault("an object is not that of the call that created it", name, describe(data, nil),
			fmt.Sprintf("that of process %d", winners[0]))
	case !missing && !isListed:
		r.fault("List does not show an object", name, fmt.Sprintf("%d names without it", len(listed)), name)
	}
	return nil
}
