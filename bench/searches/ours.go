// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package searches

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/catalog"
	"github.com/uproar-db/uproar/bench/command"
	"github.com/uproar-db/uproar/cmd/uproar/pricelist"
	own "github.com/uproar-db/uproar/server"
)

// catalogName is that of the price list.
const catalogName = "prices"

// open opens the database in a folder.
func open(ctx context.Context, dir string, memory int64) (*uproar.DB, error) {
	return command.Open(ctx, dir, &uproar.Options{MemoryBytes: memory / 2})
}

// load makes the database with a price list, and says how many bytes its pages have: those of lists
// and keys, and those of the columns with the values of each price.
func load(dir string, list []pricelist.Price) (s sizes, err error) {
	ctx := context.Background()
	db, err := open(ctx, dir, 512<<20)
	if err != nil {
		return s, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	r, err := catalog.Replace(ctx, db, catalogName, pricelist.Schema(), catalog.ReplaceOptions{})
	if err != nil {
		return s, err
	}
	defer r.Abort()
	for i := range list {
		if err := r.Add(list[i].Record()); err != nil {
			return s, err
		}
	}
	if err := r.Commit(ctx); err != nil {
		return s, err
	}
	stats, err := db.Stats()
	for _, index := range stats.Indexes {
		for _, f := range index.Fields {
			switch f.Type {
			case "forward", "integer":
				s.Entities += int64(f.Bytes)
			default:
				s.Index += int64(f.Bytes)
			}
		}
	}
	return s, err
}

// serveUproar serves the price list as uproar serve --prices does, until it is stopped.
func (s *settings) serveUproar(stdout io.Writer) (err error) {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(s.memory)
	}
	db, err := open(ctx, s.dir, s.memory)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	serve, err := own.New(db, &own.Options{Paths: own.Paths{Prices: catalogName},
		Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return err
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Fprintln(stdout, ln.Addr())
	return serve.Serve(ctx, ln)
}
