// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Command bench measures Uproar, beside its peers where there are any, and checks every answer. All
// run together and on the same data. It is a module of its own, so that the peers are no
// dependencies of the database.
//
//	go run . library -data DIR    the bitmap package beside other libraries of sets
//	go run . packed               intersections of packed sets, and of the same sets in arrays
//	go run . beside               questions while others write: the database, and roaring bitmaps behind a lock
//	go run . engines              the engines of the database, Badger, and the disk alone
//	go run . audience             word clouds and counts of audiences: the database, roaring, DuckDB and ClickHouse
//	go run . catalog              searches of a price list over HTTP: the database, and roaring bitmaps behind fiber
//	go run . groups               groups and cross-tabs: the database, and DuckDB
//	go run . graphd -csv FILE     questions about follows over HTTP: the database, GraphD, and a constant reply
//	go run . unions               questions of up to 100 000 values: the database, and roaring bitmaps in memory
//	go run . terms compare -dir D counts of terms: the database, Lucene and Tantivy
//	go run . quick                twenty headline figures in less than a minute
//	go run . unflushed            what writes that are not flushed yet cost the questions after them
//	go run . graph                a graph of follows: loading, opening, answers in process and over HTTP
//	go run . keys                 keys of many accounts
//	go run . people               audiences of a synthetic population
//	go run . records              records written and read over HTTP: the database, and Redis
//	go run . redis                sets of clients of Redis: the database, and Redis
//	go run . prices               searches of a price list in process, beside maps and roaring bitmaps
//	go run . dense                three dense sets of 500 million people, beside the machine's memory
//	go run . union64              the union of 100 000 stored sets of 64-bit values
//	go run . lists                200 million lists in one index, a tenth of them ranked
//	go run . chart FILE.json      a picture of figures that were measured before
//	go run . arm64 -data DIR      what the kernels are worth on Neoverse N1, by qemu and llvm-mca
package main

import (
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/uproar-db/uproar/bench/arm64"
	"github.com/uproar-db/uproar/bench/audience"
	"github.com/uproar-db/uproar/bench/beside"
	"github.com/uproar-db/uproar/bench/chart"
	"github.com/uproar-db/uproar/bench/engines"
	"github.com/uproar-db/uproar/bench/graphd"
	"github.com/uproar-db/uproar/bench/groups"
	"github.com/uproar-db/uproar/bench/library"
	"github.com/uproar-db/uproar/bench/packed"
	"github.com/uproar-db/uproar/bench/people"
	"github.com/uproar-db/uproar/bench/prices"
	"github.com/uproar-db/uproar/bench/quick"
	"github.com/uproar-db/uproar/bench/records"
	"github.com/uproar-db/uproar/bench/redis"
	"github.com/uproar-db/uproar/bench/searches"
	"github.com/uproar-db/uproar/bench/sizes"
	"github.com/uproar-db/uproar/bench/socialgraph"
	"github.com/uproar-db/uproar/bench/terms"
	"github.com/uproar-db/uproar/bench/unflushed"
	"github.com/uproar-db/uproar/bench/unions"
)

// comparisons are the words that the command understands, and what they run.
var comparisons = map[string]func(args []string, stdout, stderr io.Writer) error{
	"library":   library.Command,
	"packed":    packed.Command,
	"beside":    beside.Command,
	"engines":   engines.Command,
	"audience":  audience.Command,
	"catalog":   searches.Command,
	"groups":    groups.Command,
	"graphd":    graphd.Command,
	"unions":    unions.Command,
	"terms":     terms.Command,
	"unflushed": unflushed.Command,
	"quick":     quick.Command,
	"graph":     socialgraph.GraphCommand,
	"keys":      socialgraph.KeysCommand,
	"people":    people.Command,
	"prices":    prices.Command,
	"records":   records.Command,
	"redis":     redis.Command,
	"dense":     sizes.DenseCommand,
	"union64":   sizes.UnionCommand,
	"lists":     sizes.ListsCommand,
	"chart":     chart.Command,
	"arm64":     arm64.Command,
}

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout, stderr io.Writer) (code int) {
	if len(args) == 0 || comparisons[args[0]] == nil {
		fmt.Fprintln(stderr, "usage: bench "+
			"library|packed|beside|engines|audience|catalog|groups|graphd|unions|terms|unflushed|quick|"+
			"graph|keys|people|prices|records|redis|dense|union64|lists|chart|arm64 [flags]; bench library -h lists them")
		return 2
	}
	switch err := comparisons[args[0]](args[1:], stdout, stderr); err {
	case nil:
		return 0
	case flag.ErrHelp:
		return 2
	default:
		fmt.Fprintln(stderr, "bench:", err)
		return 1
	}
}
