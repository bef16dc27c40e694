// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ship_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
	"github.com/uproar-db/uproar/store/ship"
	"github.com/uproar-db/uproar/store/ship/blob"
	"github.com/uproar-db/uproar/store/ship/cql"
	"github.com/uproar-db/uproar/store/ship/folder"
	"github.com/uproar-db/uproar/store/ship/shiptest"
)

// benchEngines are where a log may be: in memory, in a folder, and as far away as object storage.
var benchEngines = []struct {
	name string
	open func(b *testing.B) ship.Engine
}{
	{"memory", func(*testing.B) ship.Engine { return new(shiptest.Memory) }},
	{"folder", func(b *testing.B) ship.Engine {
		e, err := folder.Open(b.TempDir())
		if err != nil {
			b.Fatal(err)
		}
		return e
	}},
	{"url", atURL},
	{"20ms", func(*testing.B) ship.Engine {
		return shiptest.NewFaulty(new(shiptest.Memory), 1, shiptest.Faults{Latency: 20 * time.Millisecond})
	}},
}

// atURL opens the engine at UPROAR_LOG, and a place of its own there.
func atURL(b *testing.B) ship.Engine {
	at, err := url.Parse(os.Getenv("UPROAR_LOG"))
	if err != nil || at.Scheme == "" {
		b.Skip("want UPROAR_LOG with the URL of an engine")
	}
	at.Path += fmt.Sprintf("/bench%d", time.Now().UnixNano())
	var e ship.Engine
	if at.Scheme == cql.Scheme {
		e, err = cql.Open(b.Context(), at.String())
	} else {
		e, err = blob.Open(b.Context(), at.String())
	}
	if err != nil {
		b.Fatal(err)
	}
	return e
}

// commit has writers commit batches of one entry of 100 bytes, synced, and reports how long they
// took.
func commit(b *testing.B, s store.Store, writers int) {
	var next atomic.Uint64
	took := make([][]time.Duration, writers)
	var work sync.WaitGroup
	b.ResetTimer()
	for w := range writers {
		work.Go(func() {
			value := make([]byte, 92)
			for n := next.Add(1); n <= uint64(b.N); n = next.Add(1) {
				var batch store.Batch
				batch.Put(binary.BigEndian.AppendUint64(nil, n), value)
				start := time.Now()
				if err := s.Apply(&batch, true); err != nil {
					b.Error(err)
					return
				}
				took[w] = append(took[w], time.Since(start))
			}
		})
	}
	work.Wait()
	b.StopTimer()
	report(b, slices.Concat(took...))
}

// report reports the median and the 99th percentile.
func report(b *testing.B, took []time.Duration) {
	slices.Sort(took)
	for name, share := range map[string]float64{"p50-ms": 0.5, "p99-ms": 0.99} {
		if len(took) > 0 {
			b.ReportMetric(float64(took[int(share*float64(len(took)-1))].Microseconds())/1000, name)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "commits/s")
}

// BenchmarkCommit commits through a log, and on the local store alone.
func BenchmarkCommit(b *testing.B) {
	for _, writers := range []int{1, 16, 64, 1024} {
		b.Run(fmt.Sprintf("alone/%d", writers), func(b *testing.B) {
			s := pebble(b, b.TempDir())
			defer s.Close()
			commit(b, s, writers)
		})
		for _, e := range benchEngines {
			b.Run(fmt.Sprintf("%s/%d", e.name, writers), func(b *testing.B) {
				s := open(b, pebble(b, b.TempDir()), e.open(b), ship.Options{Role: ship.Writer, Unchecked: true})
				defer s.Close()
				commit(b, s, writers)
				b.ReportMetric(float64(s.Status().Objects)/float64(b.N), "objects/commit")
				b.ReportMetric(float64(s.Status().Bytes)/float64(b.N), "B/commit")
			})
		}
	}
}

// BenchmarkAge measures how long after its acknowledgement a commit is on another node.
func BenchmarkAge(b *testing.B) {
	for _, e := range benchEngines {
		b.Run(e.name, func(b *testing.B) {
			engine := e.open(b)
			w := open(b, pebble(b, b.TempDir()), engine, ship.Options{Role: ship.Writer, Unchecked: true})
			defer w.Close()
			r := open(b, pebble(b, b.TempDir()), engine, ship.Options{Role: ship.Reader})
			defer r.Close()
			r.Watch(follower{})
			var took []time.Duration
			b.ResetTimer()
			for n := range b.N {
				var batch store.Batch
				batch.Put(binary.BigEndian.AppendUint64(nil, uint64(n)), make([]byte, 92))
				if err := w.Apply(&batch, true); err != nil {
					b.Fatal(err)
				}
				start := time.Now()
				if err := r.Wait(b.Context(), w.Status().Object); err != nil {
					b.Fatal(err)
				}
				took = append(took, time.Since(start))
			}
			b.StopTimer()
			report(b, took)
		})
	}
}

// BenchmarkBegin makes a checkpoint of 300 MB, and has a node with an empty folder begin from it.
func BenchmarkBegin(b *testing.B) {
	for _, e := range benchEngines {
		b.Run(e.name, func(b *testing.B) {
			engine := e.open(b)
			w := open(b, pebble(b, b.TempDir()), engine, ship.Options{Role: ship.Writer, Unchecked: true})
			defer w.Close()
			rng := rand.NewChaCha8([32]byte{34})
			for i := range 150 {
				var batch store.Batch
				for j := range 64 {
					page := make([]byte, 32<<10)
					rng.Read(page)
					batch.Put(fmt.Appendf(nil, "page%04d-%04d", i, j), page)
				}
				if err := w.Apply(&batch, false); err != nil {
					b.Fatal(err)
				}
			}
			start := time.Now()
			if err := w.Checkpoint(b.Context()); err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(time.Since(start).Seconds(), "s/checkpoint")
			b.ResetTimer()
			for b.Loop() {
				r := open(b, pebble(b, b.TempDir()), engine, ship.Options{Role: ship.Reader})
				b.StopTimer()
				if err := r.Close(); err != nil && !errors.Is(err, store.ErrClosed) {
					b.Fatal(err)
				}
				b.StartTimer()
			}
			b.ReportMetric(314*float64(b.N)/b.Elapsed().Seconds(), "MB/s")
		})
	}
}

// BenchmarkCommitBeside has eight clients commit to a log that is 20 ms away, while four large
// batches are on their way at a time, and without them.
func BenchmarkCommitBeside(b *testing.B) {
	for _, beside := range []bool{false, true} {
		b.Run(fmt.Sprint("large=", beside), func(b *testing.B) {
			e := shiptest.NewFaulty(new(shiptest.Memory), 1, shiptest.Faults{Latency: 20 * time.Millisecond})
			s := open(b, memstore.New(), e, ship.Options{Role: ship.Writer, Unchecked: true})
			defer s.Close()
			var done atomic.Bool
			var large sync.WaitGroup
			for i := range 4 {
				large.Go(func() {
					for beside && !done.Load() {
						var page store.Batch
						for j := range 32 {
							page.Put(fmt.Appendf(nil, "page%d-%d", i, j), make([]byte, 10<<10))
						}
						if err := s.Send(&page)(); err != nil {
							b.Error(err)
							return
						}
					}
				})
			}
			before, start := s.Status().Bytes, time.Now()
			commit(b, s, 8)
			b.ReportMetric(float64(s.Status().Bytes-before)/1e6/time.Since(start).Seconds(), "MB/s")
			done.Store(true)
			large.Wait()
		})
	}
}
