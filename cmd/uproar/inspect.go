// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/cmd/uproar/database"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
)

// inspectCommand shows what a database consists of.
type inspectCommand struct {
	Dir   string `required:"" placeholder:"DIR" help:"Folder of the database."`
	Kinds bool   `help:"Also count the containers of each field by kind: reads every page of lists."`
	JSON  bool   `name:"json" help:"Print one JSON object instead of tables."`
	database.EngineFlag
	database.ReadOnlyFlag
}

// Help returns what the help of the command says beside its flags.
func (*inspectCommand) Help() string {
	return `Prints for each index: its records; the commits in its log, up to which they are in pages, and the times of the oldest
and the newest; what was written since the last flush; each field, and what it takes in pages. Rows are posting lists,
values the sum of their cardinalities, pieces the pages with a part of a list too large for one. The index's own fields
are _exists, the records that exist, _keys, their keys by ID, and _hashes, IDs by the hash of the key.

Example: uproar inspect --dir network`
}

// report is what inspect prints as JSON. Its names are stable.
type report struct {
	Dir     string        `json:"dir"`
	Indexes []indexReport `json:"indexes"`
	Store   struct {
		Tree   int64 `json:"tree_bytes"`
		Values int64 `json:"value_bytes"`
		Total  int64 `json:"total_bytes"`
	} `json:"store"`
}

type indexReport struct {
	Name           string        `json:"name"`
	Records        uint64        `json:"records"`
	Sequence       uint64        `json:"sequence"`
	Flushed        uint64        `json:"flushed_sequence"`
	OldestLogEntry uint64        `json:"oldest_log_entry"`
	OldestLogTime  string        `json:"oldest_log_time,omitempty"` // UTC; none of an empty log
	NewestLogTime  string        `json:"newest_log_time,omitempty"`
	LogBytes       uint64        `json:"log_bytes"`
	DeltaEdits     uint64        `json:"delta_edits"`
	DeltaKeys      uint64        `json:"delta_keys"`
	DeltaWords     uint64        `json:"delta_values"`
	DeltaBytes     uint64        `json:"delta_bytes"`
	Fields         []fieldReport `json:"fields"`

	Declared []declarationReport `json:"declared"`
}

type fieldReport struct {
	Name   string `json:"name"`
	Type   string `json:"type"`
	Rows   uint64 `json:"rows"`
	Values uint64 `json:"values"`
	Pages  uint64 `json:"pages"`
	Pieces uint64 `json:"pieces"`
	Bytes  uint64 `json:"bytes"`

	Kinds []kindReport `json:"kinds,omitempty"`
}

// kindReport is the containers of one kind in the lists of a field.
type kindReport struct {
	Kind       string `json:"kind"`
	Containers uint64 `json:"containers"`
	Values     uint64 `json:"values"`
	Bytes      uint64 `json:"bytes"`
}

// Run prints the report.
func (c *inspectCommand) Run(ctx context.Context, con *terminal.Console) (err error) {
	db, err := database.Open(ctx, c.Dir, c.Store, false, c.Options())
	if err != nil {
		return err
	}
	defer database.Closing(db, &err)
	stats, err := db.Stats()
	if err != nil {
		return err
	}
	r := newReport(c.Dir, &stats)
	if err := errors.Join(r.addTimes(db), r.addDeclarations(db)); err != nil {
		return err
	}
	if c.Kinds {
		if err := r.addKinds(ctx, con, db); err != nil {
			return err
		}
	}
	if c.JSON {
		e := json.NewEncoder(con.Out)
		e.SetIndent("", "  ")
		return e.Encode(r)
	}
	return r.print(con)
}

func newReport(dir string, stats *uproar.Stats) *report {
	r := &report{Dir: dir, Indexes: []indexReport{}}
	for _, ix := range stats.Indexes {
		out := indexReport{Name: ix.Name, Records: ix.Records, Sequence: ix.Sequence, Flushed: ix.Flushed,
			OldestLogEntry: ix.OldestLogEntry,
			LogBytes:       ix.LogBytes, DeltaEdits: ix.DeltaEdits, DeltaKeys: ix.DeltaKeys, DeltaWords: ix.DeltaWords,
			DeltaBytes: ix.DeltaBytes, Fields: []fieldReport{}}
		for _, f := range ix.Fields {
			out.Fields = append(out.Fields, fieldReport{Name: f.Name, Type: f.Type, Rows: f.Rows, Values: f.Values,
				Pages: f.Pages, Pieces: f.Pieces, Bytes: f.Bytes})
		}
		r.Indexes = append(r.Indexes, out)
	}
	r.Store.Tree, r.Store.Values, r.Store.Total = stats.Store.Tree, stats.Store.Values, stats.Store.Total()
	return r
}

// logTime is how times of the log are shown: to the millisecond that they are kept to, in UTC.
const logTime = "2006-01-02T15:04:05.000Z07:00"

// addTimes adds when the commits at both ends of each log were made.
func (r *report) addTimes(db *uproar.DB) error {
	for i := range r.Indexes {
		out := &r.Indexes[i]
		ix, err := db.Index(out.Name)
		if err != nil {
			return err
		}
		oldest, newest, err := ix.LogTimes()
		if err != nil {
			return err
		}
		if !oldest.IsZero() && !newest.IsZero() {
			out.OldestLogTime, out.NewestLogTime = oldest.UTC().Format(logTime), newest.UTC().Format(logTime)
		}
	}
	return nil
}

// print prints the report as tables.
func (r *report) print(con *terminal.Console) error {
	out := bufio.NewWriter(con.Out)
	for _, ix := range r.Indexes {
		fmt.Fprintf(out, "index %s: %s\n", ix.Name, terminal.Plural(ix.Records, "record"))
		log := "empty"
		if ix.OldestLogEntry <= ix.Sequence {
			log = fmt.Sprintf("commits %d to %d, %s", ix.OldestLogEntry, ix.Sequence, terminal.Bytes(ix.LogBytes))
		}
		fmt.Fprintf(out, "log: %s; in pages: up to commit %d\n", log, ix.Flushed)
		if ix.OldestLogTime != "" {
			fmt.Fprintf(out, "oldest commit of the log: %s; newest: %s\n", ix.OldestLogTime, ix.NewestLogTime)
		}
		fmt.Fprintf(out, "delta: %s, %s, %s, %s\n\n", terminal.Plural(ix.DeltaEdits, "edit"),
			terminal.Plural(ix.DeltaWords, "value"),
			terminal.Plural(ix.DeltaKeys, "key"), terminal.Bytes(ix.DeltaBytes))
		ix.printDeclarations(out)
		rows := [][]string{{"field", "type", "rows", "values", "pages", "pieces", "size", "bytes/value"}}
		for _, f := range ix.Fields {
			each := "-"
			if f.Values > 0 {
				each = fmt.Sprintf("%.2f", float64(f.Bytes)/float64(f.Values))
			}
			rows = append(rows, []string{f.Name, f.Type, terminal.Count(f.Rows), terminal.Count(f.Values),
				terminal.Count(f.Pages), terminal.Count(f.Pieces),
				terminal.Bytes(f.Bytes), each})
		}
		terminal.Table(out, rows, 2)
		fmt.Fprintln(out)
		ix.printKinds(out)
	}
	if len(r.Indexes) == 0 {
		fmt.Fprint(out, "no indexes\n\n")
	}
	fmt.Fprintf(out, "store: %s\n", terminal.Bytes(r.Store.Total))
	return out.Flush()
}
