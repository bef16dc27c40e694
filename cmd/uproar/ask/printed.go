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

// printed prints a list: each entry as a JSON object, on a line of its own or in one array, or as a
// row.
type printed struct {
	json  *bufio.Writer
	array bool
	any   bool // an entry was printed
	rows  *terminal.Rows
}

// begin begins a list with the names of its columns, as terminal.Rows has them.
func begin(con *terminal.Console, asJSON bool, names ...string) *printed {
	if asJSON {
		return &printed{json: bufio.NewWriter(con.Out)}
	}
	return &printed{rows: con.Rows(names...)}
}

// beginAs is begin of a list in a form.
func beginAs(con *terminal.Console, form string, names ...string) *printed {
	switch form {
	case formTable:
		tables := *con
		tables.Tables = true
		con = &tables
	case formJSON:
		return &printed{json: bufio.NewWriter(con.Out), array: true}
	}
	return begin(con, form == formNDJSON, names...)
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
	if p.array {
		line = append([]byte(map[bool]string{false: "[\n", true: ",\n"}[p.any]), line...)
		p.any = true
	} else {
		line = append(line, '\n')
	}
	_, err = p.json.Write(line)
	return err
}

// Flush prints what is left.
func (p *printed) Flush() error {
	if p.json == nil {
		return p.rows.Flush()
	}
	if p.array {
		end := "\n]\n"
		if !p.any {
			end = "[]\n"
		}
		if _, err := p.json.WriteString(end); err != nil {
			return err
		}
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
