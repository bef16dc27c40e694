// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/uproar-db/uproar/cmd/uproar/database"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
)

// healthCommand asks a server how it is, for containers that have no other program.
type healthCommand struct {
	URL string `name:"url" placeholder:"URL" help:"Address of the server. Default: UPROAR_URL, or http://${addr}."`
	database.RemoteFlags
	Ready   bool          `help:"Fail also while it takes no writes, or its copy of the database is too old."`
	Timeout time.Duration `default:"3s" placeholder:"TIME" help:"Longest time for the answer (${default})."`
}

// Help returns what the help of the command says beside its flags.
func (*healthCommand) Help() string {
	return `Ends with 0 when the server answers and its database can be read, otherwise with 1.

Example: uproar health --url http://127.0.0.1:7070`
}

// Run asks once.
func (c *healthCommand) Run(ctx context.Context, con *terminal.Console) error {
	server, err := c.Connect("--url", cmp.Or(database.Server("", c.URL), "http://"+database.DefaultAddr))
	if err != nil {
		return err
	}
	defer server.Close()
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	ask, state := server.Health, "healthy"
	if c.Ready {
		ask, state = server.Ready, "ready"
	}
	if err := ask(ctx); err != nil {
		return err
	}
	_, err = fmt.Fprintln(con.Out, state)
	return err
}
