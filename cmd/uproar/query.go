// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/cmd/uproar/database"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
	"github.com/uproar-db/uproar/query"
)

// queryCommand prints the answer to a query.
type queryCommand struct {
	Dir   string `required:"" placeholder:"DIR" help:"Folder of the database."`
	Index string `default:"accounts" placeholder:"NAME" help:"Index to be asked (${default})."`
	Limit uint64 `placeholder:"N" help:"Print at most N records. Default: all."`
	Count bool   `xor:"what" help:"Print only how many records match."`
	IDs   bool   `name:"ids" xor:"what" help:"Print record IDs instead of keys."`
	JSON  bool   `name:"json" help:"Print each record as a JSON object on a line."`
	answerFlags
	database.EngineFlag
	database.ReadOnlyFlag
	Query string `arg:"" help:"The query; - reads it from the standard input."`
}

// Help returns what the help of the command says beside its flags.
func (*queryCommand) Help() string {
	return `Prints a record a line, in the order of IDs. The standard error has how many match, the time, and which parts of the
query name unknown records. A key with control characters is printed as a Go string. A query that begins with { is
JSON. docs/query.md describes the language.

Example: uproar query --dir network 'follows(18) and followers(737)'
         uproar query --dir network --top followers --by lift --limit 20 'followers(18)'`
}

// Run answers.
func (c *queryCommand) Run(ctx context.Context, con *terminal.Console) (err error) {
	if c.Query == "-" {
		if c.Query, err = readQuery(con.In); err != nil {
			return err
		}
	}
	expr, err := parseQuery(c.Query)
	if err != nil {
		return pointOut(err)
	}
	db, err := database.Open(ctx, c.Dir, c.Store, false, c.Options())
	if err != nil {
		return err
	}
	defer database.Closing(db, &err)
	index, err := db.Index(c.Index)
	if err != nil {
		return unknown(err)
	}
	s := index.Snapshot()
	defer s.Close()
	if err := noteUnknown(ctx, con, s, expr); err != nil {
		return c.located(err)
	}
	if c.given() {
		return c.located(c.answer(ctx, con, index, s, expr))
	}
	start := time.Now()
	n, err := s.Count(ctx, expr)
	if err != nil {
		return c.located(err)
	}
	took := time.Since(start)
	if err := c.print(ctx, con, s, expr, n); err != nil {
		return err
	}
	shown := ""
	if c.Limit > 0 && c.Limit < n && !c.Count {
		shown = fmt.Sprintf(", %s shown", terminal.Count(c.Limit))
	}
	_, err = fmt.Fprintf(con.Err, "%s%s; counted in %s\n", terminal.Plural(n, "record"), shown, terminal.Took(took))
	return err
}

// readQuery reads a query as text or JSON.
func readQuery(in io.Reader) (string, error) {
	text, err := io.ReadAll(io.LimitReader(in, query.MaxJSON+1))
	return strings.TrimSpace(string(text)), err
}

// shownUnknown is how many parts of a query are shown that are about records which do not exist.
const shownUnknown = 5

// noteUnknown says on the standard error which parts of a query are empty. The record that they
// name does not exist: it may have been misspelt.
func noteUnknown(ctx context.Context, con *terminal.Console, s uproar.Snapshot, expr query.Expr) error {
	unknown, err := s.Unknown(ctx, expr, shownUnknown+1)
	for i, e := range unknown {
		if err == nil && i == shownUnknown {
			_, err = fmt.Fprintln(con.Err, "unknown: and more")
		} else if err == nil {
			_, err = fmt.Fprintf(con.Err, "unknown: %.200s\n", e)
		}
	}
	return err
}

// print prints n, or the records.
func (c *queryCommand) print(ctx context.Context, con *terminal.Console, s uproar.Snapshot, expr query.Expr,
	n uint64) (err error) {
	out := bufio.NewWriter(con.Out)
	defer func() { err = errors.Join(err, out.Flush()) }()
	if c.Count {
		if c.JSON {
			_, err = fmt.Fprintf(out, "{\"count\":%d}\n", n)
		} else {
			_, err = fmt.Fprintln(out, n)
		}
		return err
	}
	const atOnce = 4096
	left := c.Limit
	if left == 0 {
		left = n
	}
	for p := (uproar.Page{}); left > 0; {
		p.Limit = int(min(left, atOnce))
		page, err := s.IDs(ctx, expr, p)
		if err != nil {
			return err
		}
		for _, id := range page.IDs {
			if err := c.record(out, s, id); err != nil {
				return err
			}
		}
		left -= uint64(len(page.IDs))
		if p.From = page.Next; !page.More {
			break
		}
	}
	return nil
}

// record prints one record.
func (c *queryCommand) record(out *bufio.Writer, s uproar.Snapshot, id uint64) error {
	var key string
	if !c.IDs {
		var err error
		if key, err = s.Key(id); err != nil {
			return err
		}
	}
	var line []byte
	switch {
	case c.JSON:
		var err error
		line, err = json.Marshal(struct {
			ID  uint64 `json:"id"`
			Key string `json:"key,omitempty"`
		}{id, key})
		if err != nil {
			return err
		}
	case c.IDs:
		line = strconv.AppendUint(nil, id, 10)
	default:
		line = []byte(shown(key))
	}
	_, err := out.Write(append(line, '\n'))
	return err
}

// printable reports whether a key is one line of text that a terminal shows as it is.
func printable(key string) bool {
	for _, r := range key {
		if unicode.IsControl(r) {
			return false
		}
	}
	return utf8.ValidString(key)
}

// located points to the place in the query where an unknown field is named, if that is the error.
func (c *queryCommand) located(err error) error {
	var e *uproar.UnknownError
	if !errors.As(err, &e) || e.What != "field" {
		return unknown(err)
	}
	at, ok := query.Locate(c.Query, e.Name, e.Suggestion)
	if !ok {
		return unknown(err)
	}
	pointed := errors.New(database.Public(err.Error()) + caret(at))
	if e.Suggestion == "" {
		return &terminal.AdviceError{Err: pointed, Try: whereFields}
	}
	return pointed
}

// whereFields is advice for whoever names what is not there.
const whereFields = "uproar inspect, which shows the indexes and their fields"

// unknown adds to an error about what is not there where to look for what is.
func unknown(err error) error {
	var e *uproar.UnknownError
	if errors.As(err, &e) && e.What != "record" && e.Suggestion == "" {
		return &terminal.AdviceError{Err: err, Try: whereFields}
	}
	return err
}
