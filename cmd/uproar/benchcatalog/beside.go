// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package benchcatalog

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

// beside measures searches with all conditions by two readers, each search in a snapshot of its own, while one writer puts prices without a pause, as they were.
func (m *measuring) beside(ctx context.Context, c *catalog.Catalog) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var failed error
	writes := 0
	var writing, reading sync.WaitGroup
	start := time.Now()
	writing.Go(func() {
		for ; ctx.Err() == nil && failed == nil; writes++ {
			var change catalog.Change
			for i := range pricesPerWrite {
				change.Put = append(change.Put, *m.price(writes*pricesPerWrite + i).Record())
			}
			_, failed = c.Write(ctx, change)
		}
	})
	var took [readers][]time.Duration
	var wrongly [readers]error
	for r := range readers {
		reading.Go(func() { took[r], wrongly[r] = m.read(ctx, c, r) })
	}
	reading.Wait()
	seconds := time.Since(start).Seconds()
	stop()
	writing.Wait()
	if errors.Is(failed, context.Canceled) {
		failed = nil
	}
	if err := errors.Join(append(wrongly[:], failed)...); err != nil {
		return err
	}
	all := slices.Concat(took[:]...)
	slices.Sort(all)
	m.report.Lines = append(m.report.Lines, Line{Way: fmt.Sprintf("uproar, %d readers", readers), Searches: fmt.Sprintf("all conditions, beside %.0f prices written a second", float64(writes*pricesPerWrite)/seconds),
		PerSecond: float64(len(all)) / seconds, P50: all[len(all)/2].Seconds(), P99: all[len(all)*99/100].Seconds(), Processor: -1, Allocs: -1, Heap: -1})
	return nil
}

// read is one reader, which begins with another price than the others.
func (m *measuring) read(ctx context.Context, c *catalog.Catalog, first int) ([]time.Duration, error) {
	conditions := make([][]catalog.Condition, asked)
	for i := range conditions {
		conditions[i] = m.price(first + i).Conditions(all)
	}
	took := make([]time.Duration, 0, 1<<20)
	var a catalog.Answer
	start := time.Now()
	last := start
	for i := 0; i < 64 || last.Sub(start) < m.Time && len(took) < cap(took); i++ {
		err := c.Ask(func(s catalog.Snapshot) error { return s.Search(ctx, &a, 2, conditions[i%asked]...) })
		if err == nil && a.Kind != catalog.One {
			err = wrong("uproar, beside a writer", m.price(first+i), a.Kind)
		}
		if err != nil {
			return nil, err
		}
		now := time.Now()
		took = append(took, now.Sub(last))
		last = now
	}
	return took, nil
}
