// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package beside

import (
	"context"
	"errors"
	"runtime"
	"strconv"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/store/memstore"
)

// database is the graph in the embedded database, over a store in memory: the peer keeps nothing on
// a disk either.
type database struct {
	db       *uproar.DB
	index    *uproar.Index
	names    []string // of the accounts
	composed bool     // questions are asked as queries that are made for each
}

func newUproar(accounts int, delta int64, composed bool) (*database, error) {
	ctx := context.Background()
	db, err := uproar.Open(ctx, memstore.New(), &uproar.Options{DeltaBytes: delta})
	if err != nil {
		return nil, err
	}
	index, err := db.CreateIndex(ctx, "accounts", uproar.Field{Name: "follows", Type: uproar.Relation,
		Inverse: "followers"})
	names := make([]string, accounts)
	for i := range names {
		names[i] = strconv.Itoa(i)
	}
	return &database{db, index, names, composed}, err
}

func (d *database) load(follows []follow) error {
	load, err := d.index.Load(context.Background(), nil)
	if err != nil {
		return err
	}
	defer load.Abort()
	for _, f := range follows {
		if err := load.Set("follows", d.names[f.account], d.names[f.target]); err != nil {
			return err
		}
	}
	return load.Commit()
}

func (d *database) write(events []follow) error {
	var b uproar.Batch
	for _, e := range events {
		b.Set("follows", d.names[e.account], d.names[e.target])
	}
	_, err := d.index.Write(context.Background(), &b)
	return err
}

func (d *database) common(account, target int) (uint64, error) {
	snap := d.index.Snapshot()
	defer snap.Close()
	ctx := context.Background()
	var n uint64
	var err error
	if d.composed {
		n, err = snap.Count(ctx, query.And{Of: []query.Expr{query.Related{Field: "follows", Key: strconv.Itoa(account)},
			query.Related{Field: "followers", Key: strconv.Itoa(target)}}})
	} else {
		n, err = snap.CountAnd(ctx, query.Related{Field: "follows", Key: d.names[account]},
			query.Related{Field: "followers", Key: d.names[target]})
	}
	// of many accounts and few follows some have none yet; the peer has them from the beginning
	if errors.Is(err, uproar.ErrUnknownRecord) {
		return 0, nil
	}
	return n, err
}

// finish flushes what was written, and has what loading left behind collected.
func (d *database) finish() error {
	runtime.GC()
	return d.index.Flush(context.Background())
}

func (d *database) close() error { return d.db.Close() }
