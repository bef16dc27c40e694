// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"context"
	"fmt"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
)

// addKinds adds the containers of all lists by kind, and shows progress meanwhile.
func (r *report) addKinds(ctx context.Context, con *terminal.Console, db *uproar.DB) error {
	for i := range r.Indexes {
		name := r.Indexes[i].Name
		ix, err := db.Index(name)
		if err != nil {
			return err
		}
		p := con.Progress("reading", 0)
		kinds, err := ix.Kinds(ctx, func(done, total int) { p.Update(int64(done), int64(total), name) })
		p.Finish()
		if err != nil {
			return err
		}
		for j := range r.Indexes[i].Fields {
			f := &r.Indexes[i].Fields[j]
			f.Kinds = kindReports(kinds[f.Name])
		}
	}
	return nil
}

// kindReports lists the kinds that there are.
func kindReports(k bitmap.Kinds) (reports []kindReport) {
	for _, kind := range []struct {
		name string
		of   bitmap.Containers
	}{{"array", k.Array}, {"bitset", k.Bitset}, {"run", k.Run}, {"packed", k.Packed}} {
		if kind.of.Count > 0 {
			reports = append(reports, kindReport{Kind: kind.name, Containers: kind.of.Count, Values: kind.of.Values,
				Bytes: kind.of.Bytes})
		}
	}
	return reports
}

// printKinds prints the containers of an index by field and kind, if they were counted.
func (ix *indexReport) printKinds(out *bufio.Writer) {
	rows := [][]string{{"field", "kind", "containers", "values", "size", "bytes/value"}}
	for _, f := range ix.Fields {
		for _, k := range f.Kinds {
			rows = append(rows, []string{f.Name, k.Kind, terminal.Count(k.Containers), terminal.Count(k.Values),
				terminal.Bytes(k.Bytes),
				fmt.Sprintf("%.2f", float64(k.Bytes)/float64(k.Values))})
		}
	}
	if len(rows) > 1 {
		terminal.Table(out, rows, 2)
		fmt.Fprintln(out)
	}
}
