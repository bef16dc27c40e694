// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package socialgraph

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/uproar-db/uproar/cmd/uproar/procfs"
)

// askCold asks some questions of each line, every one of a database that has just been opened.
// Neither the database nor the system has a page in memory that opening does not read. The database
// is open again at the end.
func (b *bench) askCold(ctx context.Context, lines []line) error {
	for _, l := range lines {
		b.opts.Phase("asking cold: " + l.name)
		keys := l.questions[0].kind != doesFollow
		times := make([]float64, 0, b.opts.Cold)
		for i := range b.opts.Cold {
			if err := b.reopenCold(ctx); err != nil {
				return err
			}
			at := i % len(l.questions)
			a := b.asker(l.questions[at : at+1])
			start := time.Now()
			if _, err := a.ask(ctx, 0, keys); err != nil {
				return fmt.Errorf("%s: %w", l.name, err)
			}
			times = append(times, time.Since(start).Seconds())
			b.opts.Progress(int64(i+1), int64(b.opts.Cold))
		}
		slices.Sort(times)
		b.report.Cold = append(b.report.Cold, Cold{Name: l.name, P50: times[len(times)/2],
			P99: times[len(times)*99/100]})
	}
	return nil
}

// reopenCold closes the database, has the system forget its files, and opens it.
func (b *bench) reopenCold(ctx context.Context) error {
	if err := b.close(); err != nil {
		return err
	}
	if err := procfs.ForgetFolder(b.opts.Dir); err != nil {
		return err
	}
	return b.open(ctx)
}
