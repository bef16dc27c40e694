// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package benchwrite

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
)

// lists writes follows through the database.
type lists struct {
	opts   *Options
	engine *engine
	graph  graph
	first  int64  // number of the first event
	names  string // of all accounts, one after the other
	db     *uproar.DB
	index  *uproar.Index
}

const (
	indexName = "accounts"
	follows   = "follows"
	followers = "followers"

	eventBytes = 16 // what an event says: two numbers
	loadLook   = 1 << 14
)

// prepare loads the graph, unless an earlier run has.
func (l *lists) prepare(ctx context.Context) error {
	l.graph = graph{seed: l.opts.Seed, accounts: l.opts.Graph.Accounts}
	var names strings.Builder
	names.Grow(l.opts.Graph.Accounts * nameBytes)
	for i := range l.opts.Graph.Accounts {
		names.WriteString(l.graph.name(i))
	}
	l.names = names.String()
	if err := l.openDatabase(ctx); err != nil {
		return err
	}
	index, err := l.db.Index(indexName)
	if err == nil {
		l.index = index
		return l.resume(ctx)
	}
	index, err = l.db.CreateIndex(ctx, indexName, uproar.Field{Name: follows, Type: uproar.Relation,
		Inverse: followers})
	if err != nil {
		return err
	}
	l.index = index
	return l.load(ctx)
}

// resume goes on with the store of an earlier run: with events that it has not written.
func (l *lists) resume(ctx context.Context) error {
	snap := l.index.Snapshot()
	defer snap.Close()
	n, err := snap.Count(ctx, query.All{})
	if err != nil {
		return err
	}
	if n == 0 || n > uint64(l.opts.Graph.Accounts) {
		return fmt.Errorf("the folder holds %d accounts, want a graph of at most %d that was loaded to its end", n,
			l.opts.Graph.Accounts)
	}
	l.first = int64(snap.Sequence()) * int64(l.opts.Batch)
	return nil
}

// load loads the graph.
func (l *lists) load(ctx context.Context) error {
	load, err := l.index.Load(ctx, &uproar.LoadOptions{Progress: func(done, total int64) {
		l.opts.Progress(Progress{Done: done, Total: total})
	}})
	if err != nil {
		return err
	}
	defer load.Abort()
	for i := range int64(l.opts.Graph.Follows) {
		if i%loadLook == 0 {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			l.opts.Progress(Progress{Done: i, Total: int64(l.opts.Graph.Follows)})
		}
		if err := l.loadFollow(load, i); err != nil {
			return err
		}
	}
	return load.Commit()
}

// name returns the key of an account. Names are cut from one string: a slice of strings would be
// another 16 bytes to be fetched from memory for each.
func (l *lists) name(account int) string {
	return l.names[account*nameBytes:][:nameBytes]
}

func (l *lists) loadFollow(load *uproar.Loader, i int64) error {
	account, target := l.graph.follow(i)
	return load.Set(follows, l.name(account), l.name(target))
}

func (l *lists) found() int64 { return l.first }

// batchBytes returns the size of a log entry, about.
func (l *lists) batchBytes() int { return 32 + l.opts.Batch*8 }

// unfollowEvery is which of the events takes a follow back.
const unfollowEvery = 10

func (l *lists) writer(int) func(context.Context, int64, int) (int, error) {
	var b uproar.Batch
	return func(ctx context.Context, from int64, n int) (int, error) {
		b.Reset()
		for i := range int64(n) {
			number := l.first + from + i
			if number%unfollowEvery == unfollowEvery-1 && l.opts.Graph.Follows > 0 {
				account, target := l.graph.follow(int64(mix(uint64(number)) % uint64(l.opts.Graph.Follows)))
				b.Clear(follows, l.name(account), l.name(target))
				continue
			}
			account, target := l.graph.follow(int64(l.opts.Graph.Follows) + number)
			b.Set(follows, l.name(account), l.name(target))
		}
		_, err := l.index.Write(ctx, &b)
		return n * eventBytes, err
	}
}

func (l *lists) end() error { return nil }

// reader asks whom an account follows who follows another.
func (l *lists) reader(number int) func(context.Context) error {
	next := int64(number) << 32
	return func(ctx context.Context) error {
		next++
		account, target := l.graph.follow(next)
		snap := l.index.Snapshot()
		defer snap.Close()
		// It allocates nothing, so that nothing of the collector's work falls to who reads.
		_, err := snap.CountAnd(ctx, query.Related{Field: follows, Key: l.name(account)},
			query.Related{Field: followers, Key: l.name(target)})
		if errors.Is(err, uproar.ErrUnknownRecord) {
			return nil // of many accounts and few follows some have none
		}
		return err
	}
}

// finish flushes: what an event costs in the pages is a part of its price.
func (l *lists) finish(ctx context.Context, r *Report) error {
	l.opts.Phase("flushing")
	if err := l.index.Flush(ctx); err != nil && ctx.Err() == nil {
		return err
	}
	stats, err := l.index.Stats()
	if err != nil {
		return err
	}
	r.Engine.Flushes = stats.Flushes
	for _, f := range stats.Fields {
		r.Disk.Live += int64(f.Bytes)
	}
	return nil
}

func (l *lists) close() error {
	if l.db == nil {
		return l.engine.Close()
	}
	return l.db.Close()
}

func (l *lists) open(ctx context.Context) error {
	if err := l.engine.open(); err != nil {
		return err
	}
	if err := l.openDatabase(ctx); err != nil {
		return fmt.Errorf("opening the database again: %w", err)
	}
	return nil
}

func (l *lists) openDatabase(ctx context.Context) (err error) {
	g := &l.opts.Graph
	l.db, err = uproar.Open(ctx, l.engine.Store, &uproar.Options{MemoryBytes: g.Memory, DeltaBytes: g.Delta,
		SyncEvery: g.Late, CommitDelay: g.Delay, CommitSiblings: g.Siblings})
	return err
}
