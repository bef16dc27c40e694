// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ask

import (
	"bufio"
	"context"
	"errors"
	"fmt"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/apps/audience"
	"github.com/uproar-db/uproar/cmd/uproar/database"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
)

// Fields shows and changes what an index consists of.
type Fields struct {
	Database database.Flags `embed:""`
	Index    string         `default:"people" placeholder:"NAME" help:"The index (${default})."`
	Drop     []string       `sep:"none" placeholder:"NAME" help:"A field to drop with all its values, a relation with its inverse. May be repeated."`
	Add      []string       `sep:"none" placeholder:"NAME:TYPE" help:"A field to add: its type, scale=N and column=LAYOUT are those of import audience. May be repeated."`
	JSON     bool           `name:"json" help:"Print one JSON object, of the form of GET /v1/fields."`
}

// Help returns what the help of the command says beside its flags.
func (*Fields) Help() string {
	return `Drops fields, then adds others, and prints those that the index has. An unknown name is refused before anything is
changed.

Example: uproar fields --dir people --drop age --add born:integer`
}

// Validate is called when the command line is parsed.
func (c *Fields) Validate() error {
	_, err := c.added()
	return err
}

// added returns the fields to be added.
func (c *Fields) added() (fields []uproar.Field, err error) {
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
func (c *Fields) Run(ctx context.Context, con *terminal.Console) (err error) {
	added, err := c.added()
	if err != nil {
		return err
	}
	req := api.FieldsRequest{Index: c.Index, Drop: c.Drop}
	for _, f := range added {
		req.Add = append(req.Add, api.Field{Name: f.Name, Type: string(f.Type), Inverse: f.Inverse,
			Column: string(f.Column), Format: string(f.Format), Scale: f.Scale})
	}
	changes := len(req.Drop)+len(req.Add) > 0
	if c.Database.Dir != "" && !changes {
		c.Database.ReadOnly = true
	}
	src, err := c.Database.Open(ctx)
	if err != nil {
		return err
	}
	defer database.Close(src, &err)
	var fields []api.Field
	if changes {
		fields, err = src.Client.ChangeFields(ctx, req)
	} else {
		fields, err = src.Client.Fields(ctx, c.Index)
	}
	if err != nil {
		return failed(src, err)
	}
	if c.JSON {
		return printJSON(con.Out, api.FieldsReply{Fields: fields})
	}
	r, err := src.Client.Stats(ctx, api.StatsRequest{Index: c.Index})
	if err != nil || len(r.Indexes) != 1 {
		return failed(src, err)
	}
	out := bufio.NewWriter(con.Out)
	printDeclared(out, r.Indexes[0].Declared)
	return out.Flush()
}
