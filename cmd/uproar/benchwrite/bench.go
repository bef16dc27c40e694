// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package benchwrite

import (
	"context"
	"errors"
	"os"
	"runtime/pprof"
	"time"

	"github.com/uproar-db/uproar/store"
)

// load is what a mode writes. Its methods are called by one goroutine, those that they return by
// others.
type load interface {
	// prepare makes what there is before writing begins.
	prepare(ctx context.Context) error
	// found returns how many earlier runs have written, once all is prepared.
	found() int64
	// batchBytes returns the bytes that a batch brings to the store, about.
	batchBytes() int
	// writer returns the function with which one goroutine writes. It commits a batch of n, whose
	// first is number from, and returns its bytes.
	writer(number int) func(ctx context.Context, from int64, n int) (bytes int, err error)
	// end ends what the writers have begun. Its time is a part of writing.
	end() error
	// reader returns the function with which one goroutine asks; nil when nobody does.
	reader(number int) func(ctx context.Context) error
	// finish ends what is under way once writing has ended, and adds to the report.
	finish(ctx context.Context, r *Report) error
	close() error
	// open opens again what close has closed.
	open(ctx context.Context) error
}

// bench is one run.
type bench struct {
	opts   *Options
	work   load
	engine *engine
	report *Report
	meter  *meter
	alone  histogram // of the questions asked while nobody writes
}

// profileCPU begins the profile of the processor, and returns the function that ends it.
func (b *bench) profileCPU() (end func() error, err error) {
	if b.opts.Measure.CPU == "" {
		return func() error { return nil }, nil
	}
	f, err := os.Create(b.opts.Measure.CPU)
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return func() error { pprof.StopCPUProfile(); return f.Close() }, nil
}

// sleep waits, or until ctx ends.
func sleep(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
}

// apply commits a batch of the store, synced.
func apply(s store.Store, b *store.Batch) error { return s.Apply(b, true) }
