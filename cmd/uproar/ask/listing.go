// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ask

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/client"
	"github.com/uproar-db/uproar/cmd/uproar/database"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
	"github.com/uproar-db/uproar/internal/export"
	"github.com/uproar-db/uproar/internal/value"
	"github.com/uproar-db/uproar/server/streaming"
)

// Listing is flags about which entries of a list are printed, and in which form.
type Listing struct {
	Limit  uint64   `placeholder:"N" help:"Print at most N records. Default: all."`
	Fields []string `placeholder:"FIELD,..." help:"Print these fields of each record; all: --fields '*'."`
	Sort   []string `placeholder:"FIELD,..." help:"Sort by one or two integer or single fields, or key; - before it: descending. Without --fields print all of them."`
	JSON   bool     `name:"json" help:"Print each record as a JSON object on a line."`
	Format string   `enum:"text,table,json,ndjson,csv,tsv,parquet,arrow" default:"text" help:"text: a table on a terminal, elsewhere tabs between values; table; json: an array; ndjson: as --json; csv, tsv, parquet, arrow (${default})."`
}

// The forms that are printed here. Others are sent by who is asked.
const (
	formText   = "text"
	formTable  = "table"
	formJSON   = "json"
	formNDJSON = "ndjson"
)

// everything stands for all fields.
const everything = "*"

// form returns the form of a list.
func (l *Listing) form() string {
	switch {
	case l.JSON:
		return formNDJSON
	case l.Format == "": // of no command line
		return formText
	}
	return l.Format
}

// asJSON reports whether what is no list is printed as a JSON object.
func (l *Listing) asJSON() bool { return l.form() == formJSON || l.form() == formNDJSON }

// values reports whether records are printed with values.
func (l *Listing) values() bool { return len(l.Fields)+len(l.Sort) > 0 }

// most returns the limit as calls have it.
func (l *Listing) most() int { return int(min(l.Limit, math.MaxInt)) }

// sent reports whether the list is printed as it is sent.
func (l *Listing) sent() bool {
	return !slices.Contains([]string{formText, formTable, formJSON, formNDJSON}, l.form())
}

// check fails for forms that do not go together, or are for no terminal.
func (l *Listing) check(con *terminal.Console) error {
	text := ""
	switch binary := l.form() == string(export.Parquet) || l.form() == string(export.Arrow); {
	case l.JSON && l.Format != formText && l.Format != formNDJSON:
		text = "--json and --format=" + l.Format + " do not go together"
	case binary && con.Tables:
		text = "--format=" + l.Format + " is for a file, such as behind >, and not for a terminal"
	default:
		return nil
	}
	return &terminal.UsageError{Err: errors.New(text)}
}

// checkForm fails for flags that do not go together.
func (c *Query) checkForm(con *terminal.Console) error {
	text := ""
	switch {
	case c.List.values() && (c.given() || c.Count || c.IDs):
		text = "--fields and --sort are about records with their values: not together with another answer"
	case c.List.sent() && (c.Count || c.Distinct != "" || c.Figures.given() || c.Save != "" || c.Explain):
		text = "--format=" + c.List.Format + " is for lists: records, --top, --groups and --sample"
	default:
		return c.List.check(con)
	}
	return &terminal.UsageError{Err: errors.New(text)}
}

// find returns the request for records with their values.
func (c *Query) find() api.RecordsFindRequest {
	req := api.RecordsFindRequest{Index: c.Index, Query: client.Text(c.Query), Sort: c.List.Sort,
		Limit: c.List.most()}
	if !slices.Contains(c.List.Fields, everything) {
		req.Fields = c.List.Fields
	}
	return req
}

// export prints a list as it is sent.
func (c *Query) export(ctx context.Context, con *terminal.Console, src *database.Source) (err error) {
	media := export.Format(c.List.form()).Media()
	limit := c.List.most()
	question := api.Question{Name: "answer", Limit: limit}
	var in io.ReadCloser
	switch {
	case c.Top != "":
		question.Answer, question.Field, question.By, question.Least = api.AnswerTop, c.Top, c.By, c.Least
		if c.Over != "" {
			question.Over = client.Text(c.Over)
		}
	case len(c.Groups) > 0:
		question.Answer, question.Fields = api.AnswerGroups, c.Groups
	case c.Sample > 0:
		question.Answer, question.Limit, question.Seed = api.AnswerSample, c.Sample, c.Seed
	}
	switch {
	case question.Answer != "":
		in, err = client.Stream(ctx, src.Client, media, api.AnswersRequest{Index: c.Index, Query: client.Text(c.Query),
			Answers: []api.Question{question}})
	case c.List.values():
		in, err = client.Stream(ctx, src.Client, media, c.find())
	default:
		req := api.QueryRequest{Index: c.Index, Query: client.Text(c.Query), Answer: api.AnswerKeys, Limit: limit}
		if c.IDs {
			req.Answer = api.AnswerIDs
		}
		in, err = client.Stream(ctx, src.Client, media, req)
	}
	if err != nil {
		return err
	}
	_, err = io.Copy(con.Out, in)
	return errors.Join(err, in.Close())
}

// records prints records with their values.
func (c *Query) records(ctx context.Context, con *terminal.Console, src *database.Source) error {
	req := c.find()
	declared, err := src.Client.Fields(ctx, c.Index)
	if err != nil {
		return err
	}
	req.Fields = listed(declared, req.Fields)
	in, err := client.Stream(ctx, src.Client, streaming.NDJSON, req)
	if err != nil {
		return err
	}
	return errors.Join(printValues(con, c.List.form(), declared, req.Fields, in), in.Close())
}

// listed returns the fields to be printed: those that are named, else all but those that other
// records have.
func listed(declared []api.Field, named []string) []string {
	if len(named) > 0 {
		return named
	}
	for i, f := range declared {
		if i == 0 || declared[i-1].Inverse != f.Name {
			named = append(named, f.Name)
		}
	}
	return named
}

// printValues prints records of NDJSON with the values of fields. Its error names keys that no
// record has.
func printValues(con *terminal.Console, form string, declared []api.Field, fields []string, in io.Reader) (err error) {
	names := []string{"key"}
	for _, name := range fields {
		if slices.ContainsFunc(declared, func(f api.Field) bool { return f.Name == name && f.Type == "integer" }) {
			name = "#" + name
		}
		names = append(names, name)
	}
	var missing error
	out := beginAs(con, form, names...)
	defer func() { err = errors.Join(err, out.Flush(), missing) }()
	records := json.NewDecoder(bufio.NewReader(in))
	for {
		var r api.Record
		if err := records.Decode(&r); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if r.Missing {
			missing = errors.Join(missing, &uproar.UnknownError{What: "record", Name: r.Key})
			continue
		}
		row := []string{shown(r.Key)}
		for _, name := range fields {
			text, err := valueText(r.Values[name])
			if err != nil {
				return fmt.Errorf("got the value %.80q of a record: %w", r.Values[name], err)
			}
			row = append(row, text)
		}
		if err := out.add(&r, row...); err != nil {
			return err
		}
	}
}

// valueText returns a value of a record, or several, as a row shows them.
func valueText(raw json.RawMessage) (string, error) {
	if len(raw) == 0 || raw[0] != '"' && raw[0] != '[' { // a number, or none
		return string(raw), nil
	}
	if raw[0] == '"' {
		var text string
		err := json.Unmarshal(raw, &text)
		return shown(text), err
	}
	var list []string
	err := json.Unmarshal(raw, &list)
	return shown(string(value.AppendList(nil, list))), err
}
