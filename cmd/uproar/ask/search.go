// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ask

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/cmd/uproar/database"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
)

// Search finds the records of a catalog that count under some conditions.
type Search struct {
	Database   database.Flags `embed:""`
	Name       string         `default:"catalog" placeholder:"NAME" help:"Name of the catalog (${default})."`
	Show       []string       `placeholder:"ATTRIBUTE,..." help:"Also print these attributes."`
	Limit      int            `default:"10" placeholder:"N" help:"Print at most N of several records (${default})."`
	JSON       bool           `name:"json" help:"Print one JSON object, of the form of POST /v1/catalog/search."`
	Conditions []string       `arg:"" optional:"" sep:"none" name:"condition" help:"ATTRIBUTE=VALUE; != another value, >= and <= a range; the same again: one of several values."`
}

// Help returns what the help of the command says beside its flags.
func (*Search) Help() string {
	return `Prints a record a line: its key, then the attributes of --show. The standard error says whether nothing, one or several
were found, and which attributes would decide.

Example: uproar search --dir shop --name discounts --show percent article=tea quantity=100`
}

// operators are those of conditions, the longer ones first.
var operators = []string{"!=", ">=", "<=", "="}

// conditions reads the conditions.
func (c *Search) conditions() (api.Conditions, error) {
	where := make(api.Conditions)
	for _, text := range c.Conditions {
		at, operator := -1, ""
		for _, o := range operators {
			if i := strings.Index(text, o); i > 0 && (at < 0 || i < at) {
				at, operator = i, o
			}
		}
		if at < 0 || text[at+len(operator):] == "" {
			return nil, fmt.Errorf("got the condition %q, want ATTRIBUTE=VALUE, or !=, >= or <= in the place of =", text)
		}
		name, value := text[:at], text[at+len(operator):]
		of := where[name]
		switch operator {
		case "!=":
			of.Not = append(of.Not, value)
		case ">=":
			of.From = value
		case "<=":
			of.To = value
		default:
			of.In = append(of.In, value)
		}
		where[name] = of
	}
	for name, of := range where {
		if len(of.In) == 1 && len(of.Not) == 0 && of.From == "" && of.To == "" {
			where[name] = api.Condition{Value: of.In[0]}
		}
	}
	return where, nil
}

// Validate is called when the command line is parsed.
func (c *Search) Validate() error {
	_, err := c.conditions()
	if err == nil && (c.Limit < 2 || c.Limit > api.MaxLimit) {
		err = fmt.Errorf("--limit: got %d, want 2 to %d", c.Limit, api.MaxLimit)
	}
	return err
}

// Run searches.
func (c *Search) Run(ctx context.Context, con *terminal.Console) (err error) {
	where, err := c.conditions()
	if err != nil {
		return err
	}
	src, err := c.Database.Open(ctx)
	if err != nil {
		return err
	}
	defer database.Close(src, &err)
	answers, err := src.Client.Catalog(c.Name).Search(ctx, api.SearchRequest{Searches: []api.Conditions{where},
		Show: c.Show, Limit: c.Limit})
	switch {
	case err != nil:
		return failed(src, err)
	case len(answers) != 1:
		return fmt.Errorf("got %d answers to one search", len(answers))
	case answers[0].Error != nil:
		return errors.New(answers[0].Error.Message)
	case c.JSON:
		return printJSON(con.Out, answers[0])
	}
	return c.print(con, &answers[0])
}

func (c *Search) print(con *terminal.Console, found *api.SearchAnswer) error {
	out := con.Rows(append([]string{"key"}, c.Show...)...)
	for _, r := range found.Records {
		values := []string{shown(r.Key)}
		for _, name := range c.Show {
			values = append(values, shown(r.Values[name]))
		}
		if err := out.Add(values...); err != nil {
			return err
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	said := found.Found
	if found.More {
		said += ", and more"
	}
	if len(found.Deciding) > 0 {
		said += "; deciding: " + strings.Join(found.Deciding, ", ")
	}
	if found.Unknown != "" {
		said += "; no record has such a value: " + found.Unknown
	}
	_, err := fmt.Fprintln(con.Err, "found "+said)
	return err
}
