// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"net"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/server"
	"github.com/uproar-db/uproar/server/resp"
)

// respFlags are the flags about clients of Redis.
type respFlags struct {
	Addr  string `name:"resp" placeholder:"HOST:PORT" help:"Also answer clients of Redis here: commands of sets, with the same tokens and TLS."`
	Index string `name:"resp-index" default:"redis" placeholder:"NAME" help:"Index of the sets of --resp, made if need be (${default})."`

	// Placeholders is for scripts/redis-suite.
	Placeholders bool `name:"resp-placeholders" hidden:"" help:"Have SET, LPUSH and ZADD make keys without a value."`
}

// respIdle is how long a client of Redis may send no command, unless CONFIG SET timeout says
// otherwise.
const respIdle = time.Hour

// check fails for an index without a name.
func (f *respFlags) check() error {
	if f.Addr != "" && f.Index == "" {
		return errors.New("--resp-index: got no name")
	}
	return nil
}

// serveAll serves HTTP, and with --resp the clients of Redis, until ctx is done or one of the two
// fails.
func (c *serveCommand) serveAll(ctx context.Context, s *server.Server, ln net.Listener, db *uproar.DB,
	o *server.Options) error {
	if c.RESP.Addr == "" {
		return s.Serve(ctx, ln)
	}
	sets, err := listen(ctx, o.Logger, c.RESP.Addr, c.Secrets.exposed(), c.Secrets.InsecureListen)
	if err != nil {
		return unlessStopped(err)
	}
	defer sets.Close()
	opts := resp.Options{Index: c.RESP.Index, Version: uproar.Version, Connections: o.MaxConnections, Drain: c.Drain,
		Timeout: o.Timeout, Idle: respIdle, Memory: int64(c.Memory) / 8, Query: o.MaxQueryBytes,
		TLS: o.TLS, Logger: o.Logger, Slow: c.LogSlow, Placeholders: c.RESP.Placeholders}
	if o.Tokens != nil {
		opts.Allow = func(token string) (string, resp.Access) {
			name, writes, ok := o.Tokens.Find(token)
			switch {
			case !ok:
				return "", resp.Nobody
			case writes:
				return name, resp.Writer
			}
			return name, resp.Reader
		}
	}
	both, stop := context.WithCancel(ctx)
	defer stop()
	r, err := resp.New(both, db, opts)
	if err != nil {
		return err
	}
	defer r.Close()
	s.AlsoReady = r.Ready
	o.Logger.Info("serving clients of Redis", "addr", sets.Addr().String(), "index", c.RESP.Index)
	failed := make(chan error, 1)
	go func() { defer stop(); failed <- r.Serve(both, sets) }()
	err = s.Serve(both, ln)
	stop()
	return errors.Join(err, <-failed)
}
