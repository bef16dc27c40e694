// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package audience

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/bench/command"
	"github.com/uproar-db/uproar/bench/population"
	"github.com/uproar-db/uproar/query"
)

// ours is the embedded database.
type ours struct {
	column   uproar.Column
	memory   int64
	dir      string
	db       *uproar.DB
	snap     uproar.Snapshot
	queries  []query.Expr
	selected []*uproar.Selection
}

func newOurs(column uproar.Column, memory int64) *ours { return &ours{column: column, memory: memory} }

func (o *ours) name() string   { return "Uproar, " + string(o.column) }
func (o *ours) threads() []int { return []int{1, 2} }

func (o *ours) load(p *population.Population) (err error) {
	if o.dir, err = os.MkdirTemp("", "bench-audience-"); err != nil {
		return err
	}
	if o.db, err = command.Open(context.Background(), o.dir, &uproar.Options{MemoryBytes: o.memory}); err != nil {
		return err
	}
	index, err := p.Load(context.Background(), o.db, &population.LoadOptions{Column: o.column,
		MemoryBytes: o.memory / 2})
	if err != nil {
		return err
	}
	o.snap = index.Snapshot()
	for _, a := range population.Audiences() {
		e, err := query.Parse(a.Query)
		if err != nil {
			return err
		}
		o.queries, o.selected = append(o.queries, e), append(o.selected, nil)
	}
	return nil
}

func (o *ours) disk() (int64, error) {
	stats, err := o.db.Stats()
	if err != nil {
		return 0, err
	}
	return int64(stats.Store.Total()), nil
}

func (o *ours) keep(audience int) (err error) {
	o.selected[audience], err = o.snap.Select(context.Background(), o.queries[audience])
	return err
}

func (o *ours) ask(now clock, audience int, q question, threads int, whole bool) (rows []row, took time.Duration,
	err error) {
	ctx, selected := context.Background(), o.selected[audience]
	start := now()
	if q == size {
		n, err := o.snap.Count(ctx, o.queries[audience])
		return []row{{count: n}}, now.since(start), err
	}
	if whole {
		if selected, err = o.snap.Select(ctx, o.queries[audience]); err != nil {
			return nil, 0, err
		}
	}
	if q == demographics {
		return o.demographics(ctx, selected, now, start)
	}
	field, options := "term", uproar.TopOptions{Limit: shown, Threads: threads}
	switch q {
	case cloudByLift:
		options.By = uproar.ByLift
	case postalCodes:
		field = "postal"
	case cities:
		field = "city"
	}
	top, err := selected.Top(ctx, field, options)
	took = now.since(start)
	for _, x := range top {
		r := row{number(x.Key), x.Count, float64(x.Count)}
		if q == cloudByLift {
			r.score /= float64(x.Total)
		}
		rows = append(rows, r)
	}
	return rows, took, err
}

// demographicTables are all fields, and two of them crossed.
var demographicTables = func() (tables [][]string) {
	for _, d := range population.Demographics {
		tables = append(tables, []string{d.Name})
	}
	return append(tables, []string{population.Demographics[crossed0].Name, population.Demographics[crossed1].Name})
}()

func (o *ours) demographics(ctx context.Context, selected *uproar.Selection, now clock, start int64) (rows []row,
	took time.Duration, err error) {
	tables, err := selected.Tables(ctx, 0, demographicTables...)
	took = now.since(start)
	for i, groups := range tables {
		for _, g := range groups {
			x := row{value: uint32(100*i) + number(g.Keys[0]), count: g.Count}
			if len(g.Keys) == 2 {
				x.value = 1000 + 10*number(g.Keys[0]) + number(g.Keys[1])
			}
			rows = append(rows, x)
		}
	}
	slices.SortFunc(rows, func(a, b row) int { return cmp.Compare(a.value, b.value) })
	return rows, took, err
}

func (o *ours) close() (err error) {
	if o.db != nil {
		o.snap.Close()
		err = o.db.Close()
	}
	return cmp.Or(err, os.RemoveAll(o.dir))
}

// number returns the number in the name of a value.
func number(key string) uint32 {
	if key[0] > '9' {
		key = key[1:]
	}
	n, err := strconv.ParseUint(key, 10, 32)
	if err != nil {
		panic(fmt.Sprintf("audience: got a value %q, which the population does not have", key))
	}
	return uint32(n)
}
