// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package sizes

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/bench/command"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
	"github.com/uproar-db/uproar/internal/processor"
)

// place is the flags that say where the data lies.
type place struct {
	Dir    string            `placeholder:"DIR" help:"Folder for the data, which is kept, and measured again by the next run of the same size. Default: a temporary one, removed at the end."`
	Memory terminal.ByteSize `default:"1GiB" placeholder:"SIZE" help:"Memory of the database (${default})."`
	Rounds int               `default:"5" placeholder:"N" help:"How often each question is asked; the median counts (${default})."`
	command.Engine
}

// Validate is called when the command line is parsed.
func (p *place) Validate() error {
	switch {
	case p.Memory < command.LeastMemory:
		return fmt.Errorf("--memory: got %s, want at least %s", p.Memory, command.LeastMemory)
	case p.Rounds < 1:
		return fmt.Errorf("--rounds: got %d, want 1 or more", p.Rounds)
	}
	return nil
}

// folder returns the folder of the data, and what removes a temporary one.
func (p *place) folder() (dir string, remove func() error, err error) {
	if p.Dir != "" {
		return p.Dir, func() error { return nil }, nil
	}
	dir, err = os.MkdirTemp("", "uproar-bench-")
	return dir, func() error { return os.RemoveAll(dir) }, err
}

// database opens the database in a folder.
func (p *place) database(ctx context.Context, dir string) (*uproar.DB, error) {
	return p.Open(ctx, dir, &uproar.Options{MemoryBytes: int64(p.Memory)})
}

// cost is what a question takes, in the median.
type cost struct {
	Wall, Processor time.Duration
	Mallocs, Bytes  uint64
}

// measure asks a question once, and then in so many rounds.
func measure(rounds int, ask func() error) (cost, error) {
	var of [4][]uint64
	for i := range rounds + 1 {
		runtime.GC()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		work := processor.Begin()
		if err := ask(); err != nil {
			return cost{}, err
		}
		wall, used := work.Took()
		if runtime.ReadMemStats(&after); i == 0 { // pages into the cache, scratch memory into the pools
			continue
		}
		for k, x := range []uint64{uint64(wall), uint64(used), after.Mallocs - before.Mallocs,
			after.TotalAlloc - before.TotalAlloc} {
			of[k] = append(of[k], x)
		}
	}
	middle := func(of []uint64) uint64 {
		slices.Sort(of)
		return of[len(of)/2]
	}
	return cost{time.Duration(middle(of[0])), time.Duration(middle(of[1])), middle(of[2]), middle(of[3])}, nil
}

// readRate returns how many bytes a second one thread reads of memory, by the better of two ways to
// read it: a sum of words, and the search of the runtime for a byte, in assembly.
func readRate(size, rounds int) float64 {
	b := bytes.Repeat([]byte{1}, size)
	var sum uint64
	best := time.Duration(1<<63 - 1)
	for range rounds {
		began := time.Now()
		for words := b; len(words) >= 64; words = words[64:] {
			w := words[:64:64]
			sum += binary.LittleEndian.Uint64(w) + binary.LittleEndian.Uint64(w[8:]) +
				binary.LittleEndian.Uint64(w[16:]) + binary.LittleEndian.Uint64(w[24:]) +
				binary.LittleEndian.Uint64(w[32:]) + binary.LittleEndian.Uint64(w[40:]) +
				binary.LittleEndian.Uint64(w[48:]) + binary.LittleEndian.Uint64(w[56:])
		}
		best = min(best, time.Since(began))
		began = time.Now()
		if bytes.IndexByte(b, byte(sum>>60)+2) >= 0 {
			panic("sizes: found a byte that is not there")
		}
		best = min(best, time.Since(began))
	}
	return float64(size) / best.Seconds()
}

// rateBytes is how much memory readRate reads to measure a machine: more than its caches hold.
// Tests read less.
var rateBytes = 512 << 20

// load returns what else the machine does, as the system tells it.
func load() string {
	text, err := os.ReadFile("/proc/loadavg")
	if fields := strings.Fields(string(text)); err == nil && len(fields) > 0 {
		return fields[0]
	}
	return "unknown"
}

// random spreads the bits of a number over 64: the finalizer of SplitMix64 (Steele, Lea, Flood
// 2014).
func random(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// errDiffers is the error of an answer that is not that of the plain computation.
var errDiffers = errors.New("the database differs from a plain computation")

func gigabytes(rate float64) string { return fmt.Sprintf("%.1f GB/s", rate/1e9) }
