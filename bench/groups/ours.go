// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package groups

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/bench/command"
	"github.com/uproar-db/uproar/query"
)

// ours is the embedded database.
type ours struct {
	db    *uproar.DB
	snaps []uproar.Snapshot
	all   map[string]*uproar.Selection // of each index
}

// answer is how many groups there are, and the first of them.
type answer struct {
	count int
	rows  [][]string // the keys, and the count
	took  time.Duration
	err   error
}

func openOurs(dir string, memory int64, f *few, m *many) (*ours, error) {
	o := &ours{all: map[string]*uproar.Selection{}}
	var err error
	if o.db, err = command.Open(context.Background(), filepath.Join(dir, "uproar"),
		&uproar.Options{MemoryBytes: memory}); err != nil {
		return nil, err
	}
	return o, errors.Join(o.loadFew(f), o.loadMany(m))
}

func (o *ours) loadFew(f *few) error {
	fields := []uproar.Field{{Name: "age", Type: uproar.Integer}, {Name: "joined", Type: uproar.Integer,
		Format: uproar.Date},
		{Name: "tags", Type: uproar.Set}}
	for _, name := range []string{"a", "c", "e"} {
		fields = append(fields, uproar.Field{Name: name, Type: uproar.Single},
			uproar.Field{Name: "set_" + name, Type: uproar.Set})
	}
	return o.load("few", fields, func(load *uproar.Loader) error {
		for i := range f.a {
			r := fmt.Sprint(i)
			var err error
			for name, column := range map[string][]int32{"a": f.a, "c": f.c, "e": f.e} {
				v := strconv.Itoa(int(column[i]))
				err = errors.Join(err, load.Set(name, r, v), load.Set("set_"+name, r, v))
			}
			for _, tags := range f.tags {
				err = errors.Join(err, load.Set("tags", r, strconv.Itoa(int(tags[i]))))
			}
			if err = errors.Join(err, load.SetInt("age", r, int64(f.age[i])),
				load.SetInt("joined", r, int64(f.joined[i]))); err != nil {
				return err
			}
		}
		return nil
	})
}

func (o *ours) loadMany(m *many) error {
	fields := []uproar.Field{{Name: "x", Type: uproar.Single}, {Name: "y", Type: uproar.Single}}
	return o.load("many", fields, func(load *uproar.Loader) error {
		for i := range m.x {
			r := strconv.Itoa(i)
			if err := errors.Join(load.Set("x", r, strconv.Itoa(int(m.x[i]))),
				load.Set("y", r, strconv.Itoa(int(m.y[i])))); err != nil {
				return err
			}
		}
		return nil
	})
}

// load makes an index, and selects all of its records.
func (o *ours) load(name string, fields []uproar.Field, fill func(*uproar.Loader) error) error {
	ctx := context.Background()
	index, err := o.db.CreateIndex(ctx, name, fields...)
	if err != nil {
		return err
	}
	load, err := index.Load(ctx, nil)
	if err != nil {
		return err
	}
	if err := fill(load); err != nil {
		load.Abort()
		return err
	}
	if err := load.Commit(); err != nil {
		return err
	}
	snap := index.Snapshot()
	o.snaps = append(o.snaps, snap)
	o.all[name], err = snap.Select(ctx, query.All{})
	return err
}

// ask answers a question.
func (o *ours) ask(q *question, all bool) (a answer) {
	start := time.Now()
	of := o.all[q.index]
	if all {
		for _, err := range of.AllGroups(context.Background(), q.by...) {
			if a.err = err; err != nil {
				return a
			}
			a.count++
		}
		a.took = time.Since(start)
		return a
	}
	groups, err := of.Groups(context.Background(), topGroups, q.by...)
	a.took, a.err, a.count = time.Since(start), err, len(groups)
	for _, g := range groups {
		a.rows = append(a.rows, append(g.Keys, strconv.FormatUint(g.Count, 10)))
	}
	return a
}

func (o *ours) close() error {
	for _, snap := range o.snaps {
		snap.Close()
	}
	return o.db.Close()
}
