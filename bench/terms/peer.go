// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package terms

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"
)

// peer is how an engine is made and run.
type peer struct {
	name  string
	index string     // the folder of its index
	make  [][]string // commands: the last one makes the index of the corpus, its standard input
	serve []string
}

// peer returns one of the other engines. Its sources are built where they lie.
func (s *settings) peer(name string) (peer, error) {
	from := filepath.Join(s.sources, name)
	index := filepath.Join(s.dir, fmt.Sprintf("%s-%d-%d", name, s.documents, s.seed))
	switch name {
	case "lucene":
		java := []string{"java", "-XX:+UseParallelGC", "--add-modules", "jdk.incubator.vector",
			"--enable-native-access=ALL-UNNAMED", "-cp",
			filepath.Join(from, "target", "classes") + ":" + filepath.Join(from, "target", "dependency", "*")}
		return peer{"Lucene, bisected", index, [][]string{
			{"mvn", "-q", "-f", filepath.Join(from, "pom.xml"), "compile", "dependency:copy-dependencies"},
			slices.Concat(java, []string{"Build", index})}, slices.Concat(java, []string{"Count", index})}, nil
	case "tantivy":
		program := filepath.Join(from, "target", "release", "terms")
		return peer{"Tantivy", index, [][]string{
			{"cargo", "build", "--release", "--quiet", "--manifest-path", filepath.Join(from, "Cargo.toml")},
			{program, "build", index}}, []string{program, "serve", index}}, nil
	}
	return peer{}, fmt.Errorf("terms: got the engine %q, want lucene or tantivy", name)
}

// prepare makes the program and the index, and says how long the index took; nothing, if it is
// there.
func (p *peer) prepare(ctx context.Context, corpus string, stdout io.Writer) (time.Duration, error) {
	for _, c := range p.make[:len(p.make)-1] {
		if err := run(ctx, c, nil); err != nil {
			return 0, err
		}
	}
	if _, err := os.Stat(p.index + ".made"); err == nil {
		return 0, nil
	}
	fmt.Fprintln(stdout, "building the index of", p.name)
	if err := os.RemoveAll(p.index); err != nil {
		return 0, err
	}
	in, err := os.Open(corpus)
	if err != nil {
		return 0, err
	}
	defer in.Close()
	begun := time.Now()
	if err := run(ctx, p.make[len(p.make)-1], in); err != nil {
		return 0, err
	}
	took := time.Since(begun)
	return took, os.WriteFile(p.index+".made", nil, 0o644)
}

// run runs a command to its end.
func run(ctx context.Context, command []string, in io.Reader) error {
	c := exec.CommandContext(ctx, command[0], command[1:]...)
	c.Stdin, c.Stdout, c.Stderr = in, os.Stderr, os.Stderr
	// RUSTFLAGS as the benchmark has them
	c.Env = append(os.Environ(), "RUSTFLAGS=-C target-cpu=native")
	if err := c.Run(); err != nil {
		return fmt.Errorf("terms: %v: %w", command, err)
	}
	return nil
}
