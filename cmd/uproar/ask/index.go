// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ask

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/cmd/uproar/database"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
)

// ListIndexes lists the indexes of a database.
type ListIndexes struct {
	Database database.Flags `embed:""`
	JSON     bool           `name:"json" help:"Print one JSON object, of the form of GET /v1/indexes."`
	Name     string         `arg:"" optional:"" help:"The index, or an alias. Default: all."`
}

// Help returns what the help of the command says beside its flags.
func (*ListIndexes) Help() string {
	return `Prints a line for each index: records, last commit, bytes, fields, the application that it belongs to, aliases, name.

Example: uproar index list --url http://127.0.0.1:7070`
}

// Run lists them.
func (c *ListIndexes) Run(ctx context.Context, con *terminal.Console) (err error) {
	src, err := c.Database.Open(ctx)
	if err != nil {
		return err
	}
	defer database.Close(src, &err)
	var list []api.Index
	if c.Name == "" {
		list, err = src.Client.Indexes().List(ctx)
	} else {
		list = make([]api.Index, 1)
		list[0], err = src.Client.Indexes().Describe(ctx, c.Name)
	}
	if err != nil {
		return failed(src, err)
	}
	if c.JSON {
		return printJSON(con.Out, api.IndexesReply{Indexes: append([]api.Index{}, list...)})
	}
	out := con.Rows("#records", "#commit", "#bytes", "#fields", "application", "aliases", "index")
	for _, x := range list {
		row := []string{strconv.FormatUint(x.Records, 10), strconv.FormatUint(x.Sequence, 10),
			strconv.FormatUint(x.Bytes, 10), strconv.Itoa(len(x.Fields)), x.Application, strings.Join(x.Aliases, ","),
			x.Index}
		err = errors.Join(err, out.Add(row...))
	}
	return errors.Join(err, out.Flush())
}

// CreateIndex makes an index.
type CreateIndex struct {
	Database database.Flags `embed:""`
	Field    []string       `sep:"none" placeholder:"NAME:TYPE" help:"A field: of type set, single, integer, date, time or decimal, with scale=N or column=LAYOUT after another colon; or NAME:relation:inverse=NAME. May be repeated."`
	JSON     bool           `name:"json" help:"Print one JSON object, of the form of POST /v1/indexes/create."`
	Name     string         `arg:"" help:"The index."`
}

// Help returns what the help of the command says beside its flags.
func (*CreateIndex) Help() string {
	return `With --dir, an empty or missing folder becomes a database.

Example: uproar index create --dir shop --field color:set --field price:decimal:scale=2 wares`
}

// Run makes it.
func (c *CreateIndex) Run(ctx context.Context, con *terminal.Console) (err error) {
	fields, err := parseFields("--field", c.Field)
	if err != nil {
		return &terminal.UsageError{Err: err}
	}
	src, err := c.Database.Make(ctx)
	if err != nil {
		return err
	}
	defer database.Close(src, &err)
	r := api.CreateIndexReply{Index: c.Name}
	if r.Fields, err = src.Client.Indexes().Create(ctx, c.Name, fields...); err != nil {
		return failed(src, err)
	}
	return terminal.Tell(con.Out, c.JSON, r, "index %s has %s\n", c.Name, terminal.Plural(len(r.Fields), "field"))
}

// DropIndex drops an index.
type DropIndex struct {
	Database database.Flags `embed:""`
	JSON     bool           `name:"json" help:"Print one JSON object."`
	Name     string         `arg:"" help:"The index."`
}

// Help returns what the help of the command says beside its flags.
func (*DropIndex) Help() string {
	return `Deletes the index with all its records, for good. One that has an alias, or that an application needs, is refused.

Example: uproar index drop --dir shop wares`
}

// Run drops it.
func (c *DropIndex) Run(ctx context.Context, con *terminal.Console) (err error) {
	src, err := c.Database.Open(ctx)
	if err != nil {
		return err
	}
	defer database.Close(src, &err)
	if err := src.Client.Indexes().Drop(ctx, c.Name); err != nil {
		return failed(src, err)
	}
	return terminal.Tell(con.Out, c.JSON, map[string]string{"dropped": c.Name}, "dropped index %s\n", c.Name)
}

// AliasIndex points an alias at an index.
type AliasIndex struct {
	Database database.Flags `embed:""`
	JSON     bool           `name:"json" help:"Print one JSON object."`
	Alias    string         `arg:"" help:"The alias."`
	Name     string         `arg:"" optional:"" help:"The index. Without it the alias is removed."`
}

// Help returns what the help of the command says beside its flags.
func (*AliasIndex) Help() string {
	return `The alias stands for the index from then on, wherever the name of an index does. It moves at once from the one before.

Example: uproar index alias --url http://127.0.0.1:7070 people people_2026`
}

// Run sets or removes it.
func (c *AliasIndex) Run(ctx context.Context, con *terminal.Console) (err error) {
	src, err := c.Database.Open(ctx)
	if err != nil {
		return err
	}
	defer database.Close(src, &err)
	if err := src.Client.Indexes().SetAlias(ctx, c.Alias, c.Name); err != nil {
		return failed(src, err)
	}
	text := "removed alias " + c.Alias
	if c.Name != "" {
		text = "alias " + c.Alias + " stands for index " + c.Name
	}
	return terminal.Tell(con.Out, c.JSON, struct {
		Alias string `json:"alias"`
		Index string `json:"index"` // "": it was removed
	}{c.Alias, c.Name}, "%s\n", text)
}

// relationPrefix is before the name of the inverse of a relation.
const relationPrefix = string(uproar.Relation) + ":inverse="
