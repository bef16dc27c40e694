// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
)

// queue is commits that come to a committer, in a time that only exists here.
type queue struct {
	company commitDelay
	sync    time.Duration   // how long one takes
	bytes   int             // of a commit
	come    []time.Duration // when commits are made, as far as it is known; ascending
	// how long after its answer a writer makes the next commit; below 0: writers wait for nothing
	again time.Duration
	work  time.Duration // what writers write comes one so long after the other, whoever is free writes it
	due   time.Duration // when the next comes

	now              time.Duration
	commits, syncs   int
	latency, longest time.Duration
}

// run plays until a time.
func (q *queue) run(end time.Duration) {
	epoch := time.Unix(1000, 0)
	for q.now < end && len(q.come) > 0 {
		q.now = max(q.now, q.come[0])
		waited := false
		n := q.waiting()
		for pause := q.company.wait(epoch.Add(q.now), n); pause > 0; pause = q.company.wait(epoch.Add(q.now), n) {
			waited = true
			q.now += pause
			n = q.waiting()
		}
		q.company.take(epoch.Add(q.now), n)
		group := slices.Clone(q.come[:n])
		q.come = q.come[n:]
		q.now += q.sync
		q.company.done(epoch.Add(q.now), n, n*q.bytes, waited, q.waiting() > 0)
		q.commits, q.syncs = q.commits+n, q.syncs+1
		for _, came := range group {
			q.latency += q.now - came
			q.longest = max(q.longest, q.now-came)
			if q.again >= 0 {
				q.come = append(q.come, max(q.due, q.now+q.again))
				q.due += q.work
			}
		}
		if q.again >= 0 {
			slices.SortFunc(q.come, func(a, b time.Duration) int { return cmp.Compare(a, b) })
		}
	}
}

// waiting returns how many commits wait by now.
func (q *queue) waiting() int {
	n, _ := slices.BinarySearch(q.come, q.now+1)
	return n
}

// randomly returns the times of commits that come independently of each other, so many a second.
func randomly(rate float64, end time.Duration) (come []time.Duration) {
	random := rand.New(rand.NewPCG(1, 2))
	for now := time.Duration(0); now < end; {
		now += time.Duration(random.ExpFloat64() / rate * float64(time.Second))
		come = append(come, now)
	}
	return come
}

// TestCompanyIndependent: commits that come independently of each other share syncs, at each rate
// at which there is somebody to share with, and none waits longer than the delay beside the syncs.
func TestCompanyIndependent(t *testing.T) {
	const length = 20 * time.Second
	for _, test := range []struct {
		rate, least, most float64 // commits a second; commits a sync
	}{{10, 1, 1.05}, {50, 1, 1.1}, {200, 1.8, 4}, {1000, 6, 15}, {5000, 20, 60}, {20_000, 20, 60}} {
		q := queue{company: newCommitDelay(0), sync: 300 * time.Microsecond, bytes: 60,
			come:  randomly(test.rate, length),
			again: -1}
		q.run(length)
		each := float64(q.commits) / float64(q.syncs)
		t.Logf("%.0f a second: %.2f a sync, latency %v, at most %v", test.rate, each,
			q.latency/time.Duration(q.commits), q.longest)
		if each < test.least || each > test.most {
			t.Errorf("%.0f a second: got %.2f commits a sync, want %.2f to %.2f", test.rate, each, test.least,
				test.most)
		}
		if most := DefaultCommitDelay + 3*q.sync; q.longest > most {
			t.Errorf("%.0f a second: got a commit that took %v, want at most %v", test.rate, q.longest, most)
		}
	}
}

// TestCompanyEven: commits that come one so long after the other as if by a clock, none while
// another is written, share syncs as well.
func TestCompanyEven(t *testing.T) {
	const length = 20 * time.Second
	for _, test := range []struct{ rate, least float64 }{{50, 1}, {200, 1.8}, {1000, 6}} {
		q := queue{company: newCommitDelay(0), sync: 300 * time.Microsecond, bytes: 60, again: -1}
		for at := time.Duration(0); at < length; at += time.Duration(float64(time.Second) / test.rate) {
			q.come = append(q.come, at)
		}
		q.run(length)
		each := float64(q.commits) / float64(q.syncs)
		t.Logf("%.0f a second: %.2f a sync, latency %v, at most %v", test.rate, each,
			q.latency/time.Duration(q.commits), q.longest)
		if each < test.least {
			t.Errorf("%.0f a second: got %.2f commits a sync, want %.2f", test.rate, each, test.least)
		}
		if most := DefaultCommitDelay + 3*q.sync; q.longest > most {
			t.Errorf("%.0f a second: got a commit that took %v, want at most %v", test.rate, q.longest, most)
		}
	}
}

// TestCompanyOfWaiters: writers that each wait for their commit before they make the next one go on
// nearly as fast as without waiting, and the only one there is waits for a hundredth of the time at
// most.
func TestCompanyOfWaiters(t *testing.T) {
	const length = 4 * time.Second
	for _, again := range []time.Duration{0, 100 * time.Microsecond, time.Millisecond} {
		for _, writers := range []int{1, 2, 3, 4, 8, 16, 64} {
			commits := func(c commitDelay) int {
				q := queue{company: c, sync: 300 * time.Microsecond, bytes: 60, come: make([]time.Duration, writers),
					again: again}
				for i := range q.come {
					q.come[i] = time.Duration(i) * 10 * time.Microsecond
				}
				q.run(length)
				return q.commits
			}
			with, without := commits(newCommitDelay(0)), commits(newCommitDelay(-1))
			t.Logf("%d writers, after %v: %d commits, %d without delay", writers, again, with, without)
			least := without * 9 / 10
			if writers == 1 {
				least = without * 99 / 100
			}
			if with < least {
				t.Errorf("%d writers, after %v: got %d commits, want at least %d: without delay there were %d", writers,
					again, with, least, without)
			}
		}
	}
}

// TestCompanyOfPacedWriters: writers that each wait for their commit, and together have so much to
// write as comes at some rate, share syncs without falling behind.
func TestCompanyOfPacedWriters(t *testing.T) {
	const length, writers = 10 * time.Second, 64
	for _, test := range []struct{ rate, least float64 }{{5000, 20}, {20_000, 20}, {60_000, 20}} {
		q := queue{company: newCommitDelay(0), sync: 300 * time.Microsecond, bytes: 16,
			work: time.Duration(float64(time.Second) / test.rate)}
		random := rand.New(rand.NewPCG(1, 2))
		for range writers {
			q.come = append(q.come, time.Duration(random.Int64N(int64(writers*q.work))))
		}
		slices.Sort(q.come)
		q.due = writers * q.work
		q.run(length)
		each, rate := float64(q.commits)/float64(q.syncs), float64(q.commits)/length.Seconds()
		t.Logf("%.0f a second: %.0f, %.2f a sync, latency %v", test.rate, rate, each,
			q.latency/time.Duration(q.commits))
		if each < test.least || rate < 0.95*test.rate {
			t.Errorf("%.0f a second: got %.0f, and %.2f commits a sync, want at least %.0f and %.2f", test.rate, rate,
				each, 0.95*test.rate, test.least)
		}
	}
}

// TestCompanyChanges: a rate that falls to a tenth and rises again does not leave commits waiting
// for those who do not come, nor end the sharing for good.
func TestCompanyChanges(t *testing.T) {
	const part = 10 * time.Second
	q := queue{company: newCommitDelay(0), sync: 300 * time.Microsecond, bytes: 60, again: -1}
	for i, rate := range []float64{2000, 200, 2000} {
		begun, commits, syncs := time.Duration(i)*part, q.commits, q.syncs
		for _, at := range randomly(rate, part) {
			q.come = append(q.come, begun+at)
		}
		q.run(begun + part)
		each := float64(q.commits-commits) / float64(q.syncs-syncs)
		if least := max(1.8, 0.6*rate*DefaultCommitDelay.Seconds()); each < least {
			t.Errorf("part %d, %.0f a second: got %.2f commits a sync, want at least %.2f", i, rate, each, least)
		}
	}
}

// countedStore counts the batches that are synced.
type countedStore struct {
	store.Store
	synced atomic.Int64
}

func (s *countedStore) Apply(b *store.Batch, sync bool) error {
	err := s.Store.Apply(b, sync)
	if sync {
		s.synced.Add(1)
	}
	return err
}

// TestCommitDelay: commits that come one by one wait for each other and share a sync, without which
// none is acknowledged.
func TestCommitDelay(t *testing.T) {
	const few, many = 7, 300 // of which the latter fill a page however small they are
	s := &countedStore{Store: memstore.New()}
	config := testConfig(t, 16<<20)
	config.CommitDelay = time.Hour
	ix := open(t, s, config)
	defer ix.Close()
	// As if it had been measured: so few that waiting is not in vain for longer than the delay.
	ix.delay.rate, ix.delay.taken = trial/2/config.CommitDelay.Seconds(), time.Now()
	begun := s.synced.Load()
	commits := func() int64 { return s.synced.Load() - begun }
	if _, err := ix.Commit(t.Context(), numbered(0)); err != nil || commits() != 1 {
		t.Fatalf("the first: got %v, %d syncs, want one at once: nobody was before it", err, commits())
	}
	done := make(chan error, many)
	commit := func(ctx context.Context, n int) {
		_, err := ix.Commit(ctx, numbered(n))
		done <- err
	}
	for n := range few {
		go commit(t.Context(), 1+n)
	}
	select {
	case err := <-done:
		t.Fatalf("got %v for one of %d commits, want them to wait for company", err, few)
	case <-time.After(50 * time.Millisecond):
	}
	snap := ix.Snapshot()
	if commits() != 1 || snap.Sequence() != 1 {
		t.Errorf("got %d syncs while they wait, want no more than the first", commits())
	}
	snap.Close()
	ctx, cancel := context.WithCancel(t.Context())
	go commit(ctx, many+1)
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("one that was given up while it waited: got error %v, want context.Canceled", err)
	}
	for n := range many - few {
		go commit(t.Context(), 1+few+n)
	}
	if err := <-done; err != nil {
		t.Errorf("one of %d commits: got error %v, want company for it", many, err)
	}
	if err := ix.Close(); err != nil { // which ends the waiting of those who are left over
		t.Fatal(err)
	}
	written := int64(1)
	for range many - 1 {
		if err := <-done; err == nil {
			written++
		} else if !errors.Is(err, model.ErrClosed) {
			t.Errorf("one that waits at Close: got error %v, want ErrClosed", err)
		}
	}
	if got := commits() - 1; got < 1 || got > written/few {
		t.Errorf("got %d syncs for %d commits, want one for more than %d of them", got, written, few)
	}
}

// TestCommitDelayAlone: a program that makes one commit after the other never waits, and neither
// does one whose commits are not synced.
func TestCommitDelayAlone(t *testing.T) {
	for name, change := range map[string]func(*Config){"one writer": func(*Config) {}, "SyncEvery": func(c *Config) {
		c.SyncEvery = time.Minute
	}, "NoSync": func(c *Config) { c.NoSync = true }} {
		t.Run(name, func(t *testing.T) {
			config := testConfig(t, 16<<20)
			config.CommitDelay = time.Hour
			change(&config)
			ix := open(t, memstore.New(), config)
			defer ix.Close()
			for n := range 4 * leastSpell {
				if _, err := ix.Commit(t.Context(), numbered(n)); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}
