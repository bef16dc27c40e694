// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/audience"
	"github.com/uproar-db/uproar/cmd/uproar/database"
)

// audienceOutput prints answers about audiences: as one JSON object, or as lines with tabs.
type audienceOutput struct {
	to   io.Writer
	json bool
	text strings.Builder
}

// print prints an object, or its lines.
func (o *audienceOutput) print(object any, lines string) error {
	if o.json {
		raw, err := json.Marshal(object)
		if err != nil {
			return err
		}
		lines = string(raw)
	}
	_, err := io.WriteString(o.to, strings.TrimSuffix(lines, "\n")+"\n")
	return err
}

// line adds a line.
func (o *audienceOutput) line(parts ...any) {
	for i, p := range parts {
		if i > 0 {
			o.text.WriteByte('\t')
		}
		switch p := p.(type) {
		case float64:
			o.text.WriteString(strconv.FormatFloat(p, 'g', 4, 64))
		case []string:
			for k, s := range p {
				o.text.WriteString("\t"[:min(k, 1)] + shown(s))
			}
		default:
			fmt.Fprint(&o.text, p)
		}
	}
	o.text.WriteByte('\n')
}

// savedAudience is a saved audience, with what is wrong with it.
type savedAudience struct {
	audience.Saved
	Error string `json:"error,omitempty"`
}

func (o *audienceOutput) saved(list []audience.Saved) error {
	all := make([]savedAudience, len(list))
	for i, s := range list {
		kind := "frozen"
		switch all[i].Saved = s; {
		case s.Broken != nil:
			kind, all[i].Error = "broken", database.Public(s.Broken.Error())
		case s.Follows:
			kind = "follows"
		}
		o.line("saved", kind, s.Records, shown(s.Name), s.Query)
	}
	if len(list) == 0 && !o.json {
		return nil
	}
	return o.print(map[string]any{"audiences": all}, o.text.String())
}

func (o *audienceOutput) values(what, field string, list []audience.Value) {
	for _, v := range list {
		o.line(what, field, v.Count, v.Share, v.Total, v.Lift, shown(v.Key))
	}
}

func (o *audienceOutput) report(r audienceReport) error {
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
		}
	}
	for _, row := range r.Overlap {
		parts := []any{"overlap"}
		for _, n := range row {
			parts = append(parts, n)
		}
		o.line(parts...)
	}
	return o.print(r, o.text.String())
}

func (o *audienceOutput) demographics(d *audience.Demographics) {
	for _, f := range d.Fields {
		if x := f.Figures; x != nil {
			mean := any("-") // days and times have none
			if x.Format == uproar.Number {
				mean = x.Mean
			}
			o.line("figures", f.Field, f.With, mean, x.Min, x.Quartiles[0], x.Quartiles[1], x.Quartiles[2], x.Max)
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

func (o *audienceOutput) differences(what, field string, list []audience.Difference) {
	for _, d := range list {
		o.line(what, field, d.Ratio, d.Count, d.Share, d.OtherCount, d.OtherShare, shown(d.Key))
	}
}
