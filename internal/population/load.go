// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package population

import (
	"context"
	"strconv"

	"github.com/uproar-db/uproar"
)

// IndexName is the index of the people.
const IndexName = "people"

// Fields returns the fields of the people: terms with a forward column, all others with one value for each.
func Fields(column uproar.Column) []uproar.Field {
	all := []uproar.Field{{Name: "term", Type: uproar.Set, Column: column}, {Name: "postal", Type: uproar.Single}, {Name: "city", Type: uproar.Single}}
	for _, d := range Demographics {
		all = append(all, uproar.Field{Name: d.Name, Type: uproar.Single})
	}
	return all
}

// LoadOptions says how to load a population.
type LoadOptions struct {
	Column      uproar.Column
	MemoryBytes int64
	Progress    func(what string, done, total int64) // may be nil: how many people are read, then how many values of how many are written
}

// Load makes the index of the people and loads them into it.
func (p *Population) Load(ctx context.Context, db *uproar.DB, o *LoadOptions) (*uproar.Index, error) {
	progress := o.Progress
	if progress == nil {
		progress = func(string, int64, int64) {}
	}
	index, err := db.CreateIndex(ctx, IndexName, Fields(o.Column)...)
	if err != nil {
		return nil, err
	}
	l, err := index.Load(ctx, &uproar.LoadOptions{MemoryBytes: o.MemoryBytes, Progress: func(done, total int64) { progress("writing", done, total) }})
	if err != nil {
		return nil, err
	}
	defer l.Abort()
	var names [Postals + Terms]string // of the numbers that occur
	name := func(prefix byte, n uint32) string {
		at := int(n)
		if prefix == 'z' {
			at += Terms
		}
		if names[at] == "" {
			names[at] = string(prefix) + strconv.Itoa(int(n))
		}
		return names[at]
	}
	for i, one := range p.All(0) {
		if i%1024 == 0 {
			progress("reading", int64(i), int64(p.People))
		}
		record := "p" + strconv.Itoa(i)
		for _, term := range one.Terms {
			if err := l.Set("term", record, name('t', term)); err != nil {
				return nil, err
			}
		}
		if err := l.Set("postal", record, name('z', one.Postal)); err != nil {
			return nil, err
		}
		if err := l.Set("city", record, "c"+strconv.Itoa(int(one.City))); err != nil {
			return nil, err
		}
		for k, d := range Demographics {
			if err := l.Set(d.Name, record, strconv.Itoa(int(one.Demographic[k]))); err != nil {
				return nil, err
			}
		}
	}
	if err := l.Commit(); err != nil {
		return nil, err
	}
	return index, index.Flush(ctx)
}
