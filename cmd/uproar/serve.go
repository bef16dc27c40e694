// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/cmd/uproar/cluster"
	"github.com/uproar-db/uproar/cmd/uproar/database"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
	"github.com/uproar-db/uproar/server"
	"github.com/uproar-db/uproar/server/tracing"
	"github.com/uproar-db/uproar/store/memstore"
	"github.com/uproar-db/uproar/store/ship"
)

// serveCommand serves a database.
type serveCommand struct {
	Dir   string `placeholder:"DIR" help:"Folder of the database, made if need be."`
	Store string `enum:"detect,bbolt,pebble,memory" default:"detect" help:"Engine: bbolt, pebble, or detect: that of the folder, ${engine} for a new one; or memory, until the process ends (${default})."`
	database.ReadOnlyFlag
	Config         string            `placeholder:"FILE" help:"File of these flags, as TOML: lines such as addr = \"127.0.0.1:7070\". What stands there is overruled by the environment (UPROAR_ADDR), and that by the command line. Default: UPROAR_CONFIG."`
	Addr           string            `default:"${addr}" placeholder:"HOST:PORT" help:"Address to listen on; port 0 is a free one (${default})."`
	Secrets        secretFlags       `embed:""`
	Copy           cluster.CopyFlags `embed:""`
	RESP           respFlags         `embed:""`
	Callers        callerFlags       `embed:""`
	Limits         limitFlags        `embed:""`
	RemoteBackups  bool              `help:"Allow backups (/v1/backup) to all who reach the server, not only to programs on this machine."`
	Memory         terminal.ByteSize `default:"512MiB" placeholder:"SIZE" help:"Memory of the whole server: half for pages, writes and queries (${default})."`
	Delta          terminal.ByteSize `placeholder:"SIZE" help:"Memory of each index for writes that are not yet in pages. Default: a sixteenth of --memory."`
	Paths          pathFlags         `embed:""`
	CommitDelay    time.Duration     `default:"0s" placeholder:"TIME" help:"How long a write waits for others to share its sync: fewer bytes are written to the disk; 0s: none waits (${default})."`
	CommitSiblings int               `default:"5" placeholder:"N" help:"How many writes must come together for one to wait; 1: each waits (${default})."`
	Drain          time.Duration     `default:"15s" placeholder:"TIME" help:"Time for requests under way when the server stops (${default})."`
	TraceEndpoint  string            `placeholder:"URL" help:"Collector of OpenTelemetry that gets traces of requests, over OTLP and HTTP, such as http://127.0.0.1:4318. Default: that of OTEL_EXPORTER_OTLP_ENDPOINT; without either there are none."`
	LogFormat      string            `enum:"text,json" default:"text" help:"Form of the log: text or json (${default})."`
	LogLevel       slog.Level        `default:"info" placeholder:"LEVEL" help:"Least level that is logged: debug (with every request), info, warn or error (${default})."`
	LogRequests    int               `default:"0" placeholder:"N" help:"Log one of N requests, at level info; 1: all, 0: none (${default})."`
	LogSlow        time.Duration     `default:"0s" placeholder:"TIME" help:"Log requests that take at least so long, at level warn, with the question; 0s: none (${default})."`
	Pprof          bool              `help:"Serve profiles under /debug/pprof/: with --tokens to those who may write, otherwise to this machine."`
}

// Help returns what the help of the command says beside its flags.
func (*serveCommand) Help() string {
	return `Without tokens and TLS it listens only on addresses of its own machine, unless --insecure-listen is given. SIGTERM or
Ctrl-C ends it in good order: it takes no more requests, finishes those under way, and closes the database. A socket of
systemd takes the place of --addr.

Example: uproar serve --dir network --addr 127.0.0.1:7070
         uproar serve --dir network --addr 10.0.0.5:7070 --tokens tokens --tls-cert cert.pem --tls-key key.pem
         uproar serve --store memory
         UPROAR_ADDR=127.0.0.1:7171 uproar serve --config uproar.toml`
}

// Validate is called when the command line is parsed.
func (c *serveCommand) Validate() error {
	if c.Store != "memory" && c.Dir == "" {
		return errors.New("missing flags: --dir=DIR, or --store=memory for a database that ends with the process")
	}
	if c.Store == "memory" && c.Dir != "" {
		return errors.New("--store=memory and --dir=DIR do not go together: nothing would be written to DIR")
	}
	if c.Store == "memory" && c.ReadOnly {
		return errors.New("--store=memory and --read-only do not go together: there would be nothing to read")
	}
	if c.Memory < database.LeastMemory {
		return fmt.Errorf("--memory: got %s, want at least %s", c.Memory, database.LeastMemory)
	}
	if c.LogRequests < 0 {
		return fmt.Errorf("--log-requests: got %d, want 0 or more", c.LogRequests)
	}
	if c.Copy.Log != "" && (c.Dir == "" || c.ReadOnly) {
		return errors.New("--log wants --dir=DIR, and goes with neither --store=memory nor --read-only: see --role=reader")
	}
	return errors.Join(c.Secrets.check(), c.Limits.check(), c.RESP.check(), c.Paths.check(), c.Copy.Check(c.Addr))
}

// Run serves until ctx is done.
func (c *serveCommand) Run(ctx context.Context, from *settings, con *terminal.Console) (err error) {
	log := c.logger(con.Err)
	if len(from.unknown) > 0 {
		log.Warn("names in the environment are of no flag, and change nothing", "names", from.unknown)
	}
	exposed := c.Secrets.exposed()
	ln, err := listen(ctx, log, c.Addr, exposed, c.Secrets.InsecureListen)
	if err != nil {
		return unlessStopped(err)
	}
	defer ln.Close()
	if c.Secrets.InsecureListen && exposed != "" {
		log.Warn("whoever reaches this address may read and write everything", "addr", ln.Addr().String(), "server_has",
			exposed)
	}
	options, err := c.options(ctx, log)
	if err != nil {
		return err
	}
	untrace, err := c.trace(ctx, log)
	if err != nil {
		return err
	}
	defer untrace()
	start := time.Now()
	db, replica, err := c.open(ctx, log, ln.Addr())
	if err != nil {
		return unlessStopped(err)
	}
	if replica != nil {
		options.Replica, options.MaxAge, options.Forward = replica, c.Copy.MaxAge, c.Copy.Forward
	}
	defer func() {
		database.Closing(db, &err)
		log.Info("stopped", "ok", err == nil)
	}()
	s, err := server.New(db, options)
	if err != nil {
		return err
	}
	var stats uproar.IndexStats
	if index, err := db.Index(graph.IndexName); err == nil {
		if stats, err = index.Stats(); err != nil {
			return err
		}
	}
	engine := c.Store
	if engine == database.Detect {
		if engine, err = database.EngineOf(c.Dir, false); err != nil {
			return err
		}
	}
	log.Info("serving", "url", fmt.Sprintf("%s://%s", c.Secrets.scheme(), ln.Addr()), "version", uproar.Version,
		"commit", uproar.Revision(), "store", engine, "dir", c.Dir, "accounts", stats.Records,
		"sequence", stats.Sequence, "opened_in", time.Since(start))
	tellSystemd(log, daemon.SdNotifyReady)
	context.AfterFunc(ctx, func() {
		log.Info("stopping", "drain", c.Drain)
		tellSystemd(log, daemon.SdNotifyStopping)
	})
	return c.serveAll(ctx, s, ln, db, options)
}

// unlessStopped returns the error of a server that could not begin to serve. It returns none if the
// server was told to stop.
func unlessStopped(err error) error {
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// trace begins to send traces, if somebody wants them. end sends the last ones.
func (c *serveCommand) trace(ctx context.Context, log *slog.Logger) (end func(), err error) {
	if !tracing.Wanted(c.TraceEndpoint, os.Getenv) {
		return func() {}, nil
	}
	stop, err := tracing.Send(ctx, c.TraceEndpoint, log)
	if err != nil {
		return nil, err
	}
	return func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastTraces)
		defer cancel()
		if err := stop(ctx); err != nil {
			log.Warn("traces", "error", err)
		}
	}, nil
}

// lastTraces is how long the last traces may take to be sent when the server stops.
const lastTraces = 2 * time.Second

// options returns what the server is told.
func (c *serveCommand) options(ctx context.Context, log *slog.Logger) (*server.Options, error) {
	tokens, config, err := c.Secrets.load(ctx, log)
	if err != nil {
		return nil, err
	}
	o := &server.Options{
		DrainTimeout: c.Drain, RemoteBackups: c.RemoteBackups, Logger: log,
		Requests: server.RequestLog{Every: c.LogRequests, Slow: c.LogSlow}, Profiles: c.Pprof,
		Tokens: tokens, TLS: config, Hosts: c.Callers.Host, Origins: c.Callers.CORS,
	}
	c.Limits.scale(c.Memory)
	c.Limits.set(o)
	o.Paths = server.Paths(c.Paths)
	o.AnswerBytes, o.BodyBytes = int64(c.Memory/4), int64(c.Memory/32)
	return o, nil
}

// open opens the database. replica is its store, if it is one of several copies.
func (c *serveCommand) open(ctx context.Context, log *slog.Logger, addr net.Addr) (db *uproar.DB, replica *ship.Store,
	err error) {
	opts := &uproar.Options{ReadOnly: c.ReadOnly, MemoryBytes: database.Memory(c.Memory), DeltaBytes: int64(c.Delta),
		CommitDelay: c.CommitDelay, CommitSiblings: c.CommitSiblings, Logger: log}
	if c.Store == "memory" {
		opts.CommitDelay = 0 // there is no disk to be spared
		db, err = uproar.Open(ctx, memstore.New(), opts)
		return db, nil, err
	}
	if c.Copy.Log == "" {
		db, err = database.Open(ctx, c.Dir, c.Store, true, opts)
		return db, nil, err
	}
	local, err := database.OpenStore(c.Dir, c.Store, true, opts)
	if err != nil {
		return nil, nil, err
	}
	replica, err = c.Copy.Open(ctx, local, c.Secrets.scheme(), addr, log)
	if err != nil {
		return nil, nil, errors.Join(err, local.Close())
	}
	if db, err = uproar.Open(ctx, replica, opts); err != nil {
		return nil, nil, errors.Join(err, replica.Close())
	}
	return db, replica, nil
}

func (c *serveCommand) logger(w io.Writer) *slog.Logger {
	opts := &slog.HandlerOptions{Level: c.LogLevel, ReplaceAttr: withUnits}
	if c.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(w, opts))
	}
	return slog.New(slog.NewTextHandler(w, opts))
}

// withUnits gives times their unit in the log: opened_in=1.2s is written as opened_in_ms=1200.
func withUnits(_ []string, a slog.Attr) slog.Attr {
	if a.Value.Kind() == slog.KindDuration {
		return slog.Float64(a.Key+"_ms", float64(a.Value.Duration().Microseconds())/1000)
	}
	return a
}

// urlOf returns the address of a listener as a URL.
func urlOf(ln net.Listener) string { return fmt.Sprintf("http://%s", ln.Addr()) }
