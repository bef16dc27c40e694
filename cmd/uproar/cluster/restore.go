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
	"github.com/uproar-db/uproar/store/ship"
)

// RestoreLog makes a database of a log, as of one of its objects.
type RestoreLog struct {
	Log   string `arg:"" placeholder:"URL" help:"Log, as serve --log has it."`
	Dir   string `required:"" placeholder:"DIR" help:"Folder of the new database, which is no copy of the log."`
	At    uint64 `required:"" placeholder:"POSITION" help:"Last object of the log that counts: Uproar-Position of a reply."`
	Store string `enum:"bbolt,pebble" default:"pebble" help:"Engine of the new database (${default})."`
	JSON  bool   `name:"json" help:"Print one JSON object."`
}

// Help returns what the help of the command says beside its flags.
func (*RestoreLog) Help() string {
	return `Goes back to any position that the log still has: the copies keep objects for a day, and the newest checkpoint that is older.

Example: uproar restore-log s3://bucket/prefix --dir before --at 1200345`
}

// Run restores.
func (c *RestoreLog) Run(ctx context.Context, con *terminal.Console) (err error) {
	e, err := Open(ctx, c.Log)
	if err != nil {
		return err
	}
	defer e.Close()
	local, err := database.OpenStore(c.Dir, c.Store, true, &uproar.Options{MemoryBytes: 256 << 20})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, local.Close()) }()
	err = ship.RestoreTo(ctx, local, e, c.At, slog.New(slog.NewTextHandler(con.Err, nil)))
	if errors.Is(err, ship.ErrNotEmpty) {
		err = terminal.Advise("another folder, or an empty one", "%s is not empty", c.Dir)
	}
	if err != nil {
		return err
	}
	if c.JSON {
		return json.NewEncoder(con.Out).Encode(map[string]uint64{"position": c.At})
	}
	_, err = fmt.Fprintf(con.Out, "restored to position %d in %s\n", c.At, c.Dir)
	return err
}
