// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/cmd/uproar/database"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/ship"
)

// RestoreLog makes a database of a log, as of one of its objects or of a commit.
type RestoreLog struct {
	Log      string   `arg:"" placeholder:"URL" help:"Log, as serve --log has it."`
	Dir      string   `required:"" placeholder:"DIR" help:"Folder of the new database, which is no copy of the log."`
	At       uint64   `placeholder:"POSITION" help:"Last object of the log that counts: Uproar-Position of a reply."`
	Sequence sequence `placeholder:"INDEX=N" help:"In the place of --at: last commit to an index that counts, the sequence of a reply or change."`
	Store    string   `enum:"bbolt,pebble" default:"pebble" help:"Engine of the new database (${default})."`
	JSON     bool     `name:"json" help:"Print one JSON object."`
}

// Help returns what the help of the command says beside its flags.
func (*RestoreLog) Help() string {
	return `Goes back to any position or sequence that the log still has: the copies keep objects for a day, and the newest
checkpoint that is older.

Example: uproar restore-log s3://bucket/prefix --dir before --at 1200345
         uproar restore-log s3://bucket/prefix --dir before --sequence people=88122`
}

// Validate is called when the command line is parsed.
func (c *RestoreLog) Validate() error {
	if (c.At == 0) == (c.Sequence.name == "") {
		return errors.New("want --at=POSITION or --sequence=INDEX=N, and not both")
	}
	return nil
}

// Run restores.
func (c *RestoreLog) Run(ctx context.Context, con *terminal.Console) (err error) {
	e, err := Open(ctx, c.Log)
	if err != nil {
		return err
	}
	defer e.Close()
	if _, err := ship.Look(ctx, e); errors.Is(err, store.ErrNotFound) {
		return terminal.Advise("uproar cluster URL, which shows a log", "there is no log at %s", place(c.Log))
	}
	if c.At == 0 {
		if err := c.Sequence.find(ctx, e); err != nil {
			return err
		}
	}
	local, err := database.OpenStore(c.Dir, c.Store, true, &uproar.Options{MemoryBytes: 256 << 20})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, local.Close()) }()
	at, log := c.At, slog.New(slog.NewTextHandler(con.Err, nil))
	if c.At > 0 {
		err = ship.RestoreTo(ctx, local, e, c.At, log)
	} else {
		at, err = ship.RestoreToGoal(ctx, local, e, &c.Sequence, log)
	}
	if errors.Is(err, ship.ErrNotEmpty) {
		err = terminal.Advise("another folder, or an empty one", "%s is not empty", c.Dir)
	}
	if err != nil {
		return err
	}
	if c.JSON {
		return json.NewEncoder(con.Out).Encode(map[string]uint64{"position": at})
	}
	if c.At == 0 {
		_, err = fmt.Fprintf(con.Out, "restored to commit %d of %s, at position %d, in %s\n", c.Sequence.number,
			c.Sequence.name, at, c.Dir)
		return err
	}
	_, err = fmt.Fprintf(con.Out, "restored to position %d in %s\n", c.At, c.Dir)
	return err
}
