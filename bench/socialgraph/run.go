// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package socialgraph

import (
	"context"
	"errors"
	"runtime/debug"
	"slices"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/bench/command"
	"github.com/uproar-db/uproar/cmd/uproar/procfs"
)

// bench is one run.
type bench struct {
	opts   Options
	report *Report
	db     *uproar.DB // nil: closed
	graph  *graph.Graph
}

// Run loads a network, opens the database again, asks it, and compares its answers. The folder is
// left as it is, closed. With an error there is the report of what was measured before, nil if the
// database was not opened.
func Run(ctx context.Context, opts Options) (r *Report, err error) {
	if err := opts.check(); err != nil {
		return nil, err
	}
	if opts.Open == nil {
		opts.Open = new(command.Engine).OpenStore
	}
	if opts.Phase == nil {
		opts.Phase = func(string) {}
	}
	if opts.Progress == nil {
		opts.Progress = func(int64, int64) {}
	}
	debug.SetMemoryLimit(opts.Memory)
	b := &bench{opts: opts, report: &Report{Accounts: opts.Network.Accounts, Follows: opts.Network.Follows}}
	defer func() { err = errors.Join(err, b.close()) }()
	if err = b.run(ctx); err != nil && b.report.Open == 0 {
		return nil, err
	}
	return b.report, err
}

func (b *bench) run(ctx context.Context) error {
	if err := b.load(ctx); err != nil {
		return err
	}
	debug.FreeOSMemory() // what loading took is not to be counted
	b.opts.Phase("opening")
	start := time.Now()
	if err := b.open(ctx); err != nil {
		return err
	}
	c := b.opts.Network.chooser(1)
	if _, err := b.graph.Follows(ctx, c.Key(c.any()), c.Key(c.followed())); err != nil {
		return err
	}
	b.report.Open, b.report.OpenBytes = time.Since(start).Seconds(), procfs.Anonymous()
	if err := b.describe(); err != nil {
		return err
	}
	if b.opts.Queries > 0 {
		b.opts.Phase("asking at random")
		if err := b.askRandom(ctx); err != nil {
			return err
		}
		b.report.Asked = procfs.Anonymous()
	}
	lines := slices.DeleteFunc(c.lines(), func(l line) bool {
		return len(b.opts.Lines) > 0 && !slices.Contains(b.opts.Lines, l.name)
	})
	if b.opts.Time > 0 {
		if err := b.askProcess(ctx, lines); err != nil {
			return err
		}
		if b.opts.Connections > 0 {
			if err := b.askHTTP(ctx, lines); err != nil {
				return err
			}
		}
	}
	if b.opts.Cold > 0 {
		if err := b.askCold(ctx, lines); err != nil {
			return err
		}
	}
	if err := b.live(ctx); err != nil {
		return err
	}
	return b.checkAll(ctx)
}
