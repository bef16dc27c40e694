// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package benchwrite

import (
	"context"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/uproar-db/uproar/cmd/uproar/procfs"
	"github.com/uproar-db/uproar/internal/processor"
)

// turns has writing and the disk alone take turns: other users of a disk change what it can do from
// second to second, so that a measurement of it before or afterwards says little about the time
// between. Writers wait while the disk is measured, but not what the engine does in the background:
// where that goes on for long, the share of the disk is too good.
type turns struct {
	writing sync.RWMutex // read-locked while a batch is committed

	taken     []Turn
	alone     []float64     // what the disk did alone, before the first turn and after each
	written   int64         // bytes that went to the disk for that, with what the system counts for the process
	processor time.Duration // and the time for that
	err       error
}

// run takes turns until ctx ends, and ends writing once Options.Duration is over.
func (t *turns) run(ctx context.Context, b *bench, endWriting func()) {
	t.alone = []float64{b.report.Ceiling.Before}
	var before struct {
		at    time.Duration
		bytes int64
	}
	for {
		left := b.opts.Measure.Turn
		if d := b.opts.Duration; d > 0 {
			left = min(left, d-b.meter.since())
		}
		if sleep(ctx, left); ctx.Err() != nil {
			return
		}
		t.writing.Lock()
		at, bytes := b.meter.pause()
		alone, err := t.measure(ctx, b)
		b.meter.resume()
		over := err != nil || b.opts.Duration > 0 && at >= b.opts.Duration
		if over {
			t.err = err
			endWriting() // before the writers go on
		}
		t.writing.Unlock()
		if alone > 0 {
			rate := float64(bytes-before.bytes) / seconds(at-before.at)
			around := (t.alone[len(t.alone)-1] + alone) / 2
			t.taken, t.alone = append(t.taken, Turn{At: seconds(at), Bytes: rate, Alone: around, Ratio: rate / around}),
				append(t.alone, alone)
		}
		if over {
			return
		}
		before.at, before.bytes = at, bytes
	}
}

// measure returns what the disk does alone, and takes its costs off the account of writing.
func (t *turns) measure(ctx context.Context, b *bench) (float64, error) {
	written, worked := procfs.Written(), processor.Time()
	rate, err := AppendRate(ctx, filepath.Join(b.opts.Dir, "ceiling"), b.work.batchBytes(),
		min(b.opts.Measure.Ceiling, b.opts.Measure.Turn/3))
	t.written += procfs.Written() - written
	t.processor += processor.Time() - worked
	return rate, err
}

// report adds the figures of the turns.
func (t *turns) report(c *Ceiling) {
	if len(t.taken) == 0 {
		return
	}
	c.Turns = t.taken
	ratios := make([]float64, len(t.taken))
	for i, turn := range t.taken {
		ratios[i] = turn.Ratio
	}
	c.Ratio, c.Appends = median(ratios), median(t.alone)/float64(c.Append)
}

// median sorts.
func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}
