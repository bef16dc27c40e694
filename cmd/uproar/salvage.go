// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/graph/likes"
	"github.com/uproar-db/uproar/cmd/uproar/database"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
	"github.com/uproar-db/uproar/internal/salvage"
	"github.com/uproar-db/uproar/store"
)

// salvageCommand copies what is whole of a damaged database.
type salvageCommand struct {
	Dir    string            `required:"" placeholder:"DIR" help:"Folder of the damaged database."`
	To     string            `required:"" placeholder:"DIR" help:"Folder for the new database, empty or missing."`
	Memory terminal.ByteSize `default:"512MiB" placeholder:"SIZE" help:"Memory of the whole command (${default})."`
	JSON   bool              `name:"json" help:"Print the report as one JSON object."`
	database.EngineFlag
}

// Help returns what the help of the command says beside its flags.
func (*salvageCommand) Help() string {
	return `The last resort: restore a backup if there is one. Reads what can be read, takes values that are stored twice from
where they are whole, and lists the rest, with each flipped bit that was put right. Writes in the log are applied as far
as they can be read. The damaged folder does not change. Exits with 1 if something is lost; the new database is there all the same.

Example: uproar salvage --dir network --to network2`
}

// Run salvages.
func (c *salvageCommand) Run(ctx context.Context, con *terminal.Console) (err error) {
	if c.Memory < database.LeastMemory {
		return fmt.Errorf("--memory: got %s, want at least %s", c.Memory, database.LeastMemory)
	}
	if err := database.CheckTarget(c.Dir, c.To, c.Store); err != nil {
		return err
	}
	start, half := time.Now(), database.Memory(c.Memory)/2
	from, found, err := database.OpenDamaged(c.Dir, half)
	if err != nil {
		return salvage.Advise(err)
	}
	defer func() { err = salvage.Advise(errors.Join(err, from.Close())) }()
	var report *salvage.Report
	update, finish := con.Phases()
	target := restoreCommand{Dir: c.To, EngineFlag: c.EngineFlag}
	db, err := target.make(func(engine store.Store) (*uproar.DB, error) {
		if empty := database.Begun(c.To, engine); empty == nil {
			return nil, fmt.Errorf("%w: it holds a database", uproar.ErrNotEmpty)
		}
		db, err := uproar.Open(ctx, engine, &uproar.Options{MemoryBytes: max(half, 16<<20)})
		if err != nil {
			return nil, err
		}
		if report, err = salvage.Copy(ctx, from, db, salvage.Options{Memory: half, Found: found,
			ByID: []string{likes.LikersField, likes.SlotsField}, Progress: update}); err != nil {
			return nil, errors.Join(err, db.Close())
		}
		return db, nil
	})
	finish()
	if err != nil {
		return err
	}
	defer database.Closing(db, &err)
	if c.JSON {
		err = json.NewEncoder(con.Out).Encode(report)
	} else {
		fmt.Fprintf(con.Out, "salvaged %s to %s in %s\n", c.Dir, c.To, terminal.Took(time.Since(start)))
		err = report.Text(con.Out)
	}
	if err == nil && report.Lost() {
		err = errors.New("not all of the database could be read")
	}
	return err
}
