// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/audience"
	"github.com/uproar-db/uproar/cmd/uproar/database"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
)

// audienceCommand answers questions about one audience, or keeps it.
type audienceCommand struct {
	Dir     string   `required:"" placeholder:"DIR" help:"Folder of the database."`
	Index   string   `default:"people" placeholder:"NAME" help:"Index of the audience (${default})."`
	Words   []string `placeholder:"FIELD,..." help:"Print the most frequent and most typical values of these fields."`
	Values  []string `placeholder:"FIELD,..." help:"Print the values of these fields, most frequent first."`
	By      string   `default:"count" enum:"count,lift" placeholder:"MEASURE" help:"With --values: count, or lift, the most typical first (${default})."`
	Fields  []string `placeholder:"FIELD,..." help:"Print how these fields are spread, integers in figures."`
	Cross   []string `sep:"none" placeholder:"FIELD,FIELD" help:"Count each combination of values of two or three fields; of integers in bands, such as 'age by 10'. May be repeated."`
	With    string   `placeholder:"QUERY" help:"Print how the audience of this query differs; with --fields, in which values of them."`
	Overlap []string `sep:"none" placeholder:"QUERY" help:"Print what it has in common with the audience of this query. May be repeated."`
	Limit   int      `default:"20" placeholder:"N" help:"Print at most N values of each kind (${default})."`
	Least   uint64   `placeholder:"N" help:"Fewest records of a typical or different value. Default: a thousandth of the audience, at least 2; with --values, 1."`
	Save    string   `xor:"keep" placeholder:"NAME" help:"Save the records that the audience has now."`
	Follow  string   `xor:"keep" placeholder:"NAME" help:"Save its query, which is evaluated each time."`
	Forget  string   `xor:"keep" placeholder:"NAME" help:"Delete a saved audience; without a query."`
	Saved   bool     `xor:"keep" help:"List the saved audiences; without a query."`
	JSON    bool     `name:"json" help:"Print one JSON object, of the form of POST /v1/audience/report."`
	database.EngineFlag
	database.ReadOnlyFlag
	Query string `arg:"" optional:"" help:"The query of the audience; it may name saved ones: saved(NAME)."`
}

// Help returns what the help of the command says beside its flags.
func (*audienceCommand) Help() string {
	return `Lines have tabs between their parts, and begin with what they are:

    size      records, records in the index, share
    common    field, records with the value, share of the audience, records in the index with it, lift, value;
              typical and value have the same parts
    field     field, records that have a value in it; its values follow
    figures   integer field, records that have one, mean, least, the three quartiles, greatest
    cross     fields, records, share, a value of each
    compare   records, those of the other audience, in both, in either, Jaccard
    more      field, ratio of the shares, records and share here, records and share in the other, value; so has less
    overlap   a row of the matrix: this audience first, then those of --overlap
    saved     frozen, follows or broken (it needs what is gone), records, name, query

Example: uproar audience --dir people --words likes --values city --fields sex,age --cross sex,city 'likes = tea'
         uproar audience --dir people --with 'sex = m' --fields likes 'sex = f'`
}

// Validate is called when the command line is parsed.
func (c *audienceCommand) Validate() error {
	if alone := c.Saved || c.Forget != ""; alone == (c.Query != "") {
		return errors.New("want a query, or --saved or --forget without one")
	}
	if c.Limit < 1 {
		return fmt.Errorf("--limit: got %d, want 1 or more", c.Limit)
	}
	return nil
}

// Run answers.
func (c *audienceCommand) Run(ctx context.Context, con *terminal.Console) (err error) {
	db, err := database.Open(ctx, c.Dir, c.Store, false, c.Options())
	if err != nil {
		return err
	}
	defer database.Closing(db, &err)
	audiences, err := audience.Of(db, c.Index)
	if err != nil {
		return unknown(err)
	}
	out := &audienceOutput{to: con.Out, json: c.JSON}
	switch {
	case c.Forget != "":
		if err := audiences.Forget(ctx, c.Forget); err != nil {
			return unknown(err)
		}
		return out.print(map[string]any{"forgotten": c.Forget}, "forgotten\t"+shown(c.Forget))
	case c.Save != "" || c.Follow != "":
		return c.save(ctx, audiences, out)
	}
	view, err := audiences.View(ctx)
	if err != nil {
		return err
	}
	defer view.Close()
	if c.Saved {
		list, err := view.Saved(ctx)
		if err != nil {
			return err
		}
		return out.saved(list)
	}
	of, err := c.find(ctx, view, c.Query)
	if err != nil {
		return err
	}
	report, err := c.report(ctx, view, of)
	if err != nil {
		return unknown(err)
	}
	return out.report(report)
}

// save writes the audience.
func (c *audienceCommand) save(ctx context.Context, audiences audience.Audiences, out *audienceOutput) error {
	expr, err := parseQuery(c.Query)
	if err != nil {
		return pointOut(err)
	}
	save, name := audiences.Freeze, c.Save
	if c.Follow != "" {
		save, name = audiences.Follow, c.Follow
	}
	n, err := save(ctx, name, expr)
	if err != nil {
		return unknown(err)
	}
	return out.print(map[string]any{"saved": name, "follows": c.Follow != "", "records": n},
		fmt.Sprintf("saved\t%d\t%s", n, shown(name)))
}

// find finds the audience of a query.
func (c *audienceCommand) find(ctx context.Context, view *audience.View, text string) (*audience.Audience, error) {
	expr, err := parseQuery(text)
	if err != nil {
		return nil, pointOut(err)
	}
	of, err := view.Find(ctx, expr)
	return of, unknown(err)
}

// audienceReport is all that is asked about an audience.
type audienceReport struct {
	Size         audience.Size          `json:"size"`
	Words        []fieldCloud           `json:"words,omitempty"`
	Values       []fieldValues          `json:"values,omitempty"`
	Demographics *audience.Demographics `json:"demographics,omitempty"`
	Overlap      [][]uint64             `json:"overlap,omitempty"`
	Compare      *audience.Comparison   `json:"compare,omitempty"`
}

type fieldCloud struct {
	Field string `json:"field"`
	audience.Cloud
}

type fieldValues struct {
	Field  string           `json:"field"`
	Values []audience.Value `json:"values"`
}

// report answers what is asked.
func (c *audienceCommand) report(ctx context.Context, view *audience.View, of *audience.Audience) (r audienceReport,
	err error) {
	r.Size = of.Size()
	for _, field := range c.Words {
		cloud, err := of.Words(ctx, field, audience.WordOptions{Limit: c.Limit, Least: c.Least})
		if err != nil {
			return r, err
		}
		r.Words = append(r.Words, fieldCloud{field, cloud})
	}
	for _, field := range c.Values {
		values, _, err := of.Values(ctx, field, audience.ValueOptions{By: uproar.Measure(c.By), Limit: c.Limit,
			Least: c.Least})
		if err != nil {
			return r, err
		}
		r.Values = append(r.Values, fieldValues{field, values})
	}
	if c.With != "" {
		other, err := c.find(ctx, view, c.With)
		if err != nil {
			return r, err
		}
		compared, err := of.Compare(ctx, other, audience.CompareOptions{Fields: c.Fields, Limit: c.Limit,
			Least: c.Least})
		if err != nil {
			return r, err
		}
		r.Compare = &compared
	}
	aspects := audience.Aspects{Limit: c.Limit}
	if c.With == "" {
		aspects.Fields = c.Fields
	}
	for _, text := range c.Cross {
		aspects.Crosses = append(aspects.Crosses, strings.Split(text, ","))
	}
	if len(aspects.Fields)+len(aspects.Crosses) > 0 {
		d, err := of.Demographics(ctx, aspects)
		if err != nil {
			return r, err
		}
		r.Demographics = &d
	}
	if len(c.Overlap) == 0 {
		return r, nil
	}
	all := []*audience.Audience{of}
	for _, text := range c.Overlap {
		other, err := c.find(ctx, view, text)
		if err != nil {
			return r, err
		}
		all = append(all, other)
	}
	r.Overlap, err = audience.Overlap(ctx, all...)
	return r, err
}
