// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ask

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"github.com/uproar-db/uproar/cmd/uproar/terminal"
)

// printed prints a list: each entry as a JSON object on a line of its own, or as a row.
type printed struct {
	json *bufio.Writer
	rows *terminal.Rows
}

// begin begins a list with the names of its columns, as terminal.Rows has them.
func begin(con *terminal.Console, asJSON bool, names ...string) *printed {
	if asJSON {
		return &printed{json: bufio.NewWriter(con.Out)}
	}
	return &printed{rows: con.Rows(names...)}
}

// add adds an entry: value as JSON, or values as a row.
func (p *printed) add(value any, values ...string) error {
	if p.json == nil {
		return p.rows.Add(values...)
	}
	line, err := json.Marshal(value)
	if err != nil {
		return err
	}
	_, err = p.json.Write(append(line, '\n'))
	return err
}

// Flush prints what is left.
func (p *printed) Flush() error {
	if p.json == nil {
		return p.rows.Flush()
	}
	return p.json.Flush()
}

// printJSON prints an object on a line.
func printJSON(out io.Writer, value any) error {
	line, err := json.Marshal(value)
	if err == nil {
		_, err = fmt.Fprintf(out, "%s\n", line)
	}
	return err
}
