// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/cmd/uproar/database"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
)

// compactCommand gives room back to the disk.
type compactCommand struct {
	Dir string `required:"" placeholder:"DIR" help:"Folder of the database."`
	database.EngineFlag
	terminal.JSONFlag
}

// Help returns what the help of the command says beside its flags.
func (*compactCommand) Help() string {
	return `Writes what is new to pages, and frees what was replaced, too. The content does not change, also after Ctrl-C. Pebble
does as much by itself, later; the file of bbolt shrinks by nothing else, and the disk needs room for a second one
meanwhile.

Example: uproar compact --dir network`
}

// Run compacts the database.
func (c *compactCommand) Run(ctx context.Context, con *terminal.Console) (err error) {
	db, err := database.Open(ctx, c.Dir, c.Store, false, new(uproar.Options))
	if err != nil {
		return err
	}
	defer database.Closing(db, &err)
	before, err := db.Stats()
	if err != nil {
		return err
	}
	start := time.Now()
	p := con.Progress("compact", 0)
	err = db.Compact(ctx, func(index string, step, steps int) {
		note := "the store"
		if index != "" {
			note = "index " + index
		}
		p.Update(int64(step-1), int64(steps), note)
	})
	p.Finish()
	if err != nil {
		return err
	}
	after, err := db.Stats()
	if err != nil {
		return err
	}
	from, to, took := before.Store.Total(), after.Store.Total(), time.Since(start)
	return terminal.Tell(con.Out, c.JSON, struct {
		Dir     string  `json:"dir"`
		Before  uint64  `json:"bytes_before"`
		After   uint64  `json:"bytes_after"`
		Seconds float64 `json:"seconds"`
	}{c.Dir, uint64(from), uint64(to), took.Seconds()}, "%s: %s before, %s after, in %s\n", c.Dir, terminal.Bytes(from),
		terminal.Bytes(to), terminal.Took(took))
}
