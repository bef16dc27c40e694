// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ask

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/client"
	"github.com/uproar-db/uproar/cmd/uproar/database"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
)

// Other is flags that ask for something other than records.
type Other struct {
	Top      string   `xor:"what" placeholder:"FIELD" help:"Print the most frequent values of a field among the records: count, all records with it, score, value."`
	By       string   `default:"count" enum:"count,lift,jaccard,cosine" placeholder:"MEASURE" help:"With --top: count, lift, jaccard or cosine (${default})."`
	Least    uint64   `default:"1" placeholder:"N" help:"With --top: fewest records of a value (${default})."`
	Over     string   `placeholder:"QUERY" help:"With --top and --by lift: the background. Default: all records."`
	Groups   []string `xor:"what" placeholder:"FIELD,..." help:"Count each combination of values of one to three fields; of integers in bands, such as 'age by 10'."`
	Distinct string   `xor:"what" placeholder:"FIELD" help:"Count the values of a field that the records have."`
	Figures  Figures  `embed:""`
	Sample   int      `xor:"what" placeholder:"N" help:"Print N random records."`
	Seed     uint64   `default:"1" placeholder:"N" help:"With --sample: the same seed draws the same records (${default})."`
	Save     string   `xor:"what" placeholder:"NAME" help:"Store the records as a set that saved(NAME) asks for."`
	Explain  bool     `xor:"what" help:"Print the plan, and what its steps found and took."`
}

// Figures is flags that ask for figures of an integer field.
type Figures struct {
	Numbers   string    `xor:"what" placeholder:"FIELD" help:"Print sum, mean, least, greatest and quantiles of an integer field."`
	Quantiles []float64 `default:"0.25,0.5,0.75" placeholder:"P,..." help:"With --numbers: which quantiles (${default})."`
	Histogram string    `xor:"what" placeholder:"BANDS" help:"Count the records in each band of an integer field, in ascending order: 'age by 10', 'joined by month'."`
	Bounds    []string  `placeholder:"X,..." help:"With --histogram FIELD: where bands begin, ascending, such as 18,30,65 or now-30d."`
}

// given reports whether something other than records is asked for.
func (f *Other) given() bool {
	return f.Top != "" || len(f.Groups) > 0 || f.Distinct != "" || f.Figures.given() || f.Sample > 0 ||
		f.Save != "" || f.Explain
}

func (f *Figures) given() bool { return f.Numbers != "" || f.Histogram != "" }

// other asks for something other than records, and prints it.
func (c *Query) other(ctx context.Context, con *terminal.Console, src *database.Source) error {
	if c.Over != "" {
		if err := Check(c.Over); err != nil {
			return err
		}
	}
	switch {
	case c.Top != "":
		return c.top(ctx, con, src)
	case len(c.Groups) > 0:
		return c.groups(ctx, con, src)
	case c.Sample > 0:
		return c.sample(ctx, con, src)
	case c.Distinct != "":
		r, err := c.question(ctx, con, src, api.Question{Answer: api.AnswerDistinct, Field: c.Distinct})
		if err != nil || r.Count == nil {
			return err
		}
		return c.number(con, map[string]any{"distinct": *r.Count}, *r.Count)
	case c.Figures.Numbers != "":
		r, err := c.question(ctx, con, src, api.Question{Answer: api.AnswerNumbers, Field: c.Figures.Numbers,
			Quantiles: c.Figures.Quantiles})
		if err != nil {
			return err
		}
		return c.numbers(con, &r)
	case c.Figures.Histogram != "":
		return c.histogram(ctx, con, src)
	}
	if _, err := c.question(ctx, con, src, api.Question{Answer: api.AnswerCount}); err != nil {
		return err
	}
	if c.Save != "" {
		n, err := src.Client.Save(ctx, c.Index, c.Save, c.Query)
		if err != nil {
			return err
		}
		return c.number(con, map[string]any{"saved": c.Save, "count": n}, n)
	}
	plan, err := src.Client.Explain(ctx, c.Index, c.Query)
	if err != nil {
		return err
	}
	if c.List.asJSON() {
		return printJSON(con.Out, plan)
	}
	var step uproar.Step
	if err := json.Unmarshal(plan, &step); err != nil {
		return fmt.Errorf("the plan of this server is not that of this version: %w", err)
	}
	_, err = fmt.Fprint(con.Out, step.String())
	return err
}

// question asks one question about the records. It notes which of them are unknown.
func (c *Query) question(ctx context.Context, con *terminal.Console, src *database.Source,
	q api.Question) (reply api.Reply, err error) {
	q.Name = "answer"
	r, err := src.Client.Answers(ctx, api.AnswersRequest{Index: c.Index, Query: client.Text(c.Query),
		Answers: []api.Question{q}})
	if err != nil {
		return reply, err
	}
	if len(r.Answers) != 1 {
		return reply, fmt.Errorf("got %d answers to one question", len(r.Answers))
	}
	if q.Cursor == "" {
		err = noteUnknown(con, r.Unknown)
	}
	return r.Answers[0], err
}

// number prints one number, or an object with it.
func (c *Query) number(con *terminal.Console, object map[string]any, n uint64) error {
	if c.List.asJSON() {
		return printJSON(con.Out, object)
	}
	_, err := fmt.Fprintln(con.Out, n)
	return err
}

// pages asks a question page by page, for as many entries as are wanted; 0: all. add prints those
// of a page, and returns how many they are. Of a folder only the first page is asked for so: rest
// prints the others, because each page costs as much as all of them.
func (c *Query) pages(ctx context.Context, con *terminal.Console, src *database.Source, q api.Question,
	add func(api.Reply) (int, error), rest func(*uproar.DB, int) error) error {
	size := api.MaxLimit
	for done := 0; ; {
		q.Limit = size
		if c.List.Limit > 0 {
			q.Limit = int(min(uint64(size), c.List.Limit-uint64(done)))
		}
		r, err := c.question(ctx, con, src, q)
		if tooLarge(err) && size > 1 {
			size /= 2
			continue
		}
		if err != nil {
			return err
		}
		n, err := add(r)
		if err != nil {
			return err
		}
		done += n
		if q.Cursor = r.Cursor; q.Cursor == "" || n == 0 || c.List.Limit > 0 && uint64(done) >= c.List.Limit {
			return nil
		}
		if src.DB != nil {
			return rest(src.DB, done)
		}
	}
}

func (c *Query) groups(ctx context.Context, con *terminal.Console, src *database.Source) (err error) {
	names := append([]string{"#records"}, c.Groups...)
	out := beginAs(con, c.List.form(), names...)
	defer func() { err = errors.Join(err, out.Flush()) }()
	show := func(keys []string, count uint64) error {
		values := []string{strconv.FormatUint(count, 10)}
		for _, key := range keys {
			values = append(values, shown(key))
		}
		return out.add(map[string]any{"keys": keys, "count": count}, values...)
	}
	q := api.Question{Answer: api.AnswerGroups, Fields: c.Groups}
	return c.pages(ctx, con, src, q, func(r api.Reply) (int, error) {
		for _, g := range r.Groups {
			if err := show(g.Keys, g.Count); err != nil {
				return 0, err
			}
		}
		return len(r.Groups), nil
	}, func(db *uproar.DB, done int) error { return c.restOfGroups(ctx, db, done, show) })
}

func (c *Query) top(ctx context.Context, con *terminal.Console, src *database.Source) (err error) {
	out := beginAs(con, c.List.form(), "#records", "#of all", "#score", c.Top)
	defer func() { err = errors.Join(err, out.Flush()) }()
	show := func(key string, count, total uint64, score float64) error {
		return out.add(map[string]any{"key": key, "count": count, "total": total, "score": score},
			strconv.FormatUint(count, 10), strconv.FormatUint(total, 10), fmt.Sprintf("%.4g", score), shown(key))
	}
	q := api.Question{Answer: api.AnswerTop, Field: c.Top, By: c.By, Least: c.Least}
	if c.Over != "" {
		q.Over = client.Text(c.Over)
	}
	return c.pages(ctx, con, src, q, func(r api.Reply) (int, error) {
		for _, x := range r.Rows {
			if err := show(x.Key, x.Count, x.Total, x.Score); err != nil {
				return 0, err
			}
		}
		return len(r.Rows), nil
	}, func(db *uproar.DB, done int) error { return c.restOfTop(ctx, db, done, show) })
}

func (c *Query) sample(ctx context.Context, con *terminal.Console, src *database.Source) (err error) {
	out := c.rows(con)
	defer func() { err = errors.Join(err, out.Flush()) }()
	if c.Sample > api.MaxLimit && src.DB != nil {
		return c.largeSample(ctx, src.DB, out)
	}
	r, err := c.question(ctx, con, src, api.Question{Answer: api.AnswerSample, Limit: c.Sample, Seed: c.Seed})
	if err != nil {
		return err
	}
	if len(r.IDs) != len(r.Keys) {
		return errors.New("this server is older than the program: its samples have no IDs")
	}
	for i, key := range r.Keys {
		if err := c.record(out, api.Identified{ID: r.IDs[i], Key: key}); err != nil {
			return err
		}
	}
	return nil
}

func (c *Query) numbers(con *terminal.Console, r *api.Reply) (err error) {
	if r.Count == nil || *r.Count > 0 && len(r.Quantiles) != len(c.Figures.Quantiles) {
		return errors.New("the answer lacks figures that were asked for")
	}
	if c.List.asJSON() { // of the form of POST /v1/answers
		r.Name = c.Figures.Numbers
		return printJSON(con.Out, r)
	}
	figures := [][2]string{{"count", strconv.FormatUint(*r.Count, 10)}}
	if *r.Count > 0 {
		if r.Mean != nil {
			mean := strconv.FormatFloat(*r.Mean, 'f', -1, 64) // as over HTTP: all of it
			figures = append(figures, [2]string{"sum", string(r.Sum)}, [2]string{"mean", mean})
		}
		figures = append(figures, [2]string{"least", plainNumber(r.Min)}, [2]string{"greatest", plainNumber(r.Max)})
		for i, x := range r.Quantiles {
			figures = append(figures, [2]string{"quantile " + strconv.FormatFloat(c.Figures.Quantiles[i], 'g', -1, 64),
				plainNumber(x)})
		}
	}
	out := beginAs(con, c.List.form(), "figure", "#"+c.Figures.Numbers)
	defer func() { err = errors.Join(err, out.Flush()) }()
	for _, x := range figures {
		if err := out.add(nil, x[0], x[1]); err != nil {
			return err
		}
	}
	return nil
}

// histogram prints the bands of an integer field.
func (c *Query) histogram(ctx context.Context, con *terminal.Console, src *database.Source) (err error) {
	q := api.Question{Answer: api.AnswerHistogram, Field: c.Figures.Histogram}
	for _, bound := range c.Figures.Bounds {
		text, err := json.Marshal(bound)
		if err != nil {
			return err
		}
		q.Bounds = append(q.Bounds, text)
	}
	r, err := c.question(ctx, con, src, q)
	if err != nil {
		return err
	}
	out := beginAs(con, c.List.form(), "#records", "#from", "#below")
	defer func() { err = errors.Join(err, out.Flush()) }()
	for _, b := range r.Bands {
		err := out.add(b, strconv.FormatUint(b.Count, 10), plainNumber(b.From), plainNumber(b.Below))
		if err != nil {
			return err
		}
	}
	return nil
}

// plainNumber returns a number, a day or a time as text.
func plainNumber(raw json.RawMessage) string { return strings.Trim(string(raw), `"`) }
