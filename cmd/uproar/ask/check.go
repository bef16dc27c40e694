// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ask

import (
	"context"
	"fmt"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/cmd/uproar/database"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
)

// CheckCatalog lists ambiguous and unreachable records.
type CheckCatalog struct {
	Database database.Flags `embed:""`
	Name     string         `default:"catalog" placeholder:"NAME" help:"Name of the catalog (${default})."`
	Limit    int            `default:"100" placeholder:"N" help:"Print at most N faults, up to 10 000; 0: as many as that (${default})."`
	JSON     bool           `name:"json" help:"Print each fault as a JSON object on a line."`
}

// Help returns what the help of the command says beside its flags.
func (*CheckCatalog) Help() string {
	return `Two records are ambiguous if a search that names all attributes fits both, and neither counts more. A record is
unreachable if another one fits whatever it fits, and counts more. Exits with 1 if there are any.

Example: uproar check catalog --dir shop --name discounts`
}

// Run checks.
func (c *CheckCatalog) Run(ctx context.Context, con *terminal.Console) (err error) {
	src, err := c.Database.Open(ctx)
	if err != nil {
		return err
	}
	defer database.Close(src, &err)
	limit := c.Limit
	if limit == 0 {
		limit = api.MaxLimit
	}
	r, err := src.Client.Catalog(c.Name).Check(ctx, limit)
	if err != nil {
		return failed(src, err)
	}
	out := begin(con, c.JSON, "fault")
	for _, f := range r.Faults {
		if err := out.add(f, f.Message); err != nil {
			return err
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	if !c.JSON && (r.More || len(r.Faults) == 0) {
		text := "no faults"
		if r.More {
			text = "and more"
		}
		if r.More && limit < api.MaxLimit {
			text += "; --limit 0 shows them all"
		}
		if _, err := fmt.Fprintln(con.Out, text); err != nil {
			return err
		}
	}
	told := terminal.Plural(len(r.Faults), "fault")
	switch {
	case r.More: // Those that were not printed were not counted.
		return fmt.Errorf("catalog %s has more than %s", c.Name, told)
	case len(r.Faults) > 0:
		return fmt.Errorf("catalog %s has %s", c.Name, told)
	}
	return nil
}
