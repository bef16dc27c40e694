// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"strings"

	"github.com/uproar-db/uproar/cmd/uproar/database"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
)

// verifyCommand checks every stored byte.
type verifyCommand struct {
	Dir string `required:"" placeholder:"DIR" help:"Folder of the database."`
	database.EngineFlag
	JSON bool `name:"json" help:"Print one JSON object: pages, and problems, if there are any."`
}

// verified is what verify prints as JSON. Its names are stable.
type verified struct {
	Dir      string   `json:"dir"`
	Pages    int      `json:"pages"`
	Problems []string `json:"problems"`
}

// Help returns what the help of the command says beside its flags.
func (*verifyCommand) Help() string {
	return `Reads every page and the log. Checks checksums, bitmaps, counts, both directions of relations, single values and
integers against their lists, that keys and IDs lead to each other, and that lists hold only records that exist.
Changes no file. A problem is printed with its index, page and row, and the exit code is 1.

Example: uproar verify --dir network`
}

// Run checks the database.
func (c *verifyCommand) Run(ctx context.Context, con *terminal.Console) (err error) {
	reader := database.ReadOnlyFlag{ReadOnly: true} // opening for writing tidies the folder
	db, err := reader.OpenDir(ctx, c.Dir, c.Store, false)
	if err != nil {
		return err
	}
	defer database.Closing(db, &err)
	p := con.Progress("verify", 0)
	pages := map[string]int{}
	err = db.Verify(ctx, func(index string, done, total int) {
		pages[index] = done
		p.Update(int64(done), int64(total), index)
	})
	p.Finish()
	report := verified{Dir: c.Dir, Problems: []string{}}
	for _, n := range pages {
		report.Pages += n
	}
	if err != nil && c.JSON && ctx.Err() == nil {
		report.Problems = strings.Split(database.Public(err.Error()), "\n")
		return errors.Join(terminal.Tell(con.Out, true, report, ""), err)
	}
	if err != nil {
		return err
	}
	return terminal.Tell(con.Out, c.JSON, report, "%s: nothing wrong in %s\n", c.Dir,
		terminal.Plural(report.Pages, "page"))
}
