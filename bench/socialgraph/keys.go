// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package socialgraph

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime/debug"
	"time"

	"github.com/uproar-db/uproar/bench/command"
	"github.com/uproar-db/uproar/cmd/uproar/procfs"
)

// KeysReport is what RunKeys measured. Times are in seconds.
type KeysReport struct {
	Accounts int `json:"accounts"`
	// from the first byte of the text until all is durable and the database closed; 0: it was there
	Load     float64 `json:"load"`
	LoadWork float64 `json:"loadProcessor"` // of the processors, with making the text; 0 where the system does not tell
	LoadMost int64   `json:"loadMost"`      // anonymous memory meanwhile, at most; -1 where the system does not tell
	Disk     int64   `json:"disk"`          // bytes of the store
	Keys     int64   `json:"keys"`          // bytes of keys, in both directions
	Open     float64 `json:"open"`

	Lookups int     `json:"lookups"` // of keys, and as many of IDs: all came back to where they began
	IDs     float64 `json:"ids"`     // a second, of a key's ID
	Texts   float64 `json:"texts"`   // a second, of an ID's key
	Asked   int64   `json:"askedMemory"`
}

// RunKeys loads accounts that follow one other each, and looks up some keys and IDs at random. So
// it measures what keys take, and little else. Of opts only the network's accounts and seed, Dir,
// Loaded, Memory, Queries and the functions count. The folder is left as it is, closed.
func RunKeys(ctx context.Context, opts Options) (r *KeysReport, err error) {
	opts.once = true
	opts.Network.Follows = int64(opts.Network.Accounts)
	if opts.Network.Accounts < 2 || opts.Queries < 1 || opts.Memory <= 0 {
		return nil, errors.New("got no lookups, fewer than two accounts, or no memory")
	}
	if opts.Open == nil {
		opts.Open = new(command.Engine).OpenStore
	}
	debug.SetMemoryLimit(opts.Memory)
	b := &bench{opts: opts, report: new(Report)}
	defer func() { err = errors.Join(err, b.close()) }()
	if err := b.load(ctx); err != nil {
		return nil, err
	}
	debug.FreeOSMemory() // what loading took is not to be counted
	start := time.Now()
	if err := b.open(ctx); err != nil {
		return nil, err
	}
	r = &KeysReport{Accounts: opts.Network.Accounts, Open: time.Since(start).Seconds(), Load: b.report.Load,
		LoadWork: b.report.LoadWork, LoadMost: b.report.LoadMost}
	if err := b.describe(); err != nil {
		return nil, err
	}
	r.Disk, r.Keys = b.report.Disk, b.report.Keys
	err = b.lookUp(ctx, r)
	r.Asked = procfs.Anonymous()
	return r, err
}

// lookUp looks keys and IDs up.
func (b *bench) lookUp(ctx context.Context, r *KeysReport) error {
	n := &b.opts.Network
	rng := random(n.Seed ^ 0x1d5)
	accounts, ids := make([]uint32, b.opts.Queries), make([]uint64, b.opts.Queries)
	for i := range accounts {
		accounts[i] = uint32(rng.below(n.Accounts))
	}
	s := b.graph.Index().Snapshot()
	defer s.Close()
	b.opts.Phase("looking keys up")
	start := time.Now()
	var err error
	for i, account := range accounts {
		if ids[i], err = s.ID(n.Key(account)); err != nil {
			return fmt.Errorf("account %d: %w", account, err)
		}
		if err := b.told(ctx, i); err != nil {
			return err
		}
	}
	r.IDs = float64(len(ids)) / time.Since(start).Seconds()
	b.opts.Phase("looking IDs up")
	start = time.Now()
	for i, id := range ids {
		key, err := s.Key(id)
		if err != nil {
			return err
		}
		if account, ok := n.Account(key); !ok || account != accounts[i] {
			return fmt.Errorf("ID %d: got key %s, want %s", id, key, n.Key(accounts[i]))
		}
		if err := b.told(ctx, i); err != nil {
			return err
		}
	}
	r.Lookups, r.Texts = len(ids), float64(len(ids))/time.Since(start).Seconds()
	return nil
}

// told tells the progress now and then, and looks at the context.
func (b *bench) told(ctx context.Context, i int) error {
	if i%1024 == 0 {
		b.opts.Progress(int64(i), int64(b.opts.Queries))
	}
	return ctx.Err()
}

// Once yields one follow of each account, accounts in no order, and whom they follow by popularity.
func (n *Network) Once() iter.Seq2[uint32, uint32] {
	return func(yield func(account, target uint32) bool) {
		order, popular := newPermutation(n.Accounts, n.Seed^0x07de), newSpread(n.Accounts, flatPopularity)
		rng := random(n.Seed ^ 0x0bd3)
		for i := range n.Accounts {
			account := uint32(order.at(i))
			target := popular.rank(rng.unit())
			if target == account {
				target = (target + 1) % uint32(n.Accounts)
			}
			if !yield(account, target) {
				return
			}
		}
	}
}
