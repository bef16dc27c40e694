// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package prices

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/uproar-db/uproar/apps/catalog"
)

// Who searches and writes at the same time, and how much a write has.
const (
	readers        = 2
	pricesPerWrite = 16
)

// besideWrites measures searches of the database while prices are put as they were. Each search has
// a snapshot of its own.
func (m *measuring) besideWrites(ctx context.Context, c *catalog.Catalog) error {
	return m.beside(ctx, "uproar", func(from int) error {
		var change catalog.Change
		for i := from; i < from+pricesPerWrite; i++ {
			change.Put = append(change.Put, *m.price(i).Record())
		}
		_, err := c.Write(ctx, change)
		return err
	}, func(reader int) func(i int) error {
		conditions := make([][]catalog.Condition, asked)
		for i := range conditions {
			conditions[i] = m.price(reader + i).Conditions(all)
		}
		var a catalog.Answer
		return func(i int) error {
			err := c.Ask(ctx, func(s catalog.Snapshot) error { return s.Search(ctx, &a, 2, conditions[i%asked]...) })
			if err == nil && a.Kind != catalog.One {
				err = wrong("uproar, beside a writer", m.price(reader+i), a.Kind)
			}
			return err
		}
	})
}

// beside measures searches with all conditions by two readers, beside one writer. The writer writes
// pricesPerWrite prices from one on, again and again without a pause.
func (m *measuring) beside(ctx context.Context, way string, write func(from int) error,
	reader func(r int) func(i int) error) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var failed error
	writes := 0
	var writing, reading sync.WaitGroup
	start := time.Now()
	writing.Go(func() {
		for ; ctx.Err() == nil && failed == nil; writes++ {
			failed = write(writes * pricesPerWrite)
		}
	})
	var took [readers][]time.Duration
	var wrongly [readers]error
	for r := range readers {
		reading.Go(func() { took[r], wrongly[r] = m.read(reader(r)) })
	}
	reading.Wait()
	seconds := time.Since(start).Seconds()
	stop()
	writing.Wait()
	if err := errors.Join(append(wrongly[:], failed)...); err != nil {
		return err
	}
	all := slices.Concat(took[:]...)
	slices.Sort(all)
	m.report.Lines = append(m.report.Lines, Line{Way: fmt.Sprintf("%s, %d readers", way, readers),
		Searches: fmt.Sprintf("all conditions, beside %.0f prices written a second",
			float64(writes*pricesPerWrite)/seconds),
		PerSecond: float64(len(all)) / seconds, P50: all[len(all)/2].Seconds(), P99: all[len(all)*99/100].Seconds(),
		Processor: -1, Allocs: -1, Heap: -1})
	return nil
}

// read is one reader.
func (m *measuring) read(search func(i int) error) ([]time.Duration, error) {
	took := make([]time.Duration, 0, 1<<20)
	start := time.Now()
	last := start
	for i := 0; i < 64 || last.Sub(start) < m.Time && len(took) < cap(took); i++ {
		if err := search(i); err != nil {
			return nil, err
		}
		now := time.Now()
		took = append(took, now.Sub(last))
		last = now
	}
	return took, nil
}
