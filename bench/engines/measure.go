// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux

package engines

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/uproar-db/uproar/bench/badgerengine"
	"github.com/uproar-db/uproar/bench/command"
	"github.com/uproar-db/uproar/cmd/uproar/benchwrite"
	"github.com/uproar-db/uproar/cmd/uproar/procfs"
	"github.com/uproar-db/uproar/store"
)

// figures are what a measurement tells, by name.
type figures map[string]float64

// measurement is what one process does. Those of the graph that is written find it where the first
// of them has made it, and so do those of pages.
type measurement struct {
	name string
	disk bool // of the disk alone
	run  func(j *job) (figures, error)
}

var measurements = []measurement{
	{"single", false, func(j *job) (figures, error) {
		return j.events(benchwrite.Options{Writers: 64, Batch: 1}, 1)
	}},
	{"batches", false, func(j *job) (figures, error) {
		return j.events(benchwrite.Options{Writers: 8, Batch: 100}, 1)
	}},
	{"at 200/s", false, func(j *job) (figures, error) {
		return j.events(benchwrite.Options{Writers: 64, Batch: 1, Rate: 200}, 0)
	}},
	{"at 20 000/s", false, func(j *job) (figures, error) {
		return j.events(benchwrite.Options{Writers: 64, Batch: 1, Rate: 20_000}, 0)
	}},
	{"graph", false, func(j *job) (figures, error) { return j.graph(j.Sizes.Graph) }},
	{"large graph", false, func(j *job) (figures, error) { return j.graph(j.Sizes.Large) }},
	{"audience", false, (*job).audience},
	{"catalog", false, (*job).catalog},
	{"disk", true, (*job).disk},
	{"pages", false, func(j *job) (figures, error) {
		return j.write("pages", benchwrite.Options{Mode: benchwrite.Pages, Pages: j.Sizes.Pages,
			ValueBytes: j.Sizes.PageBytes, Batch: pagesBatch, Writers: 1, Duration: j.Sizes.Time, Idle: j.Sizes.Idle})
	}},
	{"gets", false, (*job).gets},
	{"one writer", false, func(j *job) (figures, error) {
		return j.entries("one", benchwrite.Options{Batch: 1, Writers: 1, Duration: j.Sizes.Time})
	}},
	{"64 writers", false, func(j *job) (figures, error) {
		return j.entries("many", benchwrite.Options{Batch: 1, Writers: 64, Duration: j.Sizes.Time})
	}},
	{"sorted", false, func(j *job) (figures, error) {
		return j.entries("sorted", benchwrite.Options{Batch: 1000, Writers: 1, Sorted: true,
			Count: j.Sizes.Sorted})
	}},
	{"random", false, func(j *job) (figures, error) {
		return j.entries("random", benchwrite.Options{Batch: 1000, Writers: 4, Count: j.Sizes.Random})
	}},
	{"code", false, func(j *job) (figures, error) { return code(j.Engine) }},
}

func names() (all []string) {
	for _, m := range measurements {
		all = append(all, m.name)
	}
	return all
}

const (
	pagesBatch = 100
	entryBytes = 116 // 16 of the key
	bulkBytes  = 4 << 20
)

// measureChild is the work of a process that measures: it prints its figures as JSON.
func measureChild(text string, stdout io.Writer) error {
	var j job
	if err := json.Unmarshal([]byte(text), &j); err != nil {
		return err
	}
	debug.SetMemoryLimit(2 * j.Sizes.Memory)
	if err := os.MkdirAll(j.Dir, 0o755); err != nil {
		return err
	}
	for _, m := range measurements {
		if m.name != j.Measurement {
			continue
		}
		most := watchMemory()
		f, err := m.run(&j)
		if err != nil {
			return err
		}
		f["memory"] = float64(most())
		return json.NewEncoder(stdout).Encode(f)
	}
	return fmt.Errorf("got measurement %q, want one of %q", j.Measurement, names())
}

// watchMemory returns the function that returns the most anonymous memory since.
func watchMemory() (most func() int64) {
	stop, ended := make(chan struct{}), make(chan int64)
	go func() {
		at := int64(0)
		for {
			at = max(at, procfs.Anonymous())
			select {
			case <-stop:
				ended <- at
				return
			case <-time.After(50 * time.Millisecond):
			}
		}
	}()
	return func() int64 { close(stop); return <-ended }
}

// open opens the store of the engine that is measured. Badger is set up for many small entries, or
// for pages.
func (j *job) open(entries bool) func(dir string) (store.Store, error) {
	return func(dir string) (store.Store, error) {
		if j.Engine == "badger" {
			if err := os.MkdirAll(dir, 0o755); err != nil {
				return nil, err
			}
			return badgerengine.Open(dir, entries)
		}
		return (&command.Engine{Store: j.Engine}).OpenStore(dir, j.Sizes.Memory)
	}
}

// write has benchwrite write.
func (j *job) write(name string, o benchwrite.Options) (figures, error) {
	o.Dir, o.Store, o.Seed, o.KeyBytes = filepath.Join(j.Dir, name), j.Engine, 1, 16
	o.Measure.Interval, o.Graph.Memory = time.Second, j.Sizes.Memory
	if o.Open == nil {
		o.Open = j.open(false)
	}
	r, err := benchwrite.Run(context.Background(), o)
	if err != nil {
		return nil, err
	}
	f := figures{"rate": r.Writing.PerSecond, "MB/s": float64(r.Writing.Bytes) / r.Writing.Seconds / 1e6,
		"p50": r.Writing.Latency.P50,
		"p99": r.Writing.Latency.P99, "written each": r.Disk.PerOne, "factor": r.Disk.Factor,
		"slowest": r.Writing.Slowest / r.Writing.Median, "close": r.Close, "open": r.Open}
	if r.Disk.Live > 0 {
		f["most"], f["idle"] = float64(r.Disk.Most)/float64(r.Disk.Live), float64(r.Disk.Idle)/float64(r.Disk.Live)
	}
	if r.ReadsAlone.Count > 0 {
		f["alone"], f["beside"] = r.ReadsAlone.P99, r.ReadsBeside.P99
		f["times"] = f["beside"] / f["alone"]
	}
	return f, nil
}

// events writes follows through the database.
func (j *job) events(o benchwrite.Options, readers int) (figures, error) {
	o.Mode, o.Duration = benchwrite.Lists, j.Sizes.Time
	o.Graph.Accounts, o.Graph.Follows, o.Graph.Readers = j.Sizes.Accounts, j.Sizes.Follows, readers
	o.Measure.Ceiling = j.Sizes.Time / 6 // for as long reads are measured alone, too
	return j.write("lists", o)
}

// entries writes entries of the store, each under a new key.
func (j *job) entries(name string, o benchwrite.Options) (figures, error) {
	o.Mode, o.ValueBytes, o.Open = benchwrite.Entries, entryBytes-16, j.open(true)
	if j.Engine == "badger" { // whose merges would have commits wait for a time slice each
		runtime.GOMAXPROCS(4 * runtime.GOMAXPROCS(0))
	}
	f, err := j.write(name, o)
	return f, errors.Join(err, os.RemoveAll(filepath.Join(j.Dir, name)))
}

// disk measures what the disk does alone: synced appends of a batch of pages, of an entry, and of
// bulkBytes.
func (j *job) disk() (figures, error) {
	f := figures{}
	for name, size := range map[string]int{"pages": pagesBatch * j.Sizes.PageBytes, "entry": entryBytes,
		"bulk": bulkBytes} {
		rate, err := benchwrite.AppendRate(context.Background(), filepath.Join(j.Dir, "appended"), size, j.Sizes.Time/3)
		if err != nil {
			return nil, err
		}
		f[name], f[name+" MB/s"] = rate/float64(size), rate/1e6
	}
	return f, nil
}
