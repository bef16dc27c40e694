// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package people

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/bench/population"
	"github.com/uproar-db/uproar/internal/processor"
	"github.com/uproar-db/uproar/query"
)

// Options says what to measure.
type Options struct {
	People      int
	Seed        uint64
	Column      uproar.Column
	MemoryBytes int64
	Threads     []int         // each is measured
	Time        time.Duration // for each line
	Check       bool          // compare the answers with a plain computation
	Progress    func(what string, done, total int64)
}

func (o *Options) progress(what string, done, total int64) {
	if o.Progress != nil {
		o.Progress(what, done, total)
	}
}

// Report says what was measured.
type Report struct {
	People      int              `json:"people"`
	Load        float64          `json:"loadSeconds,omitempty"` // 0: it was there
	Disk        int64            `json:"diskBytes"`
	ListBytes   uint64           `json:"listBytes"`
	ColumnBytes uint64           `json:"columnBytes"`
	Audiences   []AudienceReport `json:"audiences"`
	Checked     int              `json:"checkedAnswers"`
}

// AudienceReport is what was measured of an audience.
type AudienceReport struct {
	Name  string `json:"name"`
	Size  uint64 `json:"size"`
	Lines []Line `json:"lines"`
}

// Line is one question.
type Line struct {
	Name    string  `json:"name"`
	Threads int     `json:"threads"`
	Seconds float64 `json:"seconds"` // the median

	// What follows is of all threads and the collector, for each time it was asked.
	Processor float64 `json:"processorSeconds"` // below 0: not known here
	Allocs    float64 `json:"allocations"`
	Bytes     float64 `json:"allocatedBytes"`
}

// Run loads the population, unless the database has it, and measures what is asked of its
// audiences.
func Run(ctx context.Context, db *uproar.DB, o *Options) (*Report, error) {
	p := population.NewPopulation(o.People, o.Seed)
	r := &Report{People: o.People}
	index, err := db.Index(population.IndexName)
	if errors.Is(err, uproar.ErrUnknownIndex) {
		start := time.Now()
		index, err = p.Load(ctx, db, &population.LoadOptions{Column: o.Column, MemoryBytes: o.MemoryBytes / 2,
			Progress: o.progress})
		r.Load = time.Since(start).Seconds()
	}
	if err != nil {
		return nil, err
	}
	if err := r.sizes(db); err != nil {
		return nil, err
	}
	snap := index.Snapshot()
	defer snap.Close()
	for i, a := range population.Audiences() {
		o.progress("measuring", int64(i), int64(len(population.Audiences())))
		m := measurement{ctx: ctx, snap: snap, options: o}
		if err := m.audience(a); err != nil {
			return nil, err
		}
		r.Audiences = append(r.Audiences, m.report)
	}
	if o.Check {
		r.Checked, err = check(ctx, snap, p, o)
	}
	return r, err
}

// sizes reads what the pages take.
func (r *Report) sizes(db *uproar.DB) error {
	stats, err := db.Stats()
	if err != nil {
		return err
	}
	r.Disk = int64(stats.Store.Total())
	for _, ix := range stats.Indexes {
		for _, f := range ix.Fields {
			switch f.Type {
			case "set", "single":
				r.ListBytes += f.Bytes
			case "forward":
				r.ColumnBytes += f.Bytes
			}
		}
	}
	return nil
}

// measurement measures one audience.
type measurement struct {
	ctx     context.Context
	snap    uproar.Snapshot
	options *Options
	report  AudienceReport
}

// top is how many values are asked for.
const top = 100

func (m *measurement) audience(a population.Audience) error {
	e, err := query.Parse(a.Query)
	if err != nil {
		return err
	}
	selected, err := m.snap.Select(m.ctx, e)
	if err != nil {
		return err
	}
	m.report.Name, m.report.Size = a.Name, selected.Len()
	ranked := func(field string, by uproar.Measure, limit int) func(threads int) error {
		return func(threads int) error {
			_, err := selected.Top(m.ctx, field, uproar.TopOptions{By: by, Limit: limit, Threads: threads})
			return err
		}
	}
	for _, q := range []struct {
		name     string
		parallel bool
		ask      func(threads int) error
	}{
		{"size", false, func(int) error { _, err := m.snap.Count(m.ctx, e); return err }},
		{"word cloud by lift", true, ranked("term", uproar.ByLift, top)},
		{"word cloud by count", true, ranked("term", uproar.ByCount, top)},
		{"distinct terms", false, func(int) error { _, err := selected.Distinct(m.ctx, "term"); return err }},
		{"postal codes", true, ranked("postal", uproar.ByCount, top)},
		{"cities", true, ranked("city", uproar.ByCount, top)},
		{"demographics", false, func(int) error { return demographics(m.ctx, selected) }},
		{"audience and word cloud", true, func(threads int) error {
			selected, err := m.snap.Select(m.ctx, e)
			if err == nil {
				_, err = selected.Top(m.ctx, "term", uproar.TopOptions{By: uproar.ByLift, Limit: top, Threads: threads})
			}
			return err
		}},
	} {
		for _, threads := range m.options.Threads {
			if threads > 1 && !q.parallel {
				continue
			}
			line, err := m.line(func() error { return q.ask(threads) })
			if err != nil {
				return err
			}
			line.Name, line.Threads = q.name, threads
			m.report.Lines = append(m.report.Lines, line)
		}
	}
	return nil
}

// demographics asks for the counts of six fields, and of one crossed with another.
func demographics(ctx context.Context, selected *uproar.Selection) error {
	_, err := selected.Tables(ctx, 0, tables...)
	return err
}

// tables are the demographic fields, and two of them crossed.
var tables = func() (tables [][]string) {
	for _, d := range population.Demographics {
		tables = append(tables, []string{d.Name})
	}
	return append(tables, []string{population.Demographics[0].Name, population.Demographics[1].Name})
}()

// line asks again and again for the time that a line has, at least three times.
func (m *measurement) line(ask func() error) (Line, error) {
	if err := ask(); err != nil { // pages into the cache, scratch memory into the pools
		return Line{}, err
	}
	var took []time.Duration
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	ran := processor.Time()
	for start := time.Now(); len(took) < 3 || time.Since(start) < m.options.Time; {
		began := time.Now()
		if err := ask(); err != nil {
			return Line{}, err
		}
		took = append(took, time.Since(began))
	}
	times := float64(len(took))
	line := Line{Processor: -1}
	if now := processor.Time(); ran >= 0 && now >= 0 {
		line.Processor = (now - ran).Seconds() / times
	}
	runtime.ReadMemStats(&after)
	slices.Sort(took)
	line.Seconds = took[len(took)/2].Seconds()
	line.Allocs, line.Bytes = float64(after.Mallocs-before.Mallocs)/times,
		float64(after.TotalAlloc-before.TotalAlloc)/times
	return line, nil
}
