// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package benchwrite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"time"

	"github.com/uproar-db/uproar/cmd/uproar/procfs"
)

// Run measures. When ctx ends, it ends writing and waiting, and reports what it has. The folder is
// left as it is, closed.
//
// Errors: what Options cannot be, or the store's. There is a report whenever writing had begun.
func Run(ctx context.Context, opts Options) (*Report, error) {
	if err := opts.Check(); err != nil {
		return nil, err
	}
	if opts.Phase == nil {
		opts.Phase = func(string) {}
	}
	if opts.Progress == nil {
		opts.Progress = func(Progress) {}
	}
	if err := os.MkdirAll(opts.Dir, 0o755); err != nil {
		return nil, err
	}
	engine, err := openEngine(&opts)
	if err != nil {
		return nil, err
	}
	var work load
	if opts.Mode == Lists {
		work = &lists{opts: &opts, engine: engine}
	} else {
		work = newEntries(&opts, engine)
	}
	b := &bench{opts: &opts, work: work, engine: engine}
	b.report = &Report{Mode: opts.Mode, Store: opts.Store, Seed: opts.Seed, Batch: opts.Batch, Writers: opts.Writers,
		Writing: Writing{Intervals: []Interval{}, Stalls: []Stall{}}}
	return b.run(ctx)
}

func (b *bench) run(ctx context.Context) (*Report, error) {
	r, o := b.report, b.opts
	start := time.Now()
	o.Phase("preparing")
	if err := b.work.prepare(ctx); err != nil {
		return nil, errors.Join(err, b.work.close())
	}
	r.Writing.Prepared = seconds(time.Since(start))
	r.Found = b.work.found()
	debug.FreeOSMemory() // what preparing took is not to be counted
	r.Ceiling.Append = int64(b.work.batchBytes())
	err := b.measureCeiling(ctx, &r.Ceiling.Before)
	if err == nil {
		err = b.readAlone(ctx)
	}
	if err == nil {
		err = b.write(ctx)
	}
	if err == nil {
		err = b.measureCeiling(ctx, &r.Ceiling.After)
	}
	if err == nil {
		err = b.profile()
	}
	r.Interrupted = ctx.Err() != nil
	if better := max(r.Ceiling.Before, r.Ceiling.After); better > 0 && r.Writing.Seconds > 0 &&
		len(r.Ceiling.Turns) == 0 {
		r.Ceiling.Appends = better / float64(r.Ceiling.Append)
		r.Ceiling.Ratio = float64(r.Writing.Bytes) / r.Writing.Seconds / better
	}
	if err == nil {
		err = b.idle(ctx)
	}
	if err == nil {
		err = b.readAlone(ctx)
	}
	return r, errors.Join(err, b.reopen(ctx))
}

// idle waits, and notes what the store has become.
func (b *bench) idle(ctx context.Context) error {
	r, o := b.report, b.opts
	before := procfs.Written()
	err := b.work.finish(ctx, r)
	if err == nil && o.Idle > 0 && ctx.Err() == nil {
		o.Phase("waiting")
		for start := time.Now(); time.Since(start) < o.Idle && ctx.Err() == nil; {
			o.Progress(Progress{Done: int64(time.Since(start)), Total: int64(o.Idle), Disk: b.engine.size()})
			sleep(ctx, min(o.Idle/20, time.Second))
		}
	}
	r.Disk.Idle = b.engine.size()
	if r.Disk.Written >= 0 {
		r.Disk.After = procfs.Written() - before
		if r.Writing.Count > 0 {
			all := float64(r.Disk.Written + r.Disk.After)
			r.Disk.PerOne, r.Disk.Factor = all/float64(r.Writing.Count), all/float64(r.Writing.Bytes)
		}
	}
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	r.Engine.Heap = int64(stats.HeapAlloc)
	return err
}

// profile writes the profile of the heap.
func (b *bench) profile() error {
	if b.opts.Measure.Profile == "" {
		return nil
	}
	f, err := os.Create(b.opts.Measure.Profile)
	if err != nil {
		return err
	}
	return errors.Join(pprof.Lookup("heap").WriteTo(f, 0), f.Close())
}

// reopen closes the store, opens it again, and closes it.
func (b *bench) reopen(ctx context.Context) error {
	b.opts.Phase("closing")
	start := time.Now()
	if err := b.work.close(); err != nil {
		return err
	}
	b.report.Close = seconds(time.Since(start))
	start = time.Now()
	if err := b.work.open(context.WithoutCancel(ctx)); err != nil {
		return fmt.Errorf("opening again: %w", err)
	}
	b.report.Open = seconds(time.Since(start))
	return b.work.close()
}

// measureCeiling measures what the disk does with appends of a batch's size.
func (b *bench) measureCeiling(ctx context.Context, rate *float64) (err error) {
	if b.opts.Measure.Ceiling <= 0 || ctx.Err() != nil {
		return nil
	}
	b.opts.Phase("measuring the disk")
	*rate, err = AppendRate(ctx, filepath.Join(b.opts.Dir, "ceiling"), b.work.batchBytes(), b.opts.Measure.Ceiling)
	return err
}
