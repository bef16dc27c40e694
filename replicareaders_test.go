// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/store/ship"
)

// replicaReader is set in the children of BenchmarkReaders: folder of the log, folder, name.
const replicaReader = "UPROAR_TEST_READER"

const (
	readerValues = 500
	readerTime   = 2 * time.Second
)

// TestReplicaReaderChild is a child of BenchmarkReaders: it opens a copy, says so, waits for a
// line, asks for a while, and says how often.
func TestReplicaReaderChild(t *testing.T) {
	log, rest, ok := strings.Cut(os.Getenv(replicaReader), "|")
	if !ok {
		t.Skip("runs as a child of BenchmarkReaders")
	}
	dir, name, _ := strings.Cut(rest, "|")
	db, _, err := openCopy(t.Context(), log, dir, name, ship.Reader)
	if err != nil {
		t.Fatal(err)
	}
	ix, err := db.Index("x")
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, uint64(len(name))))
	ask := func(long time.Duration) (n int) {
		for end := time.Now().Add(long); time.Now().Before(end); n++ {
			q := query.And{Of: []query.Expr{query.Equal{Field: "f", Value: fmt.Sprint(rng.IntN(readerValues))},
				query.Equal{Field: "f", Value: fmt.Sprint(rng.IntN(readerValues))}}}
			snap := ix.Snapshot()
			_, err := snap.Count(t.Context(), q)
			snap.Close()
			if err != nil {
				t.Fatal(err)
			}
		}
		return n
	}
	ask(readerTime / 4)
	fmt.Println("ready")
	if _, err := bufio.NewReader(os.Stdin).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	fmt.Println("asked", ask(readerTime))
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

// BenchmarkReaders measures how many questions a second some processes answer together, each with a
// copy of one log and one thread: -benchtime 1x.
func BenchmarkReaders(b *testing.B) {
	dir := b.TempDir()
	log := filepath.Join(dir, "log")
	db, _, err := openCopy(b.Context(), log, filepath.Join(dir, "writer"), "writer", ship.Writer)
	if err != nil {
		b.Fatal(err)
	}
	ix, err := db.CreateIndex(b.Context(), "x", uproar.Field{Name: "f", Type: uproar.Set})
	if err != nil {
		b.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for first := 0; first < 100_000; first += 1000 {
		var batch uproar.Batch
		for i := range 5000 {
			batch.Set("f", fmt.Sprint("r", first+i/5), fmt.Sprint(rng.IntN(readerValues)))
		}
		if _, err := ix.Write(b.Context(), &batch); err != nil {
			b.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		b.Fatal(err)
	}
	for _, n := range []int{1, 2, 4} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				b.ReportMetric(float64(askReaders(b, log, dir, n))/readerTime.Seconds(), "questions/s")
			}
		})
	}
}

// askReaders has n processes ask at the same time, and returns how many questions they asked.
func askReaders(b *testing.B, log, dir string, n int) (asked int) {
	b.Helper()
	var ins []io.Writer
	var outs []*bufio.Reader
	for i := range n {
		name := fmt.Sprintf("reader%d", i)
		c := exec.CommandContext(b.Context(), os.Args[0], "-test.run", "^TestReplicaReaderChild$", "-test.timeout", "0")
		c.Env = append(os.Environ(), "GOMAXPROCS=1", fmt.Sprintf("%s=%s|%s|%s", replicaReader, log, filepath.Join(dir,
			name), name))
		in, err := c.StdinPipe()
		if err != nil {
			b.Fatal(err)
		}
		out, err := c.StdoutPipe()
		if err != nil {
			b.Fatal(err)
		}
		if err := c.Start(); err != nil {
			b.Fatal(err)
		}
		defer func() { _ = c.Wait() }()
		ins, outs = append(ins, in), append(outs, bufio.NewReader(out))
		if line, err := outs[i].ReadString('\n'); line != "ready\n" {
			b.Fatalf("%s said %q, %v", name, line, err)
		}
	}
	for _, in := range ins {
		if _, err := io.WriteString(in, "go\n"); err != nil {
			b.Fatal(err)
		}
	}
	for _, out := range outs {
		var one int
		if _, err := fmt.Fscanf(out, "asked %d\n", &one); err != nil {
			b.Fatal(err)
		}
		asked += one
	}
	return asked
}
