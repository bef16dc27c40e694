// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"context"
	"fmt"

	"github.com/uproar-db/uproar/apps/catalog"
	"github.com/uproar-db/uproar/cmd/uproar/database"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
)

// checkCommand is the commands that check what was imported.
type checkCommand struct {
	Catalog checkCatalogCommand `cmd:"" help:"List records of a catalog that fit the same searches, and those that no search finds."`
}

// checkCatalogCommand lists ambiguous and unreachable records.
type checkCatalogCommand struct {
	Dir   string `required:"" placeholder:"DIR" help:"Folder of the database."`
	Name  string `default:"catalog" placeholder:"NAME" help:"Name of the catalog (${default})."`
	Limit int    `default:"100" placeholder:"N" help:"Print at most N faults; 0: all (${default})."`
	database.ReadOnlyFlag
	database.EngineFlag
}

// Help returns what the help of the command says beside its flags.
func (*checkCatalogCommand) Help() string {
	return `Two records are ambiguous if a search that names all attributes fits both, and neither counts more. A record is
unreachable if another one fits whatever it fits, and counts more. Exits with 1 if there are any.

Example: uproar check catalog --dir shop --name discounts`
}

// Run checks.
func (c *checkCatalogCommand) Run(ctx context.Context, con *terminal.Console) (err error) {
	db, err := database.Open(ctx, c.Dir, c.Store, false, c.Options())
	if err != nil {
		return err
	}
	defer database.Closing(db, &err)
	of, err := catalog.Open(db, c.Name)
	if err != nil {
		return err
	}
	s, err := of.Snapshot()
	if err != nil {
		return err
	}
	defer s.Close()
	out := bufio.NewWriter(con.Out)
	faults, more := 0, false
	err = s.Check(ctx, func(f catalog.Fault) error {
		if more = c.Limit > 0 && faults == c.Limit; more {
			return catalog.ErrStop
		}
		faults++
		_, err := fmt.Fprintln(out, f)
		return err
	})
	if err != nil {
		return err
	}
	if more {
		fmt.Fprintf(out, "and more; --limit 0 shows them all\n")
	}
	if faults == 0 {
		fmt.Fprintln(out, "no faults")
	}
	if err := out.Flush(); err != nil {
		return err
	}
	told := terminal.Plural(int64(faults), "fault")
	switch {
	case more: // Those that were not printed were not counted.
		return fmt.Errorf("catalog %s has more than %s", c.Name, told)
	case faults > 0:
		return fmt.Errorf("catalog %s has %s", c.Name, told)
	}
	return nil
}
