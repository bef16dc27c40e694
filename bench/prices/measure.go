// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package prices

import (
	"context"
	"fmt"
	"math/bits"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/catalog"
	"github.com/uproar-db/uproar/cmd/uproar/pricelist"
	"github.com/uproar-db/uproar/internal/processor"
)

// measuring is a run.
type measuring struct {
	*Options
	list   []pricelist.Price
	report *Report
	took   []time.Duration // of each search of a line
}

// at returns where one of the prices is that are searched for, spread over the list.
func (m *measuring) at(i int) int { return int(uint64(i%asked) * 2654435761 % uint64(len(m.list))) }

// price returns one of the prices that are searched for.
func (m *measuring) price(i int) *pricelist.Price { return &m.list[m.at(i)] }

// line measures a search, one after the other, until its time is over.
func (m *measuring) line(way, searches string, heap int64, search func(i int) error) error {
	for i := range 256 { // brings near what is needed
		if err := search(i); err != nil {
			return err
		}
	}
	var before, after runtime.MemStats
	if m.took == nil {
		m.took = make([]time.Duration, 0, 1<<20)
	}
	took := m.took[:0]
	runtime.ReadMemStats(&before)
	worked, start := processor.Time(), time.Now()
	now := start
	for i := 0; i < 64 || now.Sub(start) < m.Time && len(took) < cap(took); i++ {
		if err := search(i); err != nil {
			return err
		}
		last := now
		now = time.Now()
		took = append(took, now.Sub(last))
	}
	n := float64(len(took))
	l := Line{Way: way, Searches: searches, PerSecond: n / now.Sub(start).Seconds(), Processor: -1, Heap: heap}
	if used := processor.Time(); used >= 0 {
		l.Processor = (used - worked).Seconds() / n
	}
	runtime.ReadMemStats(&after)
	l.Allocs = float64(int64((after.Mallocs - before.Mallocs) / uint64(n)))
	slices.Sort(took)
	l.P50, l.P99 = took[len(took)/2].Seconds(), took[len(took)*99/100].Seconds()
	m.report.Lines = append(m.report.Lines, l)
	return nil
}

// Heap returns what make takes of the heap.
func Heap(make func()) int64 {
	allocated := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC() // what pools held goes with the second one
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before := allocated()
	make()
	return allocated() - before
}

// maps measures a scan over the prices of an offering, and a map from all values.
func (m *measuring) maps() error {
	var byOffering map[string][]*pricelist.Price
	size := Heap(func() {
		byOffering = make(map[string][]*pricelist.Price)
		for i := range m.list {
			p := &m.list[i]
			byOffering[p.Values[0]] = append(byOffering[p.Values[0]], p)
		}
	})
	err := m.line("map, scan of an offering", "all conditions", size, func(i int) error {
		want := m.price(i)
		for _, p := range byOffering[want.Values[0]] {
			if p.Values == want.Values {
				if p != want {
					return wrong("map", want, p.Value)
				}
				return nil
			}
		}
		return wrong("map", want, "nothing")
	})
	if err != nil {
		return err
	}
	var byAll map[[len(pricelist.Attributes)]string]int
	size = Heap(func() {
		byAll = make(map[[len(pricelist.Attributes)]string]int, len(m.list))
		for i := range m.list {
			byAll[m.list[i].Values] = m.list[i].Value
		}
	})
	return m.line("map, composite key", "all conditions", size, func(i int) error {
		want := m.price(i)
		if got, ok := byAll[want.Values]; !ok || got != want.Value {
			return wrong("composite key", want, got)
		}
		return nil
	})
}

// uproar measures searches through the database.
func (m *measuring) uproar(ctx context.Context, db *uproar.DB) error {
	c, err := catalog.Open(db, Name)
	if err != nil {
		return err
	}
	s, err := c.Snapshot()
	if err != nil {
		return err
	}
	defer s.Close()
	var a catalog.Answer
	conditions := make([][]catalog.Condition, asked)
	search := func(mask int) func(i int) error {
		for i := range conditions {
			conditions[i] = m.price(i).Conditions(mask)
		}
		return func(i int) error { return s.Search(ctx, &a, 2, conditions[i%asked]...) }
	}
	for i := range asked { // every answer is looked at, once
		want := m.price(i)
		if err := s.Search(ctx, &a, 2, want.Conditions(all)...); err != nil {
			return err
		}
		if key, err := s.Key(a.One()); err != nil || key != want.Record().Key {
			return wrong("uproar", want, fmt.Sprint(a.Kind, key, err))
		}
	}
	if err := m.line("uproar", "all conditions", -1, search(all)); err != nil {
		return err
	}
	line := len(m.report.Lines) - 1
	if err := m.slowest("uproar", search); err != nil {
		return err
	}
	stats, err := db.Stats()
	if err != nil {
		return err
	}
	m.report.Lines[line].Heap = stats.Memory.Total() // with all lists that any of the searches needs
	return m.besideWrites(ctx, c)
}

// slowest measures searches of all subsets of the conditions, and keeps the slowest of each size,
// by p50.
func (m *measuring) slowest(way string, search func(mask int) func(i int) error) error {
	own := *m.Options
	own.Time = max(m.Time/16, time.Millisecond)
	slowest := map[int]Line{}
	sub := &measuring{Options: &own, list: m.list, report: new(Report)}
	for mask := 1; mask < all; mask++ {
		m.progress("subsets, "+way, int64(mask), all)
		if err := sub.line(way, describe(mask), -1, search(mask)); err != nil {
			return err
		}
		l := sub.report.Lines[len(sub.report.Lines)-1]
		if n := bits.OnesCount(uint(mask)); l.P50 > slowest[n].P50 {
			slowest[n] = l
		}
	}
	for n := len(pricelist.Attributes) - 1; n > 0; n-- {
		l := slowest[n]
		l.Searches = fmt.Sprintf("slowest %d of them: %s", n, l.Searches)
		m.report.Lines = append(m.report.Lines, l)
	}
	return nil
}

// describe names the attributes of a mask, or the ones that it leaves out.
func describe(mask int) string {
	var named, left []string
	for i, name := range pricelist.Attributes {
		if mask>>i&1 != 0 {
			named = append(named, name)
		} else {
			left = append(left, name)
		}
	}
	if len(left) < len(named) {
		return "without " + strings.Join(left, ", ")
	}
	return strings.Join(named, ", ")
}
