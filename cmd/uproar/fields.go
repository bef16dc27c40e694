// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/audience"
	"github.com/uproar-db/uproar/cmd/uproar/database"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
	"github.com/uproar-db/uproar/internal/dependents"
)

// fieldsCommand shows and changes what an index consists of.
type fieldsCommand struct {
	Dir   string   `required:"" placeholder:"DIR" help:"Folder of the database."`
	Index string   `default:"people" placeholder:"NAME" help:"The index (${default})."`
	Drop  []string `sep:"none" placeholder:"NAME" help:"A field to drop with all its values, a relation with its inverse. May be repeated."`
	Add   []string `sep:"none" placeholder:"NAME:TYPE" help:"A field to add: its type, scale=N and column=LAYOUT are those of import audience. May be repeated."`
	database.EngineFlag
}

// Help returns what the help of the command says beside its flags.
func (*fieldsCommand) Help() string {
	return `Drops fields, then adds others, and prints those that the index has. An unknown name is refused before anything is
changed. On a running server, POST /v1/fields does the same.

Example: uproar fields --dir people --drop age --add born:integer`
}

// Validate is called when the command line is parsed.
func (c *fieldsCommand) Validate() error {
	_, err := c.added()
	return err
}

// added returns the fields to be added.
func (c *fieldsCommand) added() (fields []uproar.Field, err error) {
	for _, text := range c.Add {
		column, err := audience.ParseColumn(text)
		if err == nil && (column.Split != "" || column.Field.Name != column.Name) {
			err = fmt.Errorf(
				"got %q, want NAME:TYPE, or NAME:TYPE:column=LAYOUT or :scale=N, and a name of letters, digits and "+
					"underscores", text)
		}
		if err != nil {
			return nil, errors.New("--add: " + database.Public(err.Error()))
		}
		fields = append(fields, column.Field)
	}
	return fields, nil
}

// Run changes the fields, if that is asked for, and prints them.
func (c *fieldsCommand) Run(ctx context.Context, con *terminal.Console) (err error) {
	added, err := c.added()
	if err != nil {
		return err
	}
	changes := len(c.Drop)+len(added) > 0
	db, err := database.Open(ctx, c.Dir, c.Store, false, &uproar.Options{ReadOnly: !changes})
	if err != nil {
		return err
	}
	defer database.Closing(db, &err)
	index, err := db.Index(c.Index)
	if err != nil {
		return err
	}
	declared := index.Fields()
	for _, name := range c.Drop { // before any of them is dropped
		if !slices.ContainsFunc(declared, func(f uproar.Field) bool { return f.Name == name }) {
			return fmt.Errorf("--drop: index %s has no field %q", c.Index, name)
		}
		if err := dependents.Check(ctx, db, c.Index, name); err != nil {
			return fmt.Errorf("--drop: %w", err)
		}
	}
	for _, name := range c.Drop {
		if err := db.DropField(ctx, c.Index, name); err != nil {
			return err
		}
	}
	if len(added) > 0 {
		if index, err = db.AddFields(ctx, c.Index, added...); err != nil {
			return err
		}
	}
	r := indexReport{}
	for _, f := range index.Fields() {
		r.Declared = append(r.Declared, declarationOf(f))
	}
	out := bufio.NewWriter(con.Out)
	r.printDeclarations(out)
	return out.Flush()
}
