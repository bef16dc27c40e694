// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package prices measures searches of a catalog of prices. It measures a scan over maps, a map with
// composite keys, and roaring bitmaps beside it. It compares every answer with that of the list
// that was loaded.
package prices

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/catalog"
	"github.com/uproar-db/uproar/cmd/uproar/pricelist"
)

// Options says what to measure.
type Options struct {
	Offerings int // of pricelist.PerOffering prices each
	Shuffled  bool
	Seed      uint64
	Memory    int64         // of the load
	Time      time.Duration // for each line
	Alone     bool          // measures nothing beside the database
	Progress  func(what string, done, total int64)
}

// Report says what was measured.
type Report struct {
	Prices   int     `json:"prices"`
	Shuffled bool    `json:"shuffled"`
	Load     float64 `json:"loadSeconds"` // 0: they were there
	Disk     int64   `json:"diskBytes"`
	Lines    []Line  `json:"lines"`
}

// Line is one way to search.
type Line struct {
	Way       string  `json:"way"`
	Searches  string  `json:"searches"`
	PerSecond float64 `json:"perSecond"`
	P50       float64 `json:"p50Seconds"`
	P99       float64 `json:"p99Seconds"`
	Processor float64 `json:"processorSeconds"` // for each search, all threads of the process; below 0: unknown
	Allocs    float64 `json:"allocations"`      // below 0: not counted
	// that the way takes; of the database, of the memory that its options bound; below 0: that of a
	// line before
	Heap int64 `json:"heapBytes"`
}

// asked is how many different prices are searched for.
const asked = 4096

// all is the mask of all attributes.
const all = 1<<len(pricelist.Attributes) - 1

// Run loads the prices, unless the database has them, and measures.
func Run(ctx context.Context, db *uproar.DB, o *Options) (*Report, error) {
	list := pricelist.Make(o.Offerings, o.Shuffled, o.Seed)
	report := &Report{Prices: len(list), Shuffled: o.Shuffled}
	if _, err := catalog.Open(db, Name); errors.Is(err, catalog.ErrUnknownCatalog) {
		start := time.Now()
		if err := load(ctx, db, list, o); err != nil {
			return nil, err
		}
		report.Load = time.Since(start).Seconds()
	} else if err != nil {
		return nil, err
	}
	if stats, err := db.Stats(); err == nil {
		report.Disk = stats.Store.Total()
	}
	m := &measuring{Options: o, list: list, report: report}
	if !o.Alone {
		if err := m.maps(); err != nil {
			return nil, err
		}
		runtime.GC()
		if err := m.roaring(ctx); err != nil {
			return nil, err
		}
	}
	runtime.GC()
	return report, m.uproar(ctx, db)
}

// Name is that of the catalog.
const Name = "prices"

// load fills the catalog.
func load(ctx context.Context, db *uproar.DB, list []pricelist.Price, o *Options) error {
	r, err := catalog.Replace(ctx, db, Name, pricelist.Schema(), catalog.ReplaceOptions{MemoryBytes: o.Memory,
		Progress: func(done, total int64) {
			o.progress("writing", done, total)
		}})
	if err != nil {
		return err
	}
	defer r.Abort()
	for i := range list {
		if i%4096 == 0 {
			if o.progress("loading", int64(i), int64(len(list))); ctx.Err() != nil {
				return ctx.Err()
			}
		}
		if err := r.Add(list[i].Record()); err != nil {
			return err
		}
	}
	return r.Commit(ctx)
}

func (o *Options) progress(what string, done, total int64) {
	if o.Progress != nil {
		o.Progress(what, done, total)
	}
}

// wrong is the error of an answer that is not the right one.
func wrong(way string, p *pricelist.Price, got any) error {
	return fmt.Errorf("prices: %s: got %v for price %d", way, got, p.Value)
}
