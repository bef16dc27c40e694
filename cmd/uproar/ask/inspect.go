// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ask

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/cmd/uproar/database"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
)

// Inspect shows what a database consists of.
type Inspect struct {
	Database database.Flags `embed:""`
	Kinds    bool           `help:"Also count the containers of each field by kind: reads every page of lists."`
	JSON     bool           `name:"json" help:"Print one JSON object instead of tables."`
}

// Help returns what the help of the command says beside its flags.
func (*Inspect) Help() string {
	return `Prints for each index: its records; the commits in its log, up to which they are in pages, and the times of the oldest
and the newest; what was written since the last flush; each field, and what it takes in pages. Rows are posting lists,
values the sum of their cardinalities, pieces the pages with a part of a list too large for one. The index's own fields
are _exists, the records that exist, _keys, their keys by ID, and _hashes, IDs by the hash of the key.

Example: uproar inspect --dir network`
}

// inspected is what inspect prints as JSON. Its names are stable.
type inspected struct {
	Dir     string           `json:"dir,omitempty"`
	URL     string           `json:"url,omitempty"`
	Indexes []api.IndexStats `json:"indexes"`
	Store   api.StoreStats   `json:"store"`
}

// Run prints what the database consists of.
func (c *Inspect) Run(ctx context.Context, con *terminal.Console) (err error) {
	src, err := c.Database.Open(ctx)
	if err != nil {
		return err
	}
	defer database.Close(src, &err)
	r, err := src.Client.Stats(ctx, api.StatsRequest{Kinds: c.Kinds})
	if err != nil {
		return failed(src, err)
	}
	if c.JSON {
		e := json.NewEncoder(con.Out)
		e.SetIndent("", "  ")
		return e.Encode(inspected{Dir: c.Database.Dir, URL: database.Server(c.Database.Dir, c.Database.URL),
			Indexes: r.Indexes, Store: r.Store})
	}
	out := bufio.NewWriter(con.Out)
	for i := range r.Indexes {
		printIndex(out, &r.Indexes[i])
	}
	if len(r.Indexes) == 0 {
		fmt.Fprint(out, "no indexes\n\n")
	}
	fmt.Fprintf(out, "store: %s\n", terminal.Bytes(r.Store.Total))
	return out.Flush()
}

// printIndex prints an index as tables.
func printIndex(out *bufio.Writer, ix *api.IndexStats) {
	fmt.Fprintf(out, "index %s: %s\n", ix.Name, terminal.Plural(ix.Records, "record"))
	if ix.Unfinished > 0 {
		fmt.Fprintf(out, "a load has not ended: %s stored, go on with uproar import graph --keys --resume\n",
			terminal.Plural(ix.Unfinished, "follow"))
	}
	log := "empty"
	if ix.OldestLogEntry <= ix.Sequence {
		log = fmt.Sprintf("commits %d to %d, %s", ix.OldestLogEntry, ix.Sequence, terminal.Bytes(ix.LogBytes))
	}
	fmt.Fprintf(out, "log: %s; in pages: up to commit %d\n", log, ix.Flushed)
	if ix.OldestLogTime != "" {
		fmt.Fprintf(out, "oldest commit of the log: %s; newest: %s\n", ix.OldestLogTime, ix.NewestLogTime)
	}
	fmt.Fprintf(out, "delta: %s, %s, %s, %s\n\n", terminal.Plural(ix.DeltaEdits, "edit"),
		terminal.Plural(ix.DeltaWords, "value"), terminal.Plural(ix.DeltaKeys, "key"), terminal.Bytes(ix.DeltaBytes))
	printDeclared(out, ix.Declared)
	rows := [][]string{{"field", "type", "rows", "values", "pages", "pieces", "size", "bytes/value"}}
	for _, f := range ix.Fields {
		each := "-"
		if f.Values > 0 {
			each = fmt.Sprintf("%.2f", float64(f.Bytes)/float64(f.Values))
		}
		rows = append(rows, []string{f.Name, f.Type, terminal.Count(f.Rows), terminal.Count(f.Values),
			terminal.Count(f.Pages), terminal.Count(f.Pieces), terminal.Bytes(f.Bytes), each})
	}
	terminal.Table(out, rows, 2)
	fmt.Fprintln(out)
	printKinds(out, ix.Fields)
}

// printDeclared prints a table of declared fields.
func printDeclared(out *bufio.Writer, fields []api.DeclaredField) {
	rows := [][]string{{"declared", "type", "values", "value column", "more"}}
	for _, d := range fields {
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

// printKinds prints the containers of an index by field and kind, if they were counted.
func printKinds(out *bufio.Writer, fields []api.FieldStats) {
	rows := [][]string{{"field", "kind", "containers", "values", "size", "bytes/value"}}
	for _, f := range fields {
		for _, k := range f.Kinds {
			rows = append(rows, []string{f.Name, k.Kind, terminal.Count(k.Containers), terminal.Count(k.Values),
				terminal.Bytes(k.Bytes), fmt.Sprintf("%.2f", float64(k.Bytes)/float64(k.Values))})
		}
	}
	if len(rows) > 1 {
		terminal.Table(out, rows, 2)
		fmt.Fprintln(out)
	}
}
