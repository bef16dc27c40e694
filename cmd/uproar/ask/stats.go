// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ask

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/cmd/uproar/database"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
)

// Stats shows the figures of a database.
type Stats struct {
	Database database.Flags `embed:""`
	Index    string         `placeholder:"NAME" help:"Only this index. Default: all."`
	JSON     bool           `name:"json" help:"Print one JSON object, of the form of GET /v1/stats."`
}

// Help returns what the help of the command says beside its flags.
func (*Stats) Help() string {
	return `Prints a line for each index: records, last commit, fields, bytes in pages, of the log and of writes that are not in
pages yet, name. Memory and cache go to the standard error.

Example: uproar stats --url http://127.0.0.1:7070`
}

// Run prints the figures.
func (c *Stats) Run(ctx context.Context, con *terminal.Console) (err error) {
	src, err := c.Database.Open(ctx)
	if err != nil {
		return err
	}
	defer database.Close(src, &err)
	r, err := src.Client.Stats(ctx, api.StatsRequest{Index: c.Index})
	if err != nil {
		return failed(src, err)
	}
	if c.JSON {
		return printJSON(con.Out, r)
	}
	out := con.Rows("#records", "#commit", "#fields", "#pages", "#log", "#delta", "index")
	for _, ix := range r.Indexes {
		pages := uint64(0)
		for _, f := range ix.Fields {
			pages += f.Bytes
		}
		values := []string{ix.Name}
		for _, n := range []uint64{ix.DeltaBytes, ix.LogBytes, pages, uint64(len(ix.Declared)), ix.Sequence,
			ix.Records} {
			values = append([]string{strconv.FormatUint(n, 10)}, values...)
		}
		err = errors.Join(err, out.Add(values...))
	}
	if err = errors.Join(err, out.Flush()); err != nil {
		return err
	}
	for _, ix := range r.Indexes {
		if ix.Unfinished > 0 {
			fmt.Fprintf(con.Err, "%s: a load has not ended, %s stored\n", ix.Name,
				terminal.Plural(ix.Unfinished, "follow"))
		}
	}
	_, err = fmt.Fprintf(con.Err, "memory: %s of %s; pages: %s hits, %s misses; store: %s\n",
		terminal.Bytes(r.Memory.Used), terminal.Bytes(r.Memory.Limit), terminal.Count(r.Cache.Hits),
		terminal.Count(r.Cache.Misses), terminal.Bytes(r.Store.Total))
	return err
}
