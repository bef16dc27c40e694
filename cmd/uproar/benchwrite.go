// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strconv"
	"time"

	"github.com/uproar-db/uproar/cmd/uproar/benchwrite"
	"github.com/uproar-db/uproar/cmd/uproar/database"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/bboltstore"
	"github.com/uproar-db/uproar/store/pebblestore"
)

// benchCommand is the commands that measure.
type benchCommand struct {
	Write benchWriteCommand `cmd:"" help:"Measure how a store bears writing."`
}

// benchWriteCommand measures how a store bears writing.
type benchWriteCommand struct {
	Mode    string            `enum:"entries,pages,lists" default:"entries" help:"What is written: entries, each under a new key; pages, rewritten at random; or lists, follows in a synthetic graph (${default})."`
	Store   string            `enum:"bbolt,pebble" default:"${engine}" help:"Engine: bbolt or pebble (${default})."`
	Dir     string            `placeholder:"DIR" help:"Folder, empty or missing, which is kept. Default: a temporary one, removed at the end."`
	Reuse   bool              `help:"Go on with what an earlier run has left in --dir: entries get the keys behind those that are there, pages and the graph are not made again."`
	Entries int64             `placeholder:"N" help:"Entries, rewrites or events to write. Default: 1000000, or as many as fit --duration."`
	Batch   int               `placeholder:"N" help:"How many are in a commit. Default: 1000 entries, 100 pages, 1 event."`
	Writers int               `placeholder:"N" help:"Goroutines that write. Default: 4 for entries, 1 for sorted ones and for pages, 64 for lists."`
	Readers int               `placeholder:"N" help:"lists: goroutines that ask intersections meanwhile. Default: none."`
	Sorted  bool              `help:"entries: write in the order of keys, in full batches from one writer, as bulk loads do."`
	Keys    int64             `placeholder:"N" help:"entries: draw keys at random out of so many, so that entries replace others. Default: every key is new."`
	KeySize terminal.ByteSize `default:"16" placeholder:"SIZE" help:"Size of a key of entries and pages (${default})."`

	Work   benchWork   `embed:""`
	Engine benchEngine `embed:""`

	HeapProfile string `placeholder:"FILE" help:"Write a heap profile after writing, for go tool pprof."`
	CPUProfile  string `name:"cpu-profile" placeholder:"FILE" help:"Write a processor profile of the time of writing, for go tool pprof."`
	JSON        bool   `name:"json" help:"Print one JSON object instead of tables."`
}

// benchWork is how much is written, for how long, and what is measured.
type benchWork struct {
	ValueSize    terminal.ByteSize `placeholder:"SIZE" help:"Size of a value. Default: 100 for entries, 32KiB for pages."`
	Pages        int               `default:"16384" placeholder:"N" help:"Pages to rewrite (${default})."`
	Accounts     int               `default:"550000" placeholder:"N" help:"Accounts of the graph (${default})."`
	Follows      int               `default:"16400000" placeholder:"N" help:"Follows of the graph at the beginning (${default})."`
	Rate         float64           `placeholder:"N" help:"Entries, rewrites or events a second, at most. Default: as many as can be."`
	Duration     time.Duration     `placeholder:"TIME" help:"Write at most so long. Default: until --entries are written."`
	Idle         time.Duration     `default:"0s" placeholder:"TIME" help:"Wait so long afterwards, and see what is reclaimed (${default})."`
	Interval     time.Duration     `default:"10s" placeholder:"TIME" help:"Time that each line of the table is about (${default})."`
	Ceiling      time.Duration     `default:"2s" placeholder:"TIME" help:"Measure the disk alone so long, before and afterwards (${default})."`
	Turn         time.Duration     `default:"4s" placeholder:"TIME" help:"pages: time of writing between two measurements of the disk alone; 0s: all (${default})."`
	Seed         uint64            `default:"1" placeholder:"N" help:"The same seed writes the same (${default})."`
	CompactEvery compactEvery      `placeholder:"N|TIME" help:"Have the store compact itself after each N batches, or so long after the last time. Default: as it does by itself."`
}

// benchEngine is how engine and database are set up.
type benchEngine struct {
	Compression    string            `enum:"none,snappy,zstd" default:"none" help:"pebble: compression of tables: none, snappy or zstd (${default})."`
	BlockCache     terminal.ByteSize `placeholder:"SIZE" help:"pebble: memory for blocks and filters. Default: a sixteenth of --memory."`
	Log            bool              `name:"engine-log" help:"Print the engine's log to standard error; bbolt has none."`
	Memory         terminal.ByteSize `default:"256MiB" placeholder:"SIZE" help:"Memory of the database, and what the engine's shares are measured by (${default}); the process is held to twice as much."`
	Delta          terminal.ByteSize `placeholder:"SIZE" help:"lists: of it for writes not yet in pages. Default: an eighth of --memory."`
	SyncEvery      time.Duration     `default:"0s" placeholder:"TIME" help:"lists: sync commits together after so long, acknowledged before; 0s: each is synced first (${default})."`
	CommitDelay    time.Duration     `default:"0s" placeholder:"TIME" help:"lists: as --commit-delay of serve (${default})."`
	CommitSiblings int               `default:"5" placeholder:"N" help:"lists: as --commit-siblings of serve (${default})."`
}

// Help returns what the help of the command says beside its flags.
func (*benchWriteCommand) Help() string {
	return `Shows how fast and evenly a store takes writes, every batch synced, and its memory, room, bytes written to the disk
(Linux) and time to close and open. It also measures the disk alone: synced appends of the size of a batch to a file
beside the store. Batches that wait for the same cause count once as longest. Values compress to half. Ctrl-C ends
writing, and prints the results. Any size will do: memory does not grow with it, but with --keys by a bit for each.

Example: uproar bench write --mode lists --duration 1m --idle 30s`
}

// Validate is called when the command line is parsed.
func (c *benchWriteCommand) Validate() error {
	switch {
	case c.Entries < 0 || c.Batch < 0 || c.Writers < 0 || c.Readers < 0 || c.Work.Rate < 0:
		return errors.New("--entries, --batch, --writers, --readers and --rate: want 0 or more")
	case c.Sorted && c.Mode != "entries":
		return errors.New("--sorted is about entries: want --mode=entries")
	case c.Keys < 0 || c.Keys > 0 && (c.Mode != "entries" || c.Sorted):
		return errors.New("--keys is about random entries: want --mode=entries without --sorted, and 0 or more")
	case c.Work.Turn < 0:
		return errors.New("--turn: want 0 or more")
	case c.Readers > 0 && c.Mode != "lists":
		return errors.New("--readers ask lists: want --mode=lists")
	case c.Reuse && c.Dir == "":
		return errors.New("--reuse goes on with what is in a folder: want --dir=DIR")
	case c.Store != database.Pebble && (c.Engine.Compression != "none" || c.Engine.BlockCache > 0):
		return fmt.Errorf("--compression and --block-cache are about pebble, got --store=%s", c.Store)
	case c.Work.Interval <= 0:
		return errors.New("--interval: want more than 0")
	}
	opts := c.options()
	return opts.Check()
}

// options returns what to measure, with the defaults of the mode.
func (c *benchWriteCommand) options() benchwrite.Options {
	w, e := &c.Work, &c.Engine
	o := benchwrite.Options{Mode: benchwrite.Mode(c.Mode), Dir: c.Dir, Store: c.Store, Seed: w.Seed, Count: c.Entries,
		Duration: w.Duration, Rate: w.Rate, Batch: c.Batch, Writers: c.Writers, Idle: w.Idle,
		KeyBytes: int(c.KeySize), ValueBytes: int(w.ValueSize), Sorted: c.Sorted, Keys: c.Keys, Pages: w.Pages}
	o.Graph = benchwrite.GraphOptions{Accounts: w.Accounts, Follows: w.Follows, Readers: c.Readers,
		Memory: int64(e.Memory), Delta: int64(e.Delta), Late: e.SyncEvery, Delay: e.CommitDelay,
		Siblings: e.CommitSiblings}
	o.Compact = benchwrite.Compaction(w.CompactEvery)
	o.Open = c.opener(nil)
	o.Measure = benchwrite.MeasureOptions{Interval: w.Interval, Ceiling: w.Ceiling, Turn: w.Turn,
		Profile: c.HeapProfile, CPU: c.CPUProfile}
	if o.Duration == 0 {
		o.Count = cmp.Or(o.Count, 1_000_000)
	}
	batch, writers, value := 1000, 4, 100
	switch {
	case o.Mode == benchwrite.Pages:
		batch, writers, value = 100, 1, 32<<10
	case o.Mode == benchwrite.Lists:
		batch, writers = 1, 64
	case o.Sorted:
		writers = 1
	}
	o.Batch, o.Writers, o.ValueBytes = cmp.Or(o.Batch, batch), cmp.Or(o.Writers, writers), cmp.Or(o.ValueBytes, value)
	return o
}

var compressions = map[string]pebblestore.Compression{"none": pebblestore.NoCompression,
	"snappy": pebblestore.Snappy, "zstd": pebblestore.Zstd}

// opener returns the function that opens the store, whose engine logs to a logger.
func (c *benchWriteCommand) opener(log *slog.Logger) func(dir string) (store.Store, error) {
	if c.Store == database.Bbolt {
		return func(dir string) (store.Store, error) { return bboltstore.Open(dir, nil) }
	}
	opts := &pebblestore.Options{Logger: log, Memory: int64(c.Engine.Memory), BlockCache: int64(c.Engine.BlockCache),
		Compression: compressions[c.Engine.Compression]}
	return func(dir string) (store.Store, error) { return pebblestore.Open(dir, opts) }
}

// compactEvery is a number of batches or a time, on the command line.
type compactEvery benchwrite.Compaction

// UnmarshalText reads one of them.
func (e *compactEvery) UnmarshalText(text []byte) error {
	batches, err := strconv.ParseInt(string(text), 10, 64)
	if err == nil && batches > 0 {
		*e = compactEvery{Batches: batches}
		return nil
	}
	every, err := time.ParseDuration(string(text))
	if err != nil || every <= 0 {
		return fmt.Errorf("got %q, want a number of batches such as 1000, or a time such as 30s", text)
	}
	*e = compactEvery{Every: every}
	return nil
}

// Run measures.
func (c *benchWriteCommand) Run(ctx context.Context, con *terminal.Console) (err error) {
	opts := c.options()
	if opts.Dir == "" {
		if opts.Dir, err = os.MkdirTemp("", "uproar-bench-"); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(opts.Dir)) }()
	} else if files, err := os.ReadDir(opts.Dir); err == nil && len(files) > 0 && !c.Reuse {
		return terminal.Advise("a folder that does not exist yet, or an empty one", "%s is not empty: it has %s",
			opts.Dir, files[0].Name())
	}
	database.Memory(2 * c.Engine.Memory) // half of it is the database's, as in a server
	if c.Engine.Log {
		opts.Open = c.opener(slog.New(slog.NewTextHandler(con.Err, &slog.HandlerOptions{Level: slog.LevelDebug})))
	}
	shown := con.Progress("opening", 0)
	opts.Phase = func(what string) {
		shown.Finish()
		shown = con.Progress(what, 1)
	}
	opts.Progress = func(p benchwrite.Progress) {
		note := ""
		if p.PerSecond > 0 {
			note = terminal.Count(int64(p.PerSecond)) + "/s, "
		}
		if p.Disk > 0 {
			note += terminal.Bytes(p.Disk)
		}
		shown.Update(p.Done, p.Total, note)
	}
	r, err := benchwrite.Run(ctx, opts)
	shown.Finish()
	if r == nil {
		return err
	}
	return errors.Join(err, terminal.Report(con.Out, c.JSON, r, benchwrite.Print))
}
