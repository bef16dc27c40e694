// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package standing

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/store/pebblestore"
)

// writers is an index on a disk that is written to, with some standing queries.
type writers struct {
	db    *uproar.DB
	ix    *uproar.Index
	rng   *rand.Rand
	stop  func()
	asked int
}

const (
	writtenPeople = 100_000
	writtenBatch  = 100 // records of a batch
)

func newWriters(b *testing.B, queries int) *writers {
	b.Helper()
	s, err := pebblestore.Open(b.TempDir(), nil)
	must(b, err)
	db, err := uproar.Open(b.Context(), s, nil)
	must(b, err)
	w := &writers{db: db, rng: rand.New(rand.NewPCG(1, 2)), asked: queries}
	w.ix, err = db.CreateIndex(b.Context(), "people", peopleFields...)
	must(b, err)
	for i := 0; i < writtenPeople; i += 1000 {
		var batch uproar.Batch
		for p := range 1000 {
			w.person(&batch, i+p)
		}
		_, err = w.ix.Write(b.Context(), &batch)
		must(b, err)
	}
	must(b, w.ix.Flush(b.Context()))
	for i := range queries {
		text := fmt.Sprintf("country = c%d and age between %d and %d", i%200, i%50, i%50+20)
		switch i % 4 {
		case 1:
			text = fmt.Sprintf("tag = t%d and not country = c%d", i%300, i%200)
		case 2:
			text = fmt.Sprintf("age >= %d and tag in (t%d, t%d)", i%70, i%300, (i+7)%300)
		case 3:
			text = fmt.Sprintf("likes = p%d or tag = t%d", i, i%300)
		}
		must(b, Set(b.Context(), db, "people", fmt.Sprint("q", i), text))
	}
	ctx, cancel := context.WithCancel(b.Context())
	var keeper sync.WaitGroup
	keeper.Go(func() { Keep(ctx, db, slog.New(slog.DiscardHandler)) })
	w.stop = func() { cancel(); keeper.Wait(); must(b, db.Close()) }
	return w
}

// person writes what changes of a person.
func (w *writers) person(batch *uproar.Batch, i int) {
	key := fmt.Sprint("p", i)
	batch.Set("country", key, fmt.Sprint("c", w.rng.IntN(200)))
	batch.SetInt("age", key, int64(w.rng.IntN(90)))
	batch.Set("tag", key, fmt.Sprint("t", w.rng.IntN(300)))
}

// write writes some batches, and returns how long each took.
func (w *writers) write(b *testing.B, batches int) (took []time.Duration) {
	b.Helper()
	for range batches {
		var batch uproar.Batch
		for range writtenBatch {
			w.person(&batch, w.rng.IntN(writtenPeople))
		}
		began := time.Now()
		_, err := w.ix.Write(b.Context(), &batch)
		must(b, err)
		took = append(took, time.Since(began))
	}
	return took
}

// catchUp waits until the queries are those of the newest commit.
func (w *writers) catchUp(b *testing.B) {
	b.Helper()
	if w.asked == 0 {
		return
	}
	members, err := Members(b.Context(), w.db, "people")
	must(b, err)
	for until := time.Now().Add(5 * time.Minute); ; time.Sleep(10 * time.Millisecond) {
		s, m := w.ix.Snapshot(), members.Snapshot()
		got, _, err := asOf(m)
		want := s.Sequence()
		s.Close()
		m.Close()
		must(b, err)
		if got == want {
			return
		}
		if time.Now().After(until) {
			b.Fatalf("got results as of commit %d after five minutes, want %d", got, want)
		}
	}
}

// BenchmarkWritesBesideQueries writes batches of 100 people, each with three values, to an index
// without standing queries and to one with a thousand, in turns. It tells how many times as long
// they take with them: the ratio of the means, and of the medians.
func BenchmarkWritesBesideQueries(b *testing.B) {
	const turn = 100
	none, many := newWriters(b, 0), newWriters(b, 1000)
	defer none.stop()
	defer many.stop()
	many.catchUp(b)
	var without, with []time.Duration
	lag := time.Duration(0)
	for b.Loop() {
		without = append(without, none.write(b, turn)...)
		with = append(with, many.write(b, turn)...)
		began := time.Now()
		many.catchUp(b) // so that no keeper works while the other index is written to
		lag = max(lag, time.Since(began))
	}
	mean := func(of []time.Duration) (sum time.Duration) {
		for _, d := range of {
			sum += d
		}
		return sum / time.Duration(len(of))
	}
	median := func(of []time.Duration) time.Duration {
		slices.Sort(of)
		return of[len(of)/2]
	}
	b.ReportMetric(float64(mean(without).Microseconds()), "µs/write-without")
	b.ReportMetric(float64(mean(with).Microseconds()), "µs/write-with")
	b.ReportMetric(float64(mean(with))/float64(mean(without)), "ratio-of-means")
	b.ReportMetric(float64(median(with))/float64(median(without)), "ratio-of-medians")
	b.ReportMetric(float64(lag.Milliseconds()), "ms-most-behind")
}
