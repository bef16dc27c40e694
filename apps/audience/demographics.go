// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package audience

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
)

// Aspects are what is asked of the demographics of an audience.
type Aspects struct {
	Fields  []string
	Crosses [][]string // each of two or three fields that have values, not integers
	Limit   int        // values of a field, and cells of a cross-tab, the largest first; 0: all, at most eval.MaxGroups cells
}

// Demographics are what an audience consists of.
type Demographics struct {
	Records uint64         `json:"records"`
	Fields  []Distribution `json:"fields,omitempty"` // in the order of the Aspects, as are the next
	Crosses []Cross        `json:"crosses,omitempty"`
}

// Distribution is how the values of a field are spread over an audience.
type Distribution struct {
	Field   string   `json:"field"`
	With    uint64   `json:"with"`              // records that have a value
	Values  []Value  `json:"values,omitempty"`  // most frequent first; none of an integer field
	More    bool     `json:"more,omitempty"`    // there are more values than were asked for
	Figures *Figures `json:"figures,omitempty"` // of an integer field that records have values in
}

// Figures are what the integers of an audience amount to. But for the mean they are exact, and written as the field declares.
type Figures struct {
	Mean      float64
	Min, Max  string
	Quartiles [3]string // each an integer that occurs; the second is the median
	Format    uproar.Format
}

// MarshalJSON writes the integers as numbers, or days and times as texts, which have no mean.
func (f *Figures) MarshalJSON() ([]byte, error) {
	var out struct {
		Mean      *float64 `json:"mean,omitempty"`
		Min       any      `json:"min"`
		Max       any      `json:"max"`
		Quartiles [3]any   `json:"quartiles"`
	}
	value := func(text string) any { return text }
	if f.Format == uproar.Number {
		out.Mean = &f.Mean
		value = func(text string) any { return json.Number(text) }
	}
	out.Min, out.Max = value(f.Min), value(f.Max)
	for i, q := range f.Quartiles {
		out.Quartiles[i] = value(q)
	}
	return json.Marshal(out)
}

// Cross is a cross-tab: how many records have each combination of values.
type Cross struct {
	Fields []string `json:"fields"`
	Cells  []Cell   `json:"cells"`          // largest first
	More   bool     `json:"more,omitempty"` // there are more cells than were asked for
}

// Cell is one combination of values.
type Cell struct {
	Keys  []string `json:"keys"` // in the order of the fields
	Count uint64   `json:"count"`
	Share float64  `json:"share"` // of the audience
}

// Demographics returns how the values of some fields are spread over the audience, alone and in combinations, all in one state and of one evaluation of its query.
//
// Cost: for each field that of uproar.Selection.Top or Numbers, for each cross-tab that of Groups: fields of few values should come first. Errors: those of these.
func (a *Audience) Demographics(ctx context.Context, of Aspects) (Demographics, error) {
	d := Demographics{Records: a.of.Len()}
	for _, field := range of.Fields {
		x, err := a.distribution(ctx, field, of.Limit)
		if err != nil {
			return d, err
		}
		d.Fields = append(d.Fields, x)
	}
	for _, fields := range of.Crosses {
		x, err := a.cross(ctx, fields, of.Limit)
		if err != nil {
			return d, err
		}
		d.Crosses = append(d.Crosses, x)
	}
	return d, nil
}

// quartiles are which quantiles the figures have.
var quartiles = []float64{0.25, 0.5, 0.75}

func (a *Audience) distribution(ctx context.Context, name string, limit int) (Distribution, error) {
	d := Distribution{Field: name}
	f := a.view.field(name)
	if f.Type == uproar.Integer {
		n, err := a.of.Numbers(ctx, name, quartiles...)
		if d.With = n.Sum.Len; err == nil && d.With > 0 {
			unit := 1.0
			for range f.Scale {
				unit *= 10
			}
			d.Figures = &Figures{Mean: n.Sum.Mean() / unit, Min: f.Text(n.Min), Max: f.Text(n.Max), Format: f.Format}
			for i, x := range n.Quantiles {
				d.Figures.Quartiles[i] = f.Text(x)
			}
		}
		return d, err
	}
	var err error
	if d.Values, d.More, err = a.Values(ctx, name, ValueOptions{Limit: limit}); err != nil {
		return d, err
	}
	if f.Type == uproar.Single && !d.More { // each record is counted once
		for _, v := range d.Values {
			d.With += v.Count
		}
		return d, nil
	}
	d.With, err = a.of.Count(ctx, query.Any{Field: name})
	return d, err
}

func (a *Audience) cross(ctx context.Context, fields []string, limit int) (Cross, error) {
	c := Cross{Fields: fields}
	if len(fields) < 2 {
		return c, fmt.Errorf("%w: cross-tab: got %d fields, want 2 or 3", uproar.ErrInvalid, len(fields))
	}
	most := limit
	if limit > 0 {
		most++
	}
	groups, err := a.of.Groups(ctx, most, fields...)
	if limit > 0 && len(groups) > limit {
		groups, c.More = groups[:limit], true
	}
	for _, g := range groups {
		c.Cells = append(c.Cells, Cell{Keys: g.Keys, Count: g.Count, Share: share(g.Count, a.of.Len())})
	}
	return c, err
}
