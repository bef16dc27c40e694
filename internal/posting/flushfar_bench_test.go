// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/uproar-db/uproar/internal/posting/memory"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/store/pebblestore"
	"github.com/uproar-db/uproar/store/ship"
	"github.com/uproar-db/uproar/store/ship/shiptest"
)

// BenchmarkFlushFar flushes 60 MB of keys to a log that is 20 ms away, while eight clients commit:
// what it writes a second, and how long the commits take beside it and without it.
func BenchmarkFlushFar(b *testing.B) {
	local, err := pebblestore.Open(b.TempDir(), nil)
	if err != nil {
		b.Fatal(err)
	}
	e := shiptest.NewFaulty(new(shiptest.Memory), 1, shiptest.Faults{Latency: 20 * time.Millisecond})
	s, err := ship.Open(b.Context(), local, e, ship.Options{Role: ship.Writer, Unchecked: true})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	config := testConfig(b, 1<<30)
	if config.Memory, err = memory.New(1 << 30); err != nil {
		b.Fatal(err)
	}
	ix := open(b, s, config)
	defer ix.Close()
	var flushing, done atomic.Bool
	var mu sync.Mutex
	var beside, alone []time.Duration
	var work sync.WaitGroup
	for w := range 8 {
		work.Go(func() {
			for n := 0; !done.Load(); n++ {
				var batch Batch
				batch.Set(country, model.ID(uint64(w)), batch.Key(model.RecordSpace, fmt.Sprintf("beside%d-%d", w, n)))
				start, during := time.Now(), flushing.Load()
				if _, err := ix.Commit(b.Context(), &batch); err != nil {
					b.Error(err)
					return
				}
				took := time.Since(start)
				mu.Lock()
				switch {
				case during && flushing.Load():
					beside = append(beside, took)
				case !during && !flushing.Load():
					alone = append(alone, took)
				}
				mu.Unlock()
			}
		})
	}
	n, written, text, rng := 0, uint64(0), make([]byte, 200), rand.New(rand.NewPCG(1, 34))
	for b.Loop() {
		b.StopTimer()
		for range 150 {
			var batch Batch
			for range 2000 {
				for i := range text {
					text[i] = byte('!' + rng.IntN(90))
				}
				record := batch.Key(model.RecordSpace, string(text))
				batch.Set(country, model.ID(uint64(n%5000)), record)
				n++
			}
			if _, err := ix.Commit(b.Context(), &batch); err != nil {
				b.Fatal(err)
			}
		}
		mu.Lock()
		alone = nil
		mu.Unlock()
		time.Sleep(2 * time.Second)
		before := s.Status().Bytes
		b.StartTimer()
		flushing.Store(true)
		if err := ix.Flush(b.Context()); err != nil {
			b.Fatal(err)
		}
		flushing.Store(false)
		written += s.Status().Bytes - before
	}
	done.Store(true)
	work.Wait()
	b.ReportMetric(float64(written)/1e6/b.Elapsed().Seconds(), "MB/s")
	for name, took := range map[string][]time.Duration{"beside": beside, "alone": alone} {
		slices.Sort(took)
		if len(took) > 0 {
			b.ReportMetric(float64(took[len(took)/2].Milliseconds()), name+"-p50-ms")
			b.ReportMetric(float64(took[len(took)*99/100].Milliseconds()), name+"-p99-ms")
		}
	}
}
