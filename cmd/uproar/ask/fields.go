// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ask

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strings"

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
	Add      []string       `sep:"none" placeholder:"NAME:TYPE" help:"A field to add: its type, scale=N and column=LAYOUT are those of import audience; or NAME:relation:inverse=NAME. May be repeated."`
	JSON     bool           `name:"json" help:"Print one JSON object, of the form of GET /v1/fields."`
}

// Help returns what the help of the command says beside its flags.
func (*Fields) Help() string {
	return `Drops fields, then adds others, all or none, and prints those that the index has.

Example: uproar fields --dir people --drop age --add born:integer`
}

// Validate is called when the command line is parsed.
func (c *Fields) Validate() error {
	_, err := parseFields("--add", c.Add)
	return err
}

// parseFields reads what a flag says of fields.
func parseFields(flag string, texts []string) (fields []api.Field, err error) {
	for _, text := range texts {
		name, of, _ := strings.Cut(text, ":")
		if inverse, ok := strings.CutPrefix(of, relationPrefix); ok {
			fields = append(fields, api.Field{Name: name, Type: string(uproar.Relation), Inverse: inverse})
			continue
		}
		column, err := audience.ParseColumn(text)
		if err == nil && (column.Split != "" || column.Field.Name != column.Name) {
			err = fmt.Errorf(
				"got %q, want NAME:TYPE, or NAME:TYPE:column=LAYOUT or :scale=N, and a name of letters, digits and "+
					"underscores", text)
		}
		if err != nil {
			return nil, errors.New(flag + ": " + database.Public(err.Error()))
		}
		f := column.Field
		fields = append(fields, api.Field{Name: f.Name, Type: string(f.Type), Column: string(f.Column),
			Format: string(f.Format), Scale: f.Scale})
	}
	return fields, nil
}

// Run changes the fields, if that is asked for, and prints them.
func (c *Fields) Run(ctx context.Context, con *terminal.Console) (err error) {
	req := api.FieldsRequest{Index: c.Index, Drop: c.Drop}
	if req.Add, err = parseFields("--add", c.Add); err != nil {
		return err
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
