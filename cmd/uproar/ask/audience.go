// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ask

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/client"
	"github.com/uproar-db/uproar/cmd/uproar/database"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
)

// Audience answers questions about one audience, or keeps it.
type Audience struct {
	Database database.Flags `embed:""`
	Index    string         `default:"people" placeholder:"NAME" help:"Index of the audience (${default})."`
	Words    []string       `placeholder:"FIELD,..." help:"Print the most frequent and most typical values of these fields."`
	Values   []string       `placeholder:"FIELD,..." help:"Print the values of these fields, most frequent first."`
	By       string         `default:"count" enum:"count,lift" placeholder:"MEASURE" help:"With --values: count, or lift, the most typical first (${default})."`
	Fields   []string       `placeholder:"FIELD,..." help:"Print how these fields are spread, integers in figures."`
	Cross    []string       `sep:"none" placeholder:"FIELD,FIELD" help:"Count each combination of values of two or three fields; of integers in bands, such as 'age by 10'. May be repeated."`
	With     string         `placeholder:"QUERY" help:"Print how the audience of this query differs; with --fields, in which values of them."`
	Overlap  []string       `sep:"none" placeholder:"QUERY" help:"Print what it has in common with the audience of this query. May be repeated."`
	Limit    int            `default:"20" placeholder:"N" help:"Print at most N values of each kind (${default})."`
	Least    uint64         `placeholder:"N" help:"Fewest records of a typical or different value. Default: a thousandth of the audience, at least 2; with --values, 1."`
	Save     string         `xor:"keep" placeholder:"NAME" help:"Save the records that the audience has now."`
	Follow   string         `xor:"keep" placeholder:"NAME" help:"Save its query, which is evaluated each time."`
	Forget   string         `xor:"keep" placeholder:"NAME" help:"Delete a saved audience; without a query."`
	Saved    bool           `xor:"keep" help:"List the saved audiences; without a query."`
	JSON     bool           `name:"json" help:"Print one JSON object, of the form of POST /v1/audience/report."`
	HTML     string         `name:"html" placeholder:"FILE" help:"Write the answer as a page with charts, which asks nobody for anything."`
	PNG      string         `name:"png" placeholder:"FILE" help:"Write the same charts as a picture."`
	Query    string         `arg:"" optional:"" help:"The query of the audience; it may name saved ones: saved(NAME)."`
}

// Help returns what the help of the command says beside its flags.
func (*Audience) Help() string {
	return `Lines have tabs between their parts, and begin with what they are:

    size      records, records in the index, share
    common    field, records with the value, share of the audience, records in the index with it, lift, value;
              typical and value have the same parts
    field     field, records that have a value in it; its values follow
    figures   integer field, records that have one, mean, least, the three quartiles, greatest
    cross     fields, records, share, a value of each
    compare   records, those of the other audience, in both, in either, Jaccard
    more      field, ratio of the shares, records and share here, records and share in the other, value; so has less
    here      of an integer field of a comparison, as figures; there, of the other audience
    overlap   a row of the matrix: this audience first, then those of --overlap
    saved     frozen, follows or broken (it needs what is gone), records, name, query

With --html or --png, and nothing else that is to be answered, fields are chosen: words of sets, how the others are
spread, and the first ones by each other.

Example: uproar audience --dir people --words likes --values city --fields sex,age --cross sex,city 'likes = tea'
         uproar audience --dir people --with 'sex = m' --fields likes 'sex = f'
         uproar audience --dir people --html report.html --png report.png 'likes = tea'`
}

// Validate is called when the command line is parsed.
func (c *Audience) Validate() error {
	if alone := c.Saved || c.Forget != ""; alone == (c.Query != "") {
		return errors.New("want a query, or --saved or --forget without one")
	}
	if c.Limit < 1 {
		return fmt.Errorf("--limit: got %d, want 1 or more", c.Limit)
	}
	if c.drawn() && (c.Query == "" || c.Save != "" || c.Follow != "") {
		return errors.New("--html and --png: want a query, and neither --save nor --follow")
	}
	return nil
}

// Run answers.
func (c *Audience) Run(ctx context.Context, con *terminal.Console) (err error) {
	for _, text := range append([]string{c.Query, c.With}, c.Overlap...) {
		if text == "" {
			continue
		}
		if err := Check(text); err != nil {
			return err
		}
	}
	src, err := c.Database.Open(ctx)
	if err != nil {
		return err
	}
	defer database.Close(src, &err)
	report, err := c.answer(ctx, src, &audienceText{con: con, json: c.JSON})
	if err != nil || report == nil {
		return failed(src, err)
	}
	return c.draw(con, *report)
}

// answer asks, and prints what is answered, or returns it if it is to be drawn.
func (c *Audience) answer(ctx context.Context, src *database.Source, out *audienceText) (drawn *api.ReportReply,
	err error) {
	switch of := src.Client.Audience(c.Index, c.Query); {
	case c.Forget != "":
		if err := src.Client.ForgetAudience(ctx, c.Index, c.Forget); err != nil {
			return nil, err
		}
		return nil, out.print(map[string]any{"forgotten": c.Forget}, "forgotten\t"+shown(c.Forget))
	case c.Save != "":
		n, err := of.Save(ctx, c.Save, false)
		if err != nil {
			return nil, err
		}
		return nil, out.kept(c.Save, false, n)
	case c.Follow != "":
		n, err := of.Save(ctx, c.Follow, true)
		if err != nil {
			return nil, err
		}
		return nil, out.kept(c.Follow, true, n)
	case c.Saved:
		list, err := src.Client.SavedAudiences(ctx, c.Index)
		if err != nil {
			return nil, err
		}
		return nil, out.saved(list)
	default:
		req := c.request()
		if c.drawn() && empty(req) {
			if req, err = c.chosen(ctx, src.Client); err != nil {
				return nil, err
			}
		}
		r, err := of.Report(ctx, req)
		if err != nil {
			return nil, err
		}
		if c.drawn() {
			return &r, nil
		}
		for i := range r.Values { // the command has no pages
			r.Values[i].Cursor = ""
		}
		return nil, out.report(r)
	}
}

// request asks for all that the flags name.
func (c *Audience) request() (r api.ReportRequest) {
	for _, field := range c.Words {
		r.Words = append(r.Words, api.WordsRequest{Field: field, Limit: c.Limit, Least: c.Least})
	}
	for _, field := range c.Values {
		r.Values = append(r.Values, api.ValuesRequest{Field: field, By: c.By, Limit: c.Limit, Least: c.Least})
	}
	d := api.DemographicsRequest{Limit: c.Limit}
	if c.With != "" {
		r.Compare = &api.CompareRequest{With: client.Text(c.With), Fields: c.Fields, Limit: c.Limit, Least: c.Least}
	} else {
		d.Fields = c.Fields
	}
	for _, fields := range c.Cross {
		d.Crosses = append(d.Crosses, strings.Split(fields, ","))
	}
	if len(d.Fields)+len(d.Crosses) > 0 {
		r.Demographics = &d
	}
	for _, text := range c.Overlap {
		r.Overlap = append(r.Overlap, json.RawMessage(client.Text(text)))
	}
	return r
}
