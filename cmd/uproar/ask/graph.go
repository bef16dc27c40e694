// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ask

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/client"
	"github.com/uproar-db/uproar/cmd/uproar/database"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
)

// Graph answers questions about accounts and their relations.
type Graph struct {
	Database database.Flags `embed:""`
	Limit    uint64         `placeholder:"N" help:"Print at most N accounts. Default: all; of a ranking 20."`
	Count    bool           `help:"Print only how many there are."`
	Viewer   string         `placeholder:"ACCOUNT" help:"Leave out whom this account blocks or mutes, and who blocks it."`
	By       string         `default:"jaccard" enum:"jaccard,cosine,count" placeholder:"MEASURE" help:"Of similar: jaccard, cosine or count (${default})."`
	JSON     bool           `name:"json" help:"Print each account as a JSON object on a line."`
	Question string         `arg:"" enum:"followers,following,mutuals,follows,follows-following,mutuals-following,intersect-followers,intersect-following,reach,suggestions,similar,blocks,blockers,mutes,muters,members,lists" help:"What is asked; see docs/graph.md."`
	Accounts []string       `arg:"" name:"account" help:"The account; of follows, follows-following and mutuals-following also the other one; of intersections any number."`
}

// Help returns what the help of the command says beside its flags.
func (*Graph) Help() string {
	return `Prints an account a line, in order of first appearance; of a ranking common accounts, score, account; of follows true or
false.

Example: uproar graph followers --dir network 18
         uproar graph follows --url http://127.0.0.1:7070 18 737`
}

// pairs are the questions about two accounts.
var pairs = map[string]bool{"follows": true, "follows-following": true, "mutuals-following": true}

// Validate is called when the command line is parsed.
func (c *Graph) Validate() error {
	least, most := 1, 1
	ranked := c.Question == "suggestions" || c.Question == "similar"
	switch {
	case c.Viewer != "" && (ranked || c.Question == "follows"):
		return fmt.Errorf("--viewer goes with lists of accounts, and %s is none", c.Question)
	case ranked && c.Limit > api.MaxRanked:
		return fmt.Errorf("--limit: got %d, want at most %d of a ranking", c.Limit, api.MaxRanked)
	}
	switch {
	case pairs[c.Question]:
		least, most = 2, 2
	case c.Question == "intersect-followers" || c.Question == "intersect-following":
		most = len(c.Accounts)
	}
	if n := len(c.Accounts); n < least || n > most {
		return fmt.Errorf("%s: got %s, want %d", c.Question, terminal.Plural(n, "account"), least)
	}
	return nil
}

// Run answers.
func (c *Graph) Run(ctx context.Context, con *terminal.Console) (err error) {
	src, err := c.Database.Open(ctx)
	if err != nil {
		return err
	}
	defer database.Close(src, &err)
	switch g := src.Client.Graph(); c.Question {
	case "follows":
		err = c.follows(ctx, con, g)
	case "suggestions", "similar":
		err = c.ranking(ctx, con, g)
	default:
		err = c.list(ctx, con, c.accounts(g))
	}
	return failed(src, err)
}

// accounts returns the list that is asked for.
func (c *Graph) accounts(g client.Graph) client.Accounts {
	first := c.Accounts[0]
	var of client.Accounts
	switch c.Question {
	case "mutuals":
		of = g.Mutuals(first)
	case "follows-following":
		of = g.FollowsFollowing(first, c.Accounts[1])
	case "mutuals-following":
		of = g.MutualsFollowing(first, c.Accounts[1])
	case "intersect-followers":
		of = g.IntersectFollowers(c.Accounts...)
	case "intersect-following":
		of = g.IntersectFollowing(c.Accounts...)
	case "reach":
		of = g.Reach(first)
	default:
		of = g.Related(client.Relation(c.Question), first)
	}
	if c.Viewer != "" {
		of = of.For(c.Viewer)
	}
	return of
}

func (c *Graph) follows(ctx context.Context, con *terminal.Console, g client.Graph) error {
	follows, err := g.Follows(ctx, c.Accounts[0], c.Accounts[1])
	if err != nil {
		return err
	}
	if c.JSON {
		return printJSON(con.Out, api.FollowsReply{Follows: follows})
	}
	_, err = fmt.Fprintln(con.Out, follows)
	return err
}

func (c *Graph) printCount(con *terminal.Console, n uint64) error {
	if c.JSON {
		return printJSON(con.Out, api.CountReply{Count: n})
	}
	_, err := fmt.Fprintln(con.Out, n)
	return err
}

// list prints a list, page by page.
func (c *Graph) list(ctx context.Context, con *terminal.Console, of client.Accounts) (err error) {
	if c.Count {
		n, err := of.Count(ctx)
		if err != nil {
			return err
		}
		return c.printCount(con, n)
	}
	out := begin(con, c.JSON, "account")
	defer func() { err = errors.Join(err, out.Flush()) }()
	size := atOnce
	for done, cursor := uint64(0), ""; ; {
		limit := size
		if c.Limit > 0 {
			limit = int(min(uint64(size), c.Limit-done))
		}
		page, err := of.Page(ctx, client.Page{Limit: limit, Cursor: cursor})
		if tooLarge(err) && size > 1 {
			size /= 2
			continue
		}
		if err != nil {
			return err
		}
		for _, account := range page.Accounts {
			if err := out.add(map[string]string{"account": account}, shown(account)); err != nil {
				return err
			}
		}
		done += uint64(len(page.Accounts))
		if cursor = page.Cursor; cursor == "" || c.Limit > 0 && done >= c.Limit {
			return nil
		}
	}
}

// ranking prints suggestions, or who is similar.
func (c *Graph) ranking(ctx context.Context, con *terminal.Console, g client.Graph) (err error) {
	req := api.RankRequest{Account: c.Accounts[0], Limit: int(c.Limit), Count: c.Count}
	if c.Count {
		req.Limit = 0
	}
	ask := g.Suggestions
	if c.Question == "similar" {
		ask, req.By = g.Similar, c.By
	}
	r, err := ask(ctx, req)
	switch {
	case err != nil:
		return err
	case c.Count:
		return c.printCount(con, r.Count)
	}
	out := begin(con, c.JSON, "#common", "#score", "account")
	defer func() { err = errors.Join(err, out.Flush()) }()
	for _, x := range r.Accounts {
		if err := out.add(x, strconv.FormatUint(x.Common, 10), strconv.FormatFloat(x.Score, 'g', 4, 64),
			shown(x.Account)); err != nil {
			return err
		}
	}
	return nil
}
