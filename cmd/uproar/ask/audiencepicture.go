// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ask

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/client"
	"github.com/uproar-db/uproar/cmd/uproar/picture"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
)

// drawn says whether the answer is drawn instead of printed.
func (c *Audience) drawn() bool { return c.HTML != "" || c.PNG != "" }

// empty says whether a request asks for nothing but the size.
func empty(r api.ReportRequest) bool {
	return len(r.Words)+len(r.Values)+len(r.Overlap) == 0 && r.Demographics == nil && r.Compare == nil
}

// How many fields a report has that names none.
const (
	chosenWords   = 3
	chosenFields  = 10
	chosenCrosses = 2
)

// chosen asks for fields of the index, in the order in which they were declared: words of sets, how
// single and integer fields are spread, and the first single field by others. Without a set it asks
// for words of the single fields with most values.
func (c *Audience) chosen(ctx context.Context, of *client.Client) (r api.ReportRequest, err error) {
	fields, err := of.Fields(ctx, c.Index)
	if err != nil {
		return r, err
	}
	d := api.DemographicsRequest{Limit: c.Limit}
	var singles []string
	for _, f := range fields {
		switch {
		case f.Type == string(uproar.Relation):
		case f.Type == string(uproar.Set):
			if len(r.Words) < chosenWords {
				r.Words = append(r.Words, api.WordsRequest{Field: f.Name, Limit: c.Limit, Least: c.Least})
			}
		case len(d.Fields) < chosenFields:
			d.Fields = append(d.Fields, f.Name)
			if f.Type == string(uproar.Single) {
				singles = append(singles, f.Name)
			}
		}
	}
	for i := 1; i < len(singles) && len(d.Crosses) < chosenCrosses; i++ {
		d.Crosses = append(d.Crosses, []string{singles[0], singles[i]})
	}
	if len(d.Fields) > 0 {
		r.Demographics = &d
	}
	if len(r.Words) > 0 || len(singles) == 0 {
		return r, nil
	}
	stats, err := of.Stats(ctx, api.StatsRequest{Index: c.Index})
	if err != nil {
		return r, err
	}
	rows := make(map[string]uint64)
	for _, x := range stats.Indexes {
		for _, f := range x.Fields {
			rows[f.Name] = f.Rows
		}
	}
	slices.SortStableFunc(singles, func(a, b string) int { return cmp.Compare(rows[b], rows[a]) })
	for _, name := range singles[:min(len(singles), chosenWords-1)] {
		r.Words = append(r.Words, api.WordsRequest{Field: name, Limit: c.Limit, Least: c.Least})
	}
	return r, nil
}

// draw writes the files that were asked for.
func (c *Audience) draw(con *terminal.Console, r api.ReportReply) error {
	p := &picture.Report{Index: c.Index, Query: c.Query, With: c.With, Overlap: c.Overlap, Made: time.Now(), Answer: r}
	if c.HTML != "" {
		if err := write(con, c.HTML, p.HTML); err != nil {
			return err
		}
	}
	if c.PNG == "" {
		return nil
	}
	return write(con, c.PNG, func(w io.Writer) error {
		lacking, err := p.PNG(w)
		if lacking {
			fmt.Fprintf(con.Err, "%s: %s\n", c.PNG, picture.Boxes)
		}
		return err
	})
}

// write makes a file, and says so. What was written of a file that fails is removed.
func write(con *terminal.Console, name string, fill func(io.Writer) error) (err error) {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	if err := errors.Join(fill(f), f.Close()); err != nil {
		return errors.Join(err, os.Remove(name))
	}
	_, err = fmt.Fprintf(con.Out, "wrote\t%s\n", name)
	return err
}
