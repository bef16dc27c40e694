// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ask

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/client"
	"github.com/uproar-db/uproar/cmd/uproar/database"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
)

// Query prints the answer to a query.
type Query struct {
	Database database.Flags `embed:""`
	Index    string         `default:"accounts" placeholder:"NAME" help:"Index to be asked (${default})."`
	List     Listing        `embed:""`
	Count    bool           `xor:"what" help:"Print only how many records match."`
	IDs      bool           `name:"ids" xor:"what" help:"Print record IDs instead of keys."`
	Other
	Query string `arg:"" help:"The query; - reads it from the standard input."`
}

// Help returns what the help of the command says beside its flags.
func (*Query) Help() string {
	return `Prints a record a line, in the order of IDs. The standard error has how many match, the time, and which parts of the
query name unknown records. A key with control characters is printed as a Go string. A query that begins with { is
JSON. docs/query.md describes the language.

Example: uproar query --dir network 'follows(18) and followers(737)'
         uproar query --dir people --index people --sort=-age --fields age,city --limit 10 'likes = tea'
         uproar query --url http://127.0.0.1:7070 --top followers --by lift --limit 20 'followers(18)'`
}

// Run answers.
func (c *Query) Run(ctx context.Context, con *terminal.Console) (err error) {
	if len(c.Figures.Bounds) > 0 && c.Figures.Histogram == "" {
		return &terminal.UsageError{Err: errors.New("--bounds goes with --histogram=FIELD, which says of which field")}
	}
	if c.Query == "-" {
		if c.Query, err = readQuery(con.In); err != nil {
			return err
		}
	}
	if err := errors.Join(Check(c.Query), c.checkForm(con)); err != nil {
		return err
	}
	src, err := c.Database.Open(ctx)
	if err != nil {
		return err
	}
	defer database.Close(src, &err)
	return c.Answer(ctx, con, src)
}

// Answer asks a source, and prints what it answers. The query has been checked.
func (c *Query) Answer(ctx context.Context, con *terminal.Console, src *database.Source) error {
	if c.given() && !c.List.sent() {
		return Located(src, c.Query, c.other(ctx, con, src))
	}
	start := time.Now()
	r, err := src.Client.Answers(ctx, api.AnswersRequest{Index: c.Index, Query: client.Text(c.Query),
		Answers: []api.Question{{Name: "count", Answer: api.AnswerCount}}})
	if err != nil {
		return Located(src, c.Query, err)
	}
	took := time.Since(start)
	if err := noteUnknown(con, r.Unknown); err != nil {
		return err
	}
	n := r.Records
	switch {
	case c.Count:
		err = c.printCount(con, n)
	case c.List.sent():
		err = c.export(ctx, con, src)
	case c.List.values():
		err = c.records(ctx, con, src)
	default:
		err = c.printRecords(ctx, con, src, n)
	}
	if err != nil {
		return Located(src, c.Query, err)
	}
	shown := ""
	if c.List.Limit > 0 && c.List.Limit < n && !c.Count {
		shown = fmt.Sprintf(", %s shown", terminal.Count(c.List.Limit))
	}
	_, err = fmt.Fprintf(con.Err, "%s%s; counted in %s\n", terminal.Plural(n, "record"), shown, terminal.Took(took))
	return err
}

// shownUnknown is how many parts of a query are shown that are about records which do not exist.
const shownUnknown = 5

// noteUnknown says on the standard error which parts of a query are empty. The record that they
// name does not exist: it may have been misspelt.
func noteUnknown(con *terminal.Console, unknown []string) (err error) {
	for i, e := range unknown {
		if i == shownUnknown {
			_, err = fmt.Fprintln(con.Err, "unknown: and more")
			return err
		}
		if _, err = fmt.Fprintf(con.Err, "unknown: %s\n", e); err != nil {
			return err
		}
	}
	return nil
}

func (c *Query) printCount(con *terminal.Console, n uint64) error {
	text := strconv.FormatUint(n, 10)
	if c.List.asJSON() {
		text = `{"count":` + text + "}"
	}
	_, err := fmt.Fprintln(con.Out, text)
	return err
}

// atOnce is how many records are asked for at a time.
const atOnce = 4096

// printRecords prints the records, page by page. A page that is too large for a server is asked for
// again in parts.
func (c *Query) printRecords(ctx context.Context, con *terminal.Console, src *database.Source, n uint64) (err error) {
	out := c.rows(con)
	defer func() { err = errors.Join(err, out.Flush()) }()
	left := c.List.Limit
	if left == 0 {
		left = n
	}
	size := atOnce
	for p := (client.Page{}); left > 0; {
		p.Limit = int(min(left, uint64(size)))
		page, err := c.page(ctx, src, p)
		if tooLarge(err) && size > 1 {
			size /= 2
			continue
		}
		if err != nil {
			return err
		}
		for _, r := range page.Records {
			if err := c.record(out, r); err != nil {
				return err
			}
		}
		left -= min(left, uint64(len(page.Records)))
		if p.Cursor = page.Cursor; p.Cursor == "" {
			return nil
		}
	}
	return nil
}

// page reads a page of records; of those that are printed by their IDs, without keys.
func (c *Query) page(ctx context.Context, src *database.Source, p client.Page) (api.IdentifiedReply, error) {
	if !c.IDs {
		return src.Client.Identified(ctx, c.Index, c.Query, p)
	}
	ids, err := src.Client.IDs(ctx, c.Index, c.Query, p)
	r := api.IdentifiedReply{Cursor: ids.Cursor}
	for _, id := range ids.IDs {
		r.Records = append(r.Records, api.Identified{ID: id})
	}
	return r, err
}

// tooLarge reports whether a server refuses an answer because of its size.
func tooLarge(err error) bool { return errors.Is(err, &api.Error{Code: api.CodeAnswerTooLarge}) }

// rows begins the list of records.
func (c *Query) rows(con *terminal.Console) *printed {
	if c.IDs {
		return beginAs(con, c.List.form(), "#id")
	}
	return beginAs(con, c.List.form(), "key")
}

// record prints one record.
func (c *Query) record(out *printed, r api.Identified) error {
	text := shown(r.Key)
	if c.IDs {
		r.Key, text = "", strconv.FormatUint(r.ID, 10)
	}
	return out.add(struct {
		ID  uint64 `json:"id"`
		Key string `json:"key,omitempty"`
	}{r.ID, r.Key}, text)
}

// shown returns a key as a line of text shows it.
func shown(key string) string {
	if printable(key) {
		return key
	}
	return strconv.Quote(key)
}

// printable reports whether a key is one line of text that a terminal shows as it is.
func printable(key string) bool {
	return utf8.ValidString(key) && !strings.ContainsFunc(key, unicode.IsControl)
}
