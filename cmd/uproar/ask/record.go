// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ask

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/client"
	"github.com/uproar-db/uproar/cmd/uproar/database"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
	"github.com/uproar-db/uproar/internal/export"
	"github.com/uproar-db/uproar/server/streaming"
)

// Record reads and writes records by their keys.
type Record struct {
	Read   ReadRecords   `cmd:"" help:"Print records by their keys."`
	Put    PutRecord     `cmd:"" help:"Write a record, or some fields of it."`
	Delete DeleteRecords `cmd:"" help:"Delete records by their keys."`
	Write  WriteRecords  `cmd:"" help:"Write many records in one commit, on conditions."`
}

// indexFlag says of which index the records are.
type indexFlag struct {
	Index string `default:"people" placeholder:"NAME" help:"The index (${default})."`
}

// ReadRecords prints records by their keys.
type ReadRecords struct {
	Database database.Flags `embed:""`
	indexFlag
	Fields []string `placeholder:"FIELD,..." help:"Print these fields. Default: all, but inverses of relations."`
	JSON   bool     `name:"json" help:"Print each record as a JSON object on a line."`
	Format string   `enum:"text,table,json,ndjson,csv,tsv,parquet,arrow" default:"text" help:"As of query (${default})."`
	Keys   []string `arg:"" name:"key" help:"The keys."`
}

// Help returns what the help of the command says beside its flags.
func (*ReadRecords) Help() string {
	return `Prints records in the order of the keys. A key that no record has is an error at the end; csv, tsv, parquet and arrow leave
it out.

Example: uproar record read --dir shop --index wares cup pot`
}

// Run prints them.
func (c *ReadRecords) Run(ctx context.Context, con *terminal.Console) (err error) {
	if c.Database.Dir != "" {
		c.Database.ReadOnly = true
	}
	src, err := c.Database.Open(ctx)
	if err != nil {
		return err
	}
	defer database.Close(src, &err)
	list := Listing{Fields: c.Fields, JSON: c.JSON, Format: c.Format}
	if err := list.check(con); err != nil {
		return err
	}
	ask := func(media string, fields []string) (io.ReadCloser, error) {
		req := api.RecordsGetRequest{Index: c.Index, Keys: c.Keys, Fields: fields}
		return client.Stream(ctx, src.Client, media, req)
	}
	if list.sent() {
		in, err := ask(export.Format(list.form()).Media(), c.Fields)
		if err != nil {
			return failed(src, err)
		}
		_, err = io.Copy(con.Out, in)
		return errors.Join(err, in.Close())
	}
	declared, err := src.Client.Fields(ctx, c.Index)
	if err != nil {
		return failed(src, err)
	}
	fields := listed(declared, c.Fields)
	in, err := ask(streaming.NDJSON, fields)
	if err != nil {
		return failed(src, err)
	}
	return errors.Join(printValues(con, list.form(), declared, fields, in), in.Close())
}

// PutRecord writes a record.
type PutRecord struct {
	Database database.Flags `embed:""`
	indexFlag
	Keep   bool     `help:"Leave fields that are not named as they are. Default: they have no value afterwards."`
	JSON   bool     `name:"json" help:"Print one JSON object, of the form of POST /v1/records/write."`
	Key    string   `arg:"" help:"The key of the record."`
	Values []string `arg:"" optional:"" name:"field=value" help:"A value; of a set, one of several; nothing behind =: none."`
}

// Help returns what the help of the command says beside its flags.
func (*PutRecord) Help() string {
	return `Prints the commit that wrote it.

Example: uproar record put --dir shop --index wares cup price=2.50 color=red color=blue`
}

// Run writes it.
func (c *PutRecord) Run(ctx context.Context, con *terminal.Console) (err error) {
	src, err := c.Database.Open(ctx)
	if err != nil {
		return err
	}
	defer database.Close(src, &err)
	declared, err := src.Client.Fields(ctx, c.Index)
	if err != nil {
		return failed(src, err)
	}
	r := api.Record{Key: c.Key}
	if r.Values, err = valuesOf(declared, c.Values); err != nil {
		return &terminal.UsageError{Err: err}
	}
	req := api.RecordsWriteRequest{Index: c.Index, Puts: []api.Record{r}}
	if c.Keep {
		req.Puts, req.Merges = nil, req.Puts
	}
	return writeRecords(ctx, con, src, c.JSON, req)
}

// valuesOf reads FIELD=VALUE of a command line.
func valuesOf(declared []api.Field, texts []string) (api.Values, error) {
	of := make(map[string]any)
	for _, text := range texts {
		name, value, ok := strings.Cut(text, "=")
		if !ok {
			return nil, fmt.Errorf("got %q, want FIELD=VALUE", text)
		}
		several := slices.ContainsFunc(declared, func(f api.Field) bool {
			return f.Name == name && (f.Type == string(uproar.Set) || f.Type == string(uproar.Relation))
		})
		before, again := of[name]
		switch {
		case again && !several:
			return nil, fmt.Errorf("got two values of %s, want one: the field is no set", name)
		case several && value != "":
			list, _ := before.([]string)
			of[name] = append(list, value)
		case value != "":
			of[name] = value
		case !again:
			of[name] = nil
		}
	}
	return api.ValuesOf(of)
}

// DeleteRecords deletes records.
type DeleteRecords struct {
	Database database.Flags `embed:""`
	indexFlag
	JSON bool     `name:"json" help:"Print one JSON object, of the form of POST /v1/records/write."`
	Keys []string `arg:"" name:"key" help:"The keys."`
}

// Help returns what the help of the command says beside its flags.
func (*DeleteRecords) Help() string {
	return `Deletes all of them in one commit, and prints which. A key that no record has is none to delete.

Example: uproar record delete --dir shop --index wares cup pot`
}

// Run deletes them.
func (c *DeleteRecords) Run(ctx context.Context, con *terminal.Console) (err error) {
	src, err := c.Database.Open(ctx)
	if err != nil {
		return err
	}
	defer database.Close(src, &err)
	return writeRecords(ctx, con, src, c.JSON, api.RecordsWriteRequest{Index: c.Index, Deletes: c.Keys})
}

// WriteRecords writes what a file says of records.
type WriteRecords struct {
	Database database.Flags `embed:""`
	indexFlag
	JSON bool   `name:"json" help:"Print one JSON object for each commit, of the form of POST /v1/records/write."`
	File string `arg:"" optional:"" default:"-" help:"File of JSON objects; -: standard input (${default})."`
}

// Help returns what the help of the command says beside its flags.
func (*WriteRecords) Help() string {
	return `Reads objects of the form of POST /v1/records/write, but for index: puts, merges, clears, deletes, rows, if. Each is one
commit, in their order; it ends at the first that is refused.

Example: uproar record write --dir shop --index wares changes.json`
}

// Run writes them.
func (c *WriteRecords) Run(ctx context.Context, con *terminal.Console) (err error) {
	files, err := terminal.OpenInputs(ctx, []string{c.File}, con.In)
	if err != nil {
		return err
	}
	defer files.Close()
	src, err := c.Database.Open(ctx)
	if err != nil {
		return err
	}
	defer database.Close(src, &err)
	objects := json.NewDecoder(files[0])
	objects.DisallowUnknownFields()
	for n := 1; ; n++ {
		req := api.RecordsWriteRequest{Index: c.Index}
		switch err := objects.Decode(&req); {
		case err == io.EOF:
			return nil
		case err != nil:
			return fmt.Errorf("%s: object %d: %w", files[0].Name, n, err)
		case req.Index != c.Index:
			return fmt.Errorf("%s: object %d: got the index %q, want that of --index, %q, or none", files[0].Name, n,
				req.Index, c.Index)
		}
		if err := writeRecords(ctx, con, src, c.JSON, req); err != nil {
			return fmt.Errorf("%s: object %d: %w", files[0].Name, n, err)
		}
	}
}

// writeRecords writes records, and prints the commit.
func writeRecords(ctx context.Context, con *terminal.Console, src *database.Source, asJSON bool,
	req api.RecordsWriteRequest) error {
	sequence, err := src.Client.WriteRecords(ctx, req)
	if err != nil {
		return failed(src, err)
	}
	return terminal.Tell(con.Out, asJSON, api.RecordsWriteReply{Sequence: sequence}, "commit %d\n", sequence)
}
