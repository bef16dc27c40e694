// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package benchwrite

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/uproar-db/uproar/cmd/uproar/procfs"
	"github.com/uproar-db/uproar/internal/processor"
)

// write has the writers write, and readers ask meanwhile.
func (b *bench) write(ctx context.Context) error {
	r, o := b.report, b.opts
	if ctx.Err() != nil {
		return nil
	}
	o.Phase("writing")
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var turns turns
	taken := o.Mode == Pages && o.Measure.Ceiling > 0 && o.Measure.Turn > 0
	if o.Duration > 0 && !taken {
		ctx, cancel = context.WithTimeout(ctx, o.Duration)
		defer cancel()
	}
	endProfile, err := b.profileCPU()
	if err != nil {
		return err
	}
	before, worked := procfs.Written(), processor.Time()
	compactor, err := b.newCompactor()
	if err != nil {
		return errors.Join(err, endProfile())
	}
	b.meter = newMeter(o, b.engine)
	b.meter.compact = compactor
	pace := newPace(o.Rate)
	var next, failures = atomic.Int64{}, make(chan error, o.Writers+o.Graph.Readers+2)
	var writers, readers sync.WaitGroup
	asked := make([]histogram, o.Graph.Readers)
	reading, stopReading := context.WithCancel(ctx)
	defer stopReading()
	for i := range o.Graph.Readers {
		readers.Go(func() { failures <- ask(reading, b.work.reader(i), &asked[i]) })
	}
	for i := range o.Writers {
		write := b.work.writer(i)
		writers.Go(func() {
			err := b.writeOn(ctx, write, &next, pace, &turns.writing)
			if err != nil {
				cancel() // the others need not go on
			}
			failures <- err
		})
	}
	var alone sync.WaitGroup
	compacting, stopCompacting := context.WithCancel(ctx)
	defer stopCompacting()
	if compactor != nil {
		alone.Go(func() {
			err := compactor.run(compacting)
			if err != nil {
				cancel()
			}
			failures <- err
		})
	}
	if taken {
		alone.Go(func() { turns.run(ctx, b, cancel) })
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		writers.Wait()
		failures <- b.work.end()
	}()
	b.meter.watch(done)
	cancel()
	alone.Wait()
	stopReading()
	readers.Wait()
	close(failures)
	err = errors.Join(endProfile(), turns.err)
	for e := range failures {
		err = errors.Join(err, e)
	}
	b.meter.report(r)
	turns.report(&r.Ceiling)
	compactor.report(r)
	for i := range asked[:max(0, len(asked)-1)] {
		asked[len(asked)-1].add(&asked[i])
	}
	if o.Graph.Readers > 0 {
		r.ReadsBeside = asked[len(asked)-1].latency()
	}
	r.Writing.Processor = -1
	if worked >= 0 {
		r.Writing.Processor = seconds(processor.Time() - worked - turns.processor)
	}
	r.Disk.Written = -1
	if before >= 0 {
		r.Disk.Written = procfs.Written() - before - turns.written
	}
	return err
}

// writeOn writes batches until there are enough, or ctx ends.
func (b *bench) writeOn(ctx context.Context, commit func(context.Context, int64, int) (int, error), next *atomic.Int64,
	pace *pace, writing *sync.RWMutex) error {
	o := b.opts
	for ctx.Err() == nil {
		to := next.Add(int64(o.Batch))
		from := to - int64(o.Batch)
		if o.Count > 0 {
			to = min(to, o.Count)
		}
		if from >= to {
			return nil
		}
		if !pace.take(ctx, int(to-from)) {
			return nil
		}
		writing.RLock()
		if ctx.Err() != nil { // the time ended with the turn of the disk
			writing.RUnlock()
			return nil
		}
		start := time.Now()
		// A batch that has begun is carried through, so that what is counted is what was written.
		bytes, err := commit(context.WithoutCancel(ctx), from, int(to-from))
		writing.RUnlock()
		if err != nil {
			return err
		}
		b.meter.note(to-from, int64(bytes), time.Since(start))
	}
	return nil
}

// readAlone measures the readers without writers: before the writers start, and after all is
// flushed. The comparison uses both together, because lists grow while they are written, and
// machines drift.
func (b *bench) readAlone(ctx context.Context) error {
	o := b.opts
	if o.Graph.Readers == 0 || ctx.Err() != nil {
		return nil
	}
	o.Phase("reading alone")
	asked, failures := make([]histogram, o.Graph.Readers), make([]error, o.Graph.Readers)
	for range 2 { // the first time fills the caches
		clear(asked)
		reading, stop := context.WithTimeout(ctx, max(o.Measure.Ceiling, 100*time.Millisecond))
		var readers sync.WaitGroup
		for i := range o.Graph.Readers {
			readers.Go(func() { failures[i] = ask(reading, b.work.reader(i), &asked[i]) })
		}
		readers.Wait()
		stop()
	}
	for i := range asked {
		b.alone.add(&asked[i])
	}
	b.report.ReadsAlone = b.alone.latency()
	return errors.Join(failures...)
}

// ask asks until ctx ends.
func ask(ctx context.Context, question func(context.Context) error, h *histogram) error {
	for ctx.Err() == nil {
		start := time.Now()
		if err := question(context.WithoutCancel(ctx)); err != nil {
			return err
		}
		h.note(time.Since(start))
	}
	return nil
}
