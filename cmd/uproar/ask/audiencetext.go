// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ask

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
)

// audienceText prints answers about audiences: as one JSON object, or as lines that begin with what
// they are. On a terminal each kind of line has a table of its own.
type audienceText struct {
	con  *terminal.Console
	json bool

	kind string // of the lines of the table
	rows *terminal.Rows
	err  error // the first
}

// headers are the names of the parts of each kind of line.
var headers = map[string][]string{
	"size":    {"#records", "#of", "#share"},
	"common":  {"field", "#records", "#share", "#of all", "#lift", "value"},
	"field":   {"field", "#with a value"},
	"figures": {"field", "#records", "#mean", "#least", "#quartile", "#median", "#quartile", "#greatest"},
	"cross":   {"fields", "#records", "#share", "values"},
	"compare": {"#records", "#other", "#both", "#either", "#Jaccard"},
	"more":    {"field", "#ratio", "#records", "#share", "#other", "#share", "value"},
	"saved":   {"kind", "#records", "name", "query"},
}

// headerOf are the kinds of line that have the parts of another.
var headerOf = map[string]string{"typical": "common", "value": "common", "less": "more", "here": "figures",
	"there": "figures"}

// line adds a line.
func (o *audienceText) line(kind string, parts ...any) {
	if o.rows == nil || kind != o.kind && o.con.Tables {
		o.end()
		if o.kind != "" && o.con.Tables {
			_, err := fmt.Fprintln(o.con.Out)
			o.err = errors.Join(o.err, err)
		}
		names, ok := headers[kind]
		if !ok {
			names = headers[headerOf[kind]]
		}
		o.rows = o.con.Rows(append([]string{kind}, names...)...)
		o.kind = kind
	}
	values := []string{kind}
	if o.con.Tables {
		values[0] = ""
	}
	for _, p := range parts {
		switch p := p.(type) {
		case float64:
			values = append(values, strconv.FormatFloat(p, 'g', 4, 64))
		case []string:
			for _, s := range p {
				values = append(values, shown(s))
			}
		default:
			values = append(values, fmt.Sprint(p))
		}
	}
	o.err = errors.Join(o.err, o.rows.Add(values...))
}

// end ends the table of one kind of lines, if there is one.
func (o *audienceText) end() {
	if o.rows != nil {
		o.err = errors.Join(o.err, o.rows.Flush())
		o.rows = nil
	}
}

// done ends what is printed, and returns the first error.
func (o *audienceText) done() error {
	o.end()
	return o.err
}

// print prints an object, or its line.
func (o *audienceText) print(object any, line string) error {
	if o.json {
		return printJSON(o.con.Out, object)
	}
	_, err := fmt.Fprintln(o.con.Out, line)
	return err
}

// kept says that an audience was saved.
func (o *audienceText) kept(name string, follows bool, records uint64) error {
	return o.print(map[string]any{"saved": name, "follows": follows, "records": records},
		fmt.Sprintf("saved\t%d\t%s", records, shown(name)))
}

func (o *audienceText) saved(list []api.SavedAudience) error {
	if o.json {
		return printJSON(o.con.Out, map[string]any{"audiences": append([]api.SavedAudience{}, list...)})
	}
	for _, s := range list {
		kind := "frozen"
		switch {
		case s.Error != "":
			kind = "broken"
		case s.Follows:
			kind = "follows"
		}
		o.line("saved", kind, s.Records, shown(s.Name), s.Query)
	}
	return o.done()
}

func (o *audienceText) values(what, field string, list []api.Value) {
	for _, v := range list {
		o.line(what, field, v.Count, v.Share, v.Total, v.Lift, shown(v.Key))
	}
}

func (o *audienceText) report(r api.ReportReply) error {
	if o.json {
		return printJSON(o.con.Out, r)
	}
	o.line("size", r.Size.Records, r.Size.Of, r.Size.Share)
	for _, c := range r.Words {
		o.values("common", c.Field, c.Common)
		o.values("typical", c.Field, c.Typical)
	}
	for _, v := range r.Values {
		o.values("value", v.Field, v.Values)
	}
	if r.Demographics != nil {
		o.demographics(r.Demographics)
	}
	if c := r.Compare; c != nil {
		o.line("compare", c.Records, c.Other, c.Both, c.Either, c.Jaccard)
		for _, f := range c.Fields {
			o.differences("more", f.Field, f.More)
			o.differences("less", f.Field, f.Less)
			o.integers("here", f.Here)
			o.integers("there", f.There)
		}
	}
	for _, row := range r.Overlap {
		parts := make([]any, len(row))
		for i, n := range row {
			parts[i] = n
		}
		o.line("overlap", parts...)
	}
	return o.done()
}

// integers prints what the integers of a field amount to, and reports whether there are any.
func (o *audienceText) integers(kind string, f *api.Distribution) bool {
	if f == nil || f.Figures == nil || len(f.Figures.Quartiles) != 3 {
		return false
	}
	x, mean := f.Figures, any("-") // days and times have none
	if x.Mean != nil {
		mean = *x.Mean
	}
	o.line(kind, f.Field, f.With, mean, plainNumber(x.Min), plainNumber(x.Quartiles[0]), plainNumber(x.Quartiles[1]),
		plainNumber(x.Quartiles[2]), plainNumber(x.Max))
	return true
}

func (o *audienceText) demographics(d *api.DemographicsReply) {
	for _, f := range d.Fields {
		if o.integers("figures", &f) {
			continue
		}
		o.line("field", f.Field, f.With)
		o.values("value", f.Field, f.Values)
	}
	for _, c := range d.Crosses {
		for _, cell := range c.Cells {
			o.line("cross", strings.Join(c.Fields, ","), cell.Count, cell.Share, cell.Keys)
		}
	}
}

func (o *audienceText) differences(what, field string, list []api.Difference) {
	for _, d := range list {
		o.line(what, field, d.Ratio, d.Count, d.Share, d.OtherCount, d.OtherShare, shown(d.Key))
	}
}
