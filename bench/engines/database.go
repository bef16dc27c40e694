// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux

package engines

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/catalog"
	"github.com/uproar-db/uproar/bench/people"
	"github.com/uproar-db/uproar/bench/population"
	"github.com/uproar-db/uproar/bench/prices"
	"github.com/uproar-db/uproar/bench/socialgraph"
	"github.com/uproar-db/uproar/cmd/uproar/pricelist"
	"github.com/uproar-db/uproar/store"
)

// graph loads a graph of so many accounts, opens and asks it.
func (j *job) graph(accounts int) (figures, error) {
	ctx := context.Background()
	open := j.open(false)
	network := socialgraph.Small
	network.Accounts, network.Follows, network.Seed = accounts, 30*int64(accounts), 1
	lines := []string{"does_follow", "intersect_followers of the top 2"}
	dir := filepath.Join(j.Dir, "graph")
	r, err := socialgraph.Run(ctx, socialgraph.Options{Network: network, Dir: dir, Memory: 2 * j.Sizes.Memory,
		Open: func(dir string, _ int64) (store.Store, error) { return open(dir) },
		Time: j.Sizes.Time / 6, Lines: lines, Queries: 1000})
	if err != nil {
		return nil, err
	}
	f := figures{"load": r.Load, "disk": float64(r.Disk), "open": r.Open}
	for _, l := range r.Process {
		f[l.Name], f[l.Name+" p99"] = l.P50, l.P99
	}
	return f, os.RemoveAll(dir)
}

// audience loads a population, opens it again, and asks for a word cloud.
func (j *job) audience() (figures, error) {
	ctx := context.Background()
	dir := filepath.Join(j.Dir, "people")
	f := figures{}
	for _, again := range []bool{false, true} {
		start := time.Now()
		s, err := j.open(false)(dir)
		if err != nil {
			return nil, err
		}
		db, err := uproar.Open(ctx, s, &uproar.Options{MemoryBytes: j.Sizes.Memory})
		if err != nil {
			return nil, errors.Join(err, s.Close())
		}
		if again {
			if _, err = db.Index(population.IndexName); err == nil {
				f["open"] = time.Since(start).Seconds()
			}
		}
		var r *people.Report
		if err == nil {
			r, err = people.Run(ctx, db, &people.Options{People: j.Sizes.People, Seed: 1, Column: uproar.FastColumn,
				MemoryBytes: j.Sizes.Memory, Threads: []int{1}})
		}
		start = time.Now()
		if err = errors.Join(err, db.Close()); err != nil {
			return nil, err
		}
		if again {
			f["disk"] = float64(r.Disk)
			f["cloud"] = cloud(r)
		} else {
			f["load"] = r.Load + time.Since(start).Seconds()
		}
	}
	return f, os.RemoveAll(dir)
}

// catalog loads prices, opens them again, and searches them.
func (j *job) catalog() (figures, error) {
	ctx := context.Background()
	dir := filepath.Join(j.Dir, "prices")
	wanted := pricelist.Make(j.Sizes.Offerings, false, 1)[0].Conditions(1<<len(pricelist.Attributes) - 1)
	o := prices.Options{Offerings: j.Sizes.Offerings, Seed: 1, Memory: j.Sizes.Memory / 4, Time: time.Millisecond,
		Alone: true}
	f := figures{}
	for _, again := range []bool{false, true} {
		start := time.Now()
		s, err := j.open(false)(dir)
		if err != nil {
			return nil, err
		}
		db, err := uproar.Open(ctx, s, &uproar.Options{MemoryBytes: j.Sizes.Memory})
		if err != nil {
			return nil, errors.Join(err, s.Close())
		}
		if again {
			o.Time = j.Sizes.Time / 60 // of each of 256 lines a sixteenth
			if err = searchOnce(ctx, db, wanted); err == nil {
				f["open"] = time.Since(start).Seconds()
			}
		}
		var r *prices.Report
		if err == nil {
			r, err = prices.Run(ctx, db, &o)
		}
		start = time.Now()
		if err = errors.Join(err, db.Close()); err != nil {
			return nil, err
		}
		if again {
			first, last := r.Lines[0], r.Lines[len(r.Lines)-1]
			f["disk"], f["search"], f["search p99"] = float64(r.Disk), first.P50, first.P99
			f["beside"], f["beside p99"] = last.P50, last.P99
		} else {
			f["load"] = r.Load + time.Since(start).Seconds()
		}
	}
	return f, os.RemoveAll(dir)
}

// searchOnce searches for one price.
func searchOnce(ctx context.Context, db *uproar.DB, wanted []catalog.Condition) error {
	c, err := catalog.Open(db, prices.Name)
	if err != nil {
		return err
	}
	return c.Ask(ctx, func(s catalog.Snapshot) error {
		var a catalog.Answer
		err := s.Search(ctx, &a, 2, wanted...)
		if err == nil && a.Kind != catalog.One {
			err = fmt.Errorf("got %v, want one price", a.Kind)
		}
		return err
	})
}

// cloud returns the time for the word cloud of the largest audience.
func cloud(r *people.Report) float64 {
	for _, l := range r.Audiences[len(r.Audiences)-1].Lines {
		if l.Name == "word cloud by lift" {
			return l.Seconds
		}
	}
	return 0
}
