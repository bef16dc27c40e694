// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"fmt"
	"strconv"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
)

// declarationReport is a field as it was declared.
type declarationReport struct {
	Name    string `json:"name"`
	Type    string `json:"type"`
	Values  string `json:"values"`            // keys, records or integers
	Inverse string `json:"inverse,omitempty"` // of a relation
	// value column: none, fast, small, value (one for each record), or inverse
	Column string `json:"column"`
	Format string `json:"format,omitempty"` // of an integer field
	Scale  int    `json:"scale,omitempty"`
}

// addDeclarations adds how the fields of each index were declared.
func (r *report) addDeclarations(db *uproar.DB) error {
	for i := range r.Indexes {
		ix, err := db.Index(r.Indexes[i].Name)
		if err != nil {
			return err
		}
		r.Indexes[i].Declared = []declarationReport{}
		for _, f := range ix.Fields() {
			r.Indexes[i].Declared = append(r.Indexes[i].Declared, declarationOf(f))
		}
	}
	return nil
}

func declarationOf(f uproar.Field) declarationReport {
	d := declarationReport{Name: f.Name, Type: string(f.Type), Values: "keys", Inverse: f.Inverse, Column: "none",
		Scale: f.Scale}
	switch {
	case f.Type == uproar.Relation:
		d.Values, d.Column = "records", "inverse"
	case f.Type == uproar.Integer:
		d.Values, d.Column, d.Format = "integers", "value", "number"
		if f.Format != uproar.Number {
			d.Format = string(f.Format)
		}
	case f.Type == uproar.Single:
		d.Column = "value"
	case f.Column != uproar.NoColumn:
		d.Column = string(f.Column)
	}
	return d
}

// printDeclarations prints a table of the declared fields.
func (ix *indexReport) printDeclarations(out *bufio.Writer) {
	rows := [][]string{{"declared", "type", "values", "value column", "more"}}
	for _, d := range ix.Declared {
		more := ""
		switch {
		case d.Inverse != "":
			more = "inverse of " + d.Inverse
		case d.Scale > 0:
			more = "scale " + strconv.Itoa(d.Scale)
		case d.Format != "":
			more = d.Format
		}
		rows = append(rows, []string{d.Name, d.Type, d.Values, d.Column, more})
	}
	terminal.Table(out, rows, len(rows[0]))
	fmt.Fprintln(out)
}
