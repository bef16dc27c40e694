// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"context"
	"errors"
	"os"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/uproar-db/uproar/cmd/uproar/benchwrite"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
)

// benchCommand is the commands that measure.
type benchCommand struct {
	Write benchWriteCommand `cmd:"" help:"Measure how a store bears writing."`
}

// benchWriteCommand measures how a store bears writing.
type benchWriteCommand struct {
	Mode    string            `enum:"entries,pages,lists" default:"entries" help:"What is written: entries, each under a new key; pages, rewritten at random; or lists, follows in a synthetic graph (${default})."`
	Store   string            `enum:"badger,bbolt,pebble" default:"badger" help:"Engine: badger, bbolt or pebble (${default})."`
	Dir     string            `placeholder:"DIR" help:"Folder, empty or missing, which is kept. Default: a temporary one, removed at the end."`
	Reuse   bool              `help:"lists: go on with the graph of an earlier run in --dir."`
	Entries int64             `placeholder:"N" help:"Entries, rewrites or events to write. Default: 1000000, or as many as fit --duration."`
	Batch   int               `placeholder:"N" help:"How many are in a commit. Default: 1000 entries, 100 pages, 1 event."`
	Writers int               `placeholder:"N" help:"Goroutines that write. Default: 4 for entries, 1 for sorted ones and for pages, 64 for lists."`
	Readers int               `placeholder:"N" help:"lists: goroutines that ask intersections meanwhile. Default: none."`
	Sorted  bool              `help:"entries: write in the order of keys, in full batches from one writer, as bulk loads do."`
	Keys    int64             `placeholder:"N" help:"entries: draw keys at random out of so many, so that entries replace others. Default: every key is new."`
	KeySize terminal.ByteSize `default:"16" placeholder:"SIZE" help:"Size of a key of entries and pages (${default})."`

	benchWork
	benchEngine
}

// benchWork is how much is written, for how long, and what is measured.
type benchWork struct {
	ValueSize  terminal.ByteSize `placeholder:"SIZE" help:"Size of a value. Default: 100 for entries, 32KiB for pages."`
	Pages      int               `default:"16384" placeholder:"N" help:"Pages to rewrite (${default})."`
	Accounts   int               `default:"550000" placeholder:"N" help:"Accounts of the graph (${default})."`
	Follows    int               `default:"16400000" placeholder:"N" help:"Follows of the graph at the beginning (${default})."`
	Rate       float64           `placeholder:"N" help:"Entries, rewrites or events a second, at most. Default: as many as can be."`
	Duration   time.Duration     `placeholder:"TIME" help:"Write at most so long. Default: until --entries are written."`
	Idle       time.Duration     `default:"0s" placeholder:"TIME" help:"Wait so long afterwards, and see what is reclaimed (${default})."`
	Interval   time.Duration     `default:"10s" placeholder:"TIME" help:"Time that each line of the table is about (${default})."`
	Ceiling    time.Duration     `default:"2s" placeholder:"TIME" help:"Measure the disk alone so long, before and afterwards (${default})."`
	Turn       time.Duration     `default:"4s" placeholder:"TIME" help:"pages: time of writing between two measurements of the disk alone; 0s: all (${default})."`
	Seed       uint64            `default:"1" placeholder:"N" help:"The same seed writes the same (${default})."`
	GCInterval time.Duration     `name:"gc-interval" default:"5s" placeholder:"TIME" help:"badger: time without writes until the last garbage is collected (${default})."`
}

// benchEngine is how engine and database are set up.
type benchEngine struct {
	Compression    string            `enum:"none,snappy,zstd" default:"none" help:"badger: compression of keys and values below 1 KiB: none, snappy or zstd (${default})."`
	Tuning         string            `enum:"auto,entries,pages" default:"auto" help:"badger: set up for many small entries, or for pages as databases are; auto: entries in --mode=entries with values below 1 KiB, otherwise pages (${default})."`
	Memtable       terminal.ByteSize `placeholder:"SIZE" help:"badger: memory for the newest keys and small values. Default: 4MiB, with --tuning=entries 16MiB."`
	BlockCache     terminal.ByteSize `default:"0" placeholder:"SIZE" help:"badger: memory for blocks of keys and small values; with compression 32MiB if it is 0 (${default})."`
	Memory         terminal.ByteSize `default:"256MiB" placeholder:"SIZE" help:"lists: memory of the database (${default}); the process is held to twice as much."`
	Delta          terminal.ByteSize `placeholder:"SIZE" help:"lists: of it for writes not yet in pages. Default: an eighth of --memory."`
	SyncEvery      time.Duration     `default:"0s" placeholder:"TIME" help:"lists: sync commits together after so long, acknowledged before; 0s: each is synced first (${default})."`
	CommitDelay    time.Duration     `default:"0s" placeholder:"TIME" help:"lists: as --commit-delay of serve (${default})."`
	CommitSiblings int               `default:"5" placeholder:"N" help:"lists: as --commit-siblings of serve (${default})."`
	HeapProfile    string            `placeholder:"FILE" help:"Write a heap profile after writing, for go tool pprof."`
	CPUProfile     string            `name:"cpu-profile" placeholder:"FILE" help:"Write a processor profile of the time of writing, for go tool pprof."`
	JSON           bool              `name:"json" help:"Print one JSON object instead of tables."`
}

// Help returns what the help of the command says beside its flags.
func (*benchWriteCommand) Help() string {
	return `Shows how fast and evenly a store takes writes, every batch synced, and its memory, room, bytes written to the disk
(Linux) and time to close and open. It also measures the disk alone: synced appends of the size of a batch to a file
beside the store. Batches that wait for the same cause count once as longest. Values compress to half. Ctrl-C ends
writing, and prints the results.

Example: uproar bench write --mode lists --duration 1m --idle 30s`
}

// Validate is called when the command line is parsed.
func (c *benchWriteCommand) Validate() error {
	switch {
	case c.Entries < 0 || c.Batch < 0 || c.Writers < 0 || c.Readers < 0 || c.Rate < 0:
		return errors.New("--entries, --batch, --writers, --readers and --rate: want 0 or more")
	case c.Sorted && c.Mode != "entries":
		return errors.New("--sorted is about entries: want --mode=entries")
	case c.Keys < 0 || c.Keys > 0 && (c.Mode != "entries" || c.Sorted):
		return errors.New("--keys is about random entries: want --mode=entries without --sorted, and 0 or more")
	case c.Turn < 0:
		return errors.New("--turn: want 0 or more")
	case c.Readers > 0 && c.Mode != "lists":
		return errors.New("--readers ask lists: want --mode=lists")
	case c.Reuse && (c.Dir == "" || c.Mode != "lists"):
		return errors.New("--reuse goes on with the graph in a folder: want --mode=lists and --dir=DIR")
	case c.Interval <= 0:
		return errors.New("--interval: want more than 0")
	}
	opts := c.options()
	return opts.Check()
}

// options returns what to measure, with the defaults of the mode.
func (c *benchWriteCommand) options() benchwrite.Options {
	o := benchwrite.Options{Mode: benchwrite.Mode(c.Mode), Dir: c.Dir, Store: c.Store, Seed: c.Seed, Count: c.Entries,
		Duration: c.Duration, Rate: c.Rate, Batch: c.Batch, Writers: c.Writers, Idle: c.Idle,
		KeyBytes: int(c.KeySize), ValueBytes: int(c.ValueSize), Sorted: c.Sorted, Keys: c.Keys, Pages: c.Pages}
	o.GraphOptions = benchwrite.GraphOptions{Accounts: c.Accounts, Follows: c.Follows, Readers: c.Readers,
		Memory: int64(c.Memory), Delta: int64(c.Delta), Late: c.SyncEvery, Delay: c.CommitDelay,
		Siblings: c.CommitSiblings}
	o.BadgerOptions = benchwrite.BadgerOptions{Compression: c.Compression, BlockCache: int64(c.BlockCache),
		MemTable: int64(c.Memtable), Small: c.Tuning == "entries", Quiet: c.GCInterval}
	o.MeasureOptions = benchwrite.MeasureOptions{Interval: c.Interval, Ceiling: c.Ceiling, Turn: c.Turn,
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
	if c.Tuning == "auto" {
		o.Small = o.Mode == benchwrite.Entries && o.ValueBytes < smallValue
	}
	return o
}

// entriesMemory is what Go's collector holds the process to while small entries are written. It
// works as databaseMemory does for servers. Merges of the tree leave much garbage: the collector
// would otherwise let as much gather as is alive.
const entriesMemory = 400 << 20

// entriesThreads is how many goroutines for each processor run at a time while small entries are
// written. A merge of the tree has some goroutines that never wait. A commit is handed on from
// goroutine to goroutine: with one for each processor, it would stand in Go's queue behind them
// each time, for a time slice each. The kernel lets who has waited run first.
const entriesThreads = 4

// smallValue is the length from which on values are in the value log in any case.
const smallValue = 1 << 10

// Run measures.
func (c *benchWriteCommand) Run(ctx context.Context, con *terminal.Console) (err error) {
	opts := c.options()
	if opts.Dir == "" {
		if opts.Dir, err = os.MkdirTemp("", "uproar-bench-"); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(opts.Dir)) }()
	} else if files, err := os.ReadDir(opts.Dir); err == nil && len(files) > 0 && !c.Reuse {
		return advise("a folder that does not exist yet, or an empty one", "%s is not empty: it has %s", opts.Dir,
			files[0].Name())
	}
	switch {
	case opts.Small:
		debug.SetMemoryLimit(entriesMemory)
		if os.Getenv("GOMAXPROCS") == "" {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(entriesThreads * runtime.GOMAXPROCS(0)))
		}
	case opts.Mode == benchwrite.Lists:
		databaseMemory(2 * c.Memory) // half of it is the database's, as in a server
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
	return errors.Join(err, terminal.Report(con.Out, c.JSON, r, printWriting))
}
