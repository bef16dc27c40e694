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

// Fields returns the fields of the people: terms with a value column, all others with one value
// for each.
func Fields(column uproar.Column) []uproar.Field {
	all := []uproar.Field{{Name: "term", Type: uproar.Set, Column: column}, {Name: "postal", Type: uproar.Single},
		{Name: "city", Type: uproar.Single}}
	for _, d := range Demographics {
		all = append(all, uproar.Field{Name: d.Name, Type: uproar.Single})
	}
	return all
}

// LoadOptions says how to load a population.
type LoadOptions struct {
	Column      uproar.Column
	MemoryBytes int64
	// may be nil: how many people are read, then how many values of how many are written
	Progress func(what string, done, total int64)
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
	l, err := index.Load(ctx, &uproar.LoadOptions{MemoryBytes: o.MemoryBytes, Progress: func(done, total int64) {
		progress("writing", done, total)
	}})
	if err != nil {
		return nil, err
	}
	defer l.Abort()
	columns := p.columns()
	names := make([]string, 0, together)
	flush := func() error {
		records := uproar.NewDictionary(names)
		for k := range columns {
			c := &columns[k]
			if _, err := l.SetPairs(c.field, records, c.values, c.pairs); err != nil {
				return err
			}
			c.pairs = c.pairs[:0]
		}
		names = names[:0]
		return nil
	}
	for i, one := range p.All(0) {
		if i%1024 == 0 {
			progress("reading", int64(i), int64(p.People))
		}
		record := uint32(len(names))
		names = append(names, "p"+strconv.Itoa(i))
		for _, term := range one.Terms {
			columns[0].add(record, term)
		}
		columns[1].add(record, one.Postal)
		columns[2].add(record, one.City)
		for k, x := range one.Demographic {
			columns[3+k].add(record, uint32(x))
		}
		if len(names) == together {
			if err := flush(); err != nil {
				return nil, err
			}
		}
	}
	if err := flush(); err != nil {
		return nil, err
	}
	if err := l.Commit(); err != nil {
		return nil, err
	}
	return index, index.Flush(ctx)
}

// together is how many people are loaded at a time.
const together = 2 << 10

// column is values of one field on their way.
type column struct {
	field  string
	values *uproar.Dictionary
	pairs  []uproar.Pair
}

func (c *column) add(record, value uint32) {
	c.pairs = append(c.pairs, uproar.Pair{Record: record, Value: value})
}

// columns returns the columns of all fields, in the order of Fields: their values are numbers
// behind a letter, of demographic fields numbers alone.
func (p *Population) columns() (all []column) {
	add := func(field, prefix string, values int) {
		texts := make([]string, values)
		for i := range texts {
			texts[i] = prefix + strconv.Itoa(i)
		}
		all = append(all, column{field: field, values: uproar.NewDictionary(texts)})
	}
	add("term", "t", Terms)
	add("postal", "z", Postals)
	add("city", "c", Cities)
	for _, d := range Demographics {
		add(d.Name, "", d.Values)
	}
	return all
}
