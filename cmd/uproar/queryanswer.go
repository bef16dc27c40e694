// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
	"github.com/uproar-db/uproar/query"
)

// answerFlags ask for something other than records.
type answerFlags struct {
	Top       string    `xor:"what" placeholder:"FIELD" help:"Print the most frequent values of a field among the records: count, all records with it, score, value."`
	By        string    `default:"count" enum:"count,lift,jaccard,cosine" placeholder:"MEASURE" help:"With --top: count, lift, jaccard or cosine (${default})."`
	Least     uint64    `default:"1" placeholder:"N" help:"With --top: fewest records of a value (${default})."`
	Over      string    `placeholder:"QUERY" help:"With --top and --by lift: the background. Default: all records."`
	Groups    []string  `xor:"what" placeholder:"FIELD,..." help:"Count each combination of values of one to three fields; of integers in bands, such as 'age by 10'."`
	Distinct  string    `xor:"what" placeholder:"FIELD" help:"Count the values of a field that the records have."`
	Numbers   string    `xor:"what" placeholder:"FIELD" help:"Print sum, mean, least, greatest and quantiles of an integer field."`
	Quantiles []float64 `default:"0.25,0.5,0.75" placeholder:"P,..." help:"With --numbers: which quantiles (${default})."`
	Sample    int       `xor:"what" placeholder:"N" help:"Print N random records."`
	Seed      uint64    `default:"1" placeholder:"N" help:"With --sample: the same seed draws the same records (${default})."`
	Save      string    `xor:"what" placeholder:"NAME" help:"Store the records as a set that saved(NAME) asks for."`
	Explain   bool      `xor:"what" help:"Print the plan, and what its steps found and took."`
}

// given reports whether something other than records is asked for.
func (f *answerFlags) given() bool {
	return f.Top != "" || len(f.Groups) > 0 || f.Distinct != "" || f.Numbers != "" || f.Sample > 0 || f.Save != "" ||
		f.Explain
}

// parseQuery reads a query as text, or as JSON if it begins with a brace.
func parseQuery(text string) (query.Expr, error) {
	if strings.HasPrefix(strings.TrimSpace(text), "{") {
		return query.ParseJSON([]byte(text))
	}
	return query.Parse(text)
}

// answer prints what is asked for.
func (c *queryCommand) answer(ctx context.Context, con *terminal.Console, index *uproar.Index, s uproar.Snapshot,
	expr query.Expr) (err error) {
	out := bufio.NewWriter(con.Out)
	defer func() { err = errors.Join(err, out.Flush()) }()
	switch {
	case c.Save != "":
		n, err := index.Save(ctx, c.Save, expr)
		if err != nil {
			return err
		}
		return c.line(out, map[string]any{"saved": c.Save, "count": n}, strconv.FormatUint(n, 10))
	case c.Explain:
		step, err := s.Explain(ctx, expr)
		if err != nil {
			return err
		}
		return c.line(out, step, strings.TrimSuffix(step.String(), "\n"))
	}
	of, err := s.Select(ctx, expr)
	if err != nil {
		return err
	}
	switch {
	case c.Top != "":
		return c.top(ctx, out, s, of)
	case len(c.Groups) > 0:
		return c.groups(ctx, out, of)
	case c.Distinct != "":
		n, err := of.Distinct(ctx, c.Distinct)
		if err != nil {
			return err
		}
		return c.line(out, map[string]any{"distinct": n}, strconv.FormatUint(n, 10))
	case c.Numbers != "":
		return c.numbers(ctx, out, index, of)
	}
	for _, id := range of.Sample(c.Sample, c.Seed) {
		if err := c.record(out, s, id); err != nil {
			return err
		}
	}
	return nil
}

// groups prints groups: a limited number, or one after the other as they come, however many there
// are.
func (c *queryCommand) groups(ctx context.Context, out *bufio.Writer, of *uproar.Selection) error {
	show := func(g uproar.Group) error {
		keys := make([]string, len(g.Keys))
		for i, key := range g.Keys {
			keys[i] = shown(key)
		}
		row := map[string]any{"keys": g.Keys, "count": g.Count}
		return c.line(out, row, fmt.Sprintf("%d\t%s", g.Count, strings.Join(keys, "\t")))
	}
	if c.Limit == 0 {
		for g, err := range of.AllGroups(ctx, c.Groups...) {
			if err == nil {
				err = show(g)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	groups, err := of.Groups(ctx, int(c.Limit), c.Groups...)
	for _, g := range groups {
		if err := show(g); err != nil {
			return err
		}
	}
	return err
}

// line prints one line: a value as JSON, or its text.
func (c *queryCommand) line(out *bufio.Writer, value any, text string) error {
	if c.JSON {
		raw, err := json.Marshal(value)
		if err != nil {
			return err
		}
		text = string(raw)
	}
	_, err := out.WriteString(text + "\n")
	return err
}

func (c *queryCommand) top(ctx context.Context, out *bufio.Writer, s uproar.Snapshot, of *uproar.Selection) error {
	o := uproar.TopOptions{By: uproar.Measure(c.By), Limit: int(c.Limit), Least: c.Least}
	if c.Over != "" {
		expr, err := parseQuery(c.Over)
		if err != nil {
			return pointOut(err)
		}
		if o.Background, err = s.Select(ctx, expr); err != nil {
			return err
		}
	}
	top, err := of.Top(ctx, c.Top, o)
	for _, r := range top {
		row := map[string]any{"key": r.Key, "count": r.Count, "total": r.Total, "score": r.Score}
		if err := c.line(out, row, fmt.Sprintf("%d\t%d\t%.4g\t%s", r.Count, r.Total, r.Score,
			shown(r.Key))); err != nil {
			return err
		}
	}
	return err
}

func (c *queryCommand) numbers(ctx context.Context, out *bufio.Writer, index *uproar.Index,
	of *uproar.Selection) error {
	n, err := of.Numbers(ctx, c.Numbers, c.Quantiles...)
	if err != nil {
		return err
	}
	fields := index.Fields()
	f := fields[slices.IndexFunc(fields, func(f uproar.Field) bool { return f.Name == c.Numbers })]
	figures := [][2]string{{"count", strconv.FormatUint(n.Sum.Len, 10)}}
	if n.Sum.Len > 0 {
		if f.Format == uproar.Number {
			mean := strconv.FormatFloat(f.Mean(n.Sum), 'f', -1, 64) // as over HTTP: all of it
			figures = append(figures, [2]string{"sum", f.SumText(n.Sum)}, [2]string{"mean", mean})
		}
		figures = append(figures, [2]string{"least", f.Text(n.Min)}, [2]string{"greatest", f.Text(n.Max)})
		for i, x := range n.Quantiles {
			figures = append(figures, [2]string{"quantile " + strconv.FormatFloat(c.Quantiles[i], 'g', -1, 64),
				f.Text(x)})
		}
	}
	for _, x := range figures {
		if err := c.line(out, map[string]string{x[0]: x[1]}, x[0]+"\t"+x[1]); err != nil {
			return err
		}
	}
	return nil
}

// shown returns a key as a line of text shows it.
func shown(key string) string {
	if printable(key) {
		return key
	}
	return strconv.Quote(key)
}
