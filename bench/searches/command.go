// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package searches compares searches of a price list over HTTP: Uproar under the paths of
// bitmap-usage, servers of roaring bitmaps and of maps with fiber that answer the same, and one
// whose answer is constant.
package searches

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"time"

	"github.com/uproar-db/uproar/bench/drive"
	"github.com/uproar-db/uproar/cmd/uproar/pricelist"
)

// settings are the flags of the command.
type settings struct {
	offerings, connections, rounds int
	shuffled                       bool
	time                           time.Duration
	memory                         int64
	driver, chart                  string
	report, gogc, limits           string

	serve, dir string // of a child: which server it is, and the folder of the database
}

// Command measures, and writes a table to stdout. The error is one of flags, or says that two
// answers differ.
func Command(args []string, stdout, stderr io.Writer) error {
	var s settings
	f := flag.NewFlagSet("catalog", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.IntVar(&s.offerings, "offerings", pricelist.Offerings, "offerings, of 9744 prices each")
	f.BoolVar(&s.shuffled, "shuffled", false, "the prices are loaded in random order")
	f.IntVar(&s.connections, "connections", 20, "connections that ask without a pause")
	f.IntVar(&s.rounds, "rounds", 3, "how many times each server is measured, in turn")
	f.DurationVar(&s.time, "time", 3*time.Second, "how long each is measured in a round")
	f.Int64Var(&s.memory, "memory", 160<<20, "memory of Uproar's server, bytes")
	f.StringVar(&s.driver, "driver", "detect",
		"who asks: wrk; own, a program of ours; or detect, wrk if it is installed")
	f.StringVar(&s.chart, "chart", "", "also write the figures as `NAME`.json, and draw them as NAME.svg")
	f.StringVar(&s.report, "report", "", "compare all ways to search, over HTTP and in process, under each setting of"+
		" the collector, and write README.md and charts to the folder `DIR`")
	f.StringVar(&s.gogc, "gogc", "100,1000", "report: values of GOGC, by commas")
	f.StringVar(&s.limits, "limits", "off,500MiB", "report: values of GOMEMLIMIT, by commas")
	f.StringVar(&s.serve, "serve", "", "be one of the servers (used by the command itself)")
	f.StringVar(&s.dir, "dir", "", "folder of the database (used by the command itself)")
	if err := f.Parse(args); err != nil {
		return err
	}
	if f.NArg() > 0 || s.offerings < 1 || s.offerings > 1000 || s.connections < 1 || s.rounds < 1 || s.time <= 0 ||
		s.driver != "detect" && s.driver != "wrk" && s.driver != "own" {
		err := errors.New("got arguments, or flags that cannot be")
		fmt.Fprintln(stderr, err)
		f.Usage()
		return err
	}
	switch s.serve {
	case "":
		return s.with(func(w *work) error {
			if s.report != "" {
				return w.writeReport(stdout)
			}
			return w.run(stdout)
		})
	case uproarKind:
		return s.serveUproar(stdout)
	case constantKind:
		return drive.ServeConstant(stdout, answerBytes)
	default:
		return s.serveFinder(stdout)
	}
}

// run starts the servers, compares the answers of ours and the peer's, and measures them in turn.
func (w *work) run(stdout io.Writer) error {
	servers, err := w.measure([]string{uproarKind, roaringKind, constantKind}, nil)
	if err != nil {
		return err
	}
	fmt.Fprintln(stdout, w.what())
	report(stdout, servers)
	return picture(servers).WriteIf(w.chart)
}
