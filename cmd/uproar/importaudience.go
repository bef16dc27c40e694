// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/cmd/uproar/database"
	"github.com/uproar-db/uproar/cmd/uproar/intake"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
)

// importAudienceCommand imports tables, all of them or nothing.
type importAudienceCommand struct {
	importTarget
	Tables intake.Flags `embed:""`
}

// Help returns what the help of the command says beside its flags.
func (*importAudienceCommand) Help() string {
	return `A row without a key is left out. A value that its field cannot take is left out, and its record stays; one that does
not fit a guessed type ends the import. All becomes visible at once, or nothing if the import fails.

Example: uproar import audience --to http://127.0.0.1:7070 --yes people.parquet
         uproar import audience --dir people --key id --column 'likes:set:split=|:column=fast' --column city:single people.csv.gz`
}

// Validate is called when the command line is parsed.
func (c *importAudienceCommand) Validate() error {
	if err := c.check(); err != nil {
		return err
	}
	return c.Tables.Check()
}

// Run imports.
func (c *importAudienceCommand) Run(ctx context.Context, con *terminal.Console) (err error) {
	sources, err := terminal.OpenInputs(ctx, c.Tables.Files, con.In)
	if err != nil {
		return err
	}
	defer sources.Close()
	var tables []*intake.Source
	for _, s := range sources {
		tables = append(tables, &intake.Source{Reader: s.Reader, Name: s.Name, Size: s.Size})
	}
	job := intake.New(&c.Tables, con, tables)
	if c.To != "" {
		return c.send(ctx, con, job, sources, tables)
	}
	engine, err := database.EngineOf(c.Dir, true)
	if err != nil {
		return err
	}
	if engine == "" { // nothing is made before it is known what
		if goOn, err := job.Choose(nil); err != nil || !goOn {
			return err
		}
	}
	db, err := database.Open(ctx, c.Dir, c.Store, true, &uproar.Options{MemoryBytes: database.Memory(c.Memory)})
	if err != nil {
		return err
	}
	defer database.Closing(db, &err)
	if engine != "" {
		var fields []uproar.Field
		switch index, err := db.Index(c.Tables.Index); {
		case err == nil:
			fields = index.Fields()
		case !errors.Is(err, uproar.ErrUnknownIndex):
			return err
		}
		if goOn, err := job.Choose(fields); err != nil || !goOn {
			return err
		}
	}
	return job.Load(ctx, db, c.Dir, int64(c.Memory)/4, c.JSON)
}

// send has a server import the sources, which are the tables.
func (c *importAudienceCommand) send(ctx context.Context, con *terminal.Console, job *intake.Job,
	sources terminal.Inputs, tables []*intake.Source) error {
	to := remoteImport{RemoteFlags: c.RemoteFlags, to: c.To, path: "/v1/import"}
	fields, err := to.fields(ctx, c.Tables.Index)
	if err != nil {
		return err
	}
	if goOn, err := job.Choose(fields); err != nil || !goOn {
		return err
	}
	sent, err := job.Send()
	if err != nil {
		return err
	}
	to.query, to.try, to.schema = sent.Query, sent.Try, sent.Schema
	for i, t := range tables {
		sources[i].Reader, sources[i].Size, sources[i].Media = t.Reader, t.Size, t.Media
	}
	start := time.Now()
	var done api.TableImportReply
	if err := to.send(ctx, con, sources, &done); err != nil {
		return intake.Refused(err)
	}
	tellBad(con, done.BadLines, done.Bad, c.Tables.ShowBad)
	sum := intake.Done{Index: c.Tables.Index, Records: done.Records, Values: done.Values, Bad: done.Bad,
		Repeated: done.Repeated}
	return sum.Tell(con, c.JSON, time.Since(start), "")
}
