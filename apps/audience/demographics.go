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
	Fields  []string   // as uproar.ParseBy reads them: of an integer field without a band, figures are given
	Crosses [][]string // each of two or three fields, named likewise
	// values of a field, and cells of a cross-tab, the largest first; 0: all, at most
	// 4 194 304 cells
	Limit int
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
	Values  []Value  `json:"values,omitempty"`  // most frequent first; none of an integer field without a band
	More    bool     `json:"more,omitempty"`    // there are more values than were asked for
	Figures *Figures `json:"figures,omitempty"` // of an integer field that records have values in
}

// Figures are what the integers of an audience amount to. But for the mean they are exact, and
// written as the field declares.
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

// Demographics returns how values of fields are spread over the audience, alone and in
// combinations. All figures come from one state and one evaluation of the query.
//
// Cost: that of uproar.Selection.Tables, which counts fields of few values in one pass, and of
// Numbers for each integer field. Errors: those of these.
func (a *Audience) Demographics(ctx context.Context, of Aspects) (Demographics, error) {
	d := Demographics{Records: a.of.Len()}
	var wanted [][]string
	fields := make([]uproar.By, len(of.Fields))
	for i, field := range of.Fields {
		by, err := uproar.ParseBy(field)
		if err != nil {
			return d, err
		}
		if fields[i] = by; by.Band != "" || a.view.field(by.Field).Type != uproar.Integer {
			wanted = append(wanted, []string{field})
		}
	}
	for _, fields := range of.Crosses {
		if len(fields) < 2 {
			return d, fmt.Errorf("%w: cross-tab: got %d fields, want 2 or 3", uproar.ErrInvalid, len(fields))
		}
		wanted = append(wanted, fields)
	}
	most := of.Limit
	if most > 0 {
		most++
	}
	tables, err := a.of.Tables(ctx, most, wanted...)
	if err != nil {
		return d, err
	}
	next := func() (table []uproar.Group, more bool) {
		table, tables = tables[0], tables[1:]
		if of.Limit > 0 && len(table) > of.Limit {
			return table[:of.Limit], true
		}
		return table, false
	}
	for i, field := range of.Fields {
		x := Distribution{Field: field}
		if f := a.view.field(fields[i].Field); f.Type == uproar.Integer && fields[i].Band == "" {
			err = a.figures(ctx, &x, &f)
		} else {
			table, more := next()
			err = a.distribution(ctx, &x, &f, table, more)
		}
		if err != nil {
			return d, err
		}
		d.Fields = append(d.Fields, x)
	}
	for _, fields := range of.Crosses {
		x := Cross{Fields: fields}
		var table []uproar.Group
		table, x.More = next()
		for _, g := range table {
			x.Cells = append(x.Cells, Cell{Keys: g.Keys, Count: g.Count, Share: share(g.Count, a.of.Len())})
		}
		d.Crosses = append(d.Crosses, x)
	}
	return d, nil
}

// quartiles are which quantiles the figures have.
var quartiles = []float64{0.25, 0.5, 0.75}

// figures adds what the integers of a field amount to.
func (a *Audience) figures(ctx context.Context, d *Distribution, f *uproar.Field) error {
	n, err := a.of.Numbers(ctx, f.Name, quartiles...)
	if d.With = n.Sum.Len; err != nil || d.With == 0 {
		return err
	}
	d.Figures = &Figures{Mean: f.Mean(n.Sum), Min: f.Text(n.Min), Max: f.Text(n.Max), Format: f.Format}
	for i, x := range n.Quantiles {
		d.Figures.Quartiles[i] = f.Text(x)
	}
	return nil
}

// distribution adds the values of a field.
func (a *Audience) distribution(ctx context.Context, d *Distribution, f *uproar.Field, table []uproar.Group,
	more bool) (err error) {
	d.More, d.Values = more, make([]Value, 0, len(table))
	sum := uint64(0)
	for _, g := range table {
		d.Values = append(d.Values, a.value(uproar.Ranked{Key: g.Keys[0], Count: g.Count, Total: g.Total,
			Row: g.Rows[0]}, uproar.ByCount))
		sum += g.Count
	}
	if f.Type != uproar.Set && f.Type != uproar.Relation && !more { // each record is counted once
		d.With = sum
		return nil
	}
	d.With, err = a.of.Count(ctx, query.Any{Field: f.Name})
	return err
}
