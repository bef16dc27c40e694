// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package terms has Uproar and other engines count the documents of terms, by the rules and queries
// of the search-benchmark-game. It is an engine of that benchmark: "build" and "serve" read and
// write what it wants. Where its corpus cannot be had, "corpus" makes one whose terms are as
// frequent, and "compare" measures Lucene, with recursive graph bisection, and Tantivy in one run.
package terms

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"time"
)

// settings are the flags of the command.
type settings struct {
	dir, sources, others string
	documents, rounds    int
	seed                 uint64
	memory               int64
	warm                 time.Duration
}

// Command runs "bench terms".
func Command(args []string, stdout, stderr io.Writer) error {
	var s settings
	f := flag.NewFlagSet("terms corpus|build|serve|compare", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.StringVar(&s.dir, "dir", "", "build, serve: folder of the database; compare: `FOLDER` of all engines, that is kept")
	f.IntVar(&s.documents, "documents", 1_000_000, "corpus, compare: documents; the benchmark has 5032105")
	f.Uint64Var(&s.seed, "seed", 1, "corpus, compare: the same seed makes the same documents")
	f.Int64Var(&s.memory, "memory", 512<<20, "build, serve, compare: memory of the database, bytes")
	f.StringVar(&s.others, "engines", "lucene,tantivy", "compare: who is compared, by commas")
	f.StringVar(&s.sources, "sources", "terms", "compare: folder with the programs of the others")
	f.DurationVar(&s.warm, "warm", 10*time.Second, "compare: how long each is warmed up, at least once through")
	f.IntVar(&s.rounds, "rounds", 10, "compare: rounds, of which the best time of each query counts")
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	what := ""
	if len(args) > 0 {
		what, args = args[0], args[1:]
	}
	if err := f.Parse(args); err != nil {
		return err
	}
	wrong := f.NArg() > 0 || s.documents < 1 || s.rounds < 1 || s.memory < 1<<20 || s.dir == "" && what != "corpus"
	switch {
	case wrong:
	case what == "corpus":
		return writeCorpus(stdout, s.documents, s.seed)
	case what == "build":
		return build(ctx, s.dir, s.memory, os.Stdin)
	case what == "serve":
		return serve(ctx, s.dir, s.memory, os.Stdin, stdout)
	case what == "compare":
		return s.compare(ctx, stdout)
	}
	err := errors.New("want corpus, build, serve or compare, a folder, and numbers above 0")
	fmt.Fprintln(stderr, err)
	f.Usage()
	return err
}

// compare makes the corpus, the programs and the indexes, unless they are there, and measures.
func (s *settings) compare(ctx context.Context, stdout io.Writer) (err error) {
	if err := os.MkdirAll(s.dir, 0o755); err != nil {
		return err
	}
	corpus := filepath.Join(s.dir, fmt.Sprintf("corpus-%d-%d.json", s.documents, s.seed))
	if _, err := os.Stat(corpus); err != nil {
		fmt.Fprintln(stdout, "making", corpus)
		if err := s.makeCorpus(corpus); err != nil {
			return err
		}
	}
	program, err := os.Executable()
	if err != nil {
		return err
	}
	db := filepath.Join(s.dir, fmt.Sprintf("uproar-%d-%d", s.documents, s.seed))
	memory := fmt.Sprint("-memory=", s.memory)
	all := []peer{{name: "Uproar", index: db, make: [][]string{{program, "terms", "build", "-dir", db, memory}},
		serve: []string{program, "terms", "serve", "-dir", db, memory}}}
	for _, name := range strings.Split(s.others, ",") {
		if name == "" {
			continue
		}
		p, err := s.peer(name)
		if err != nil {
			return err
		}
		all = append(all, p)
	}
	var engines []*engine
	for _, p := range all {
		took, err := p.prepare(ctx, corpus, stdout)
		if err != nil {
			return err
		}
		c := exec.CommandContext(ctx, p.serve[0], p.serve[1:]...)
		c.Env = append(os.Environ(), "GOMAXPROCS=1")
		e, err := start(p.name, c)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, e.stop()) }()
		e.build = took
		if e.disk, err = size(p.index); err != nil {
			return err
		}
		engines = append(engines, e)
	}
	if err := measure(ctx, engines, s.warm, s.rounds); err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%d documents, one thread; of %d rounds the best time of each of %d queries, asked through a pipe\n",
		s.documents, s.rounds, len(queries()))
	print(stdout, engines)
	return nil
}

// makeCorpus writes the corpus to a file, which is whole or not there.
func (s *settings) makeCorpus(name string) error {
	f, err := os.Create(name + ".part")
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	if err := errors.Join(writeCorpus(w, s.documents, s.seed), w.Flush(), f.Close()); err != nil {
		return err
	}
	return os.Rename(name+".part", name)
}
