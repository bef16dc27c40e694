// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package follow

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/apps/graph/live"
	"github.com/uproar-db/uproar/apps/graph/live/wire"
	"github.com/uproar-db/uproar/cmd/uproar/database"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
)

// Command follows a source until it is interrupted.
type Command struct {
	Source  string        `arg:"" placeholder:"SOURCE" help:"jetstream://HOST, jetstream2://HOST or tap://HOST:PORT; ?tls=yes and ?tls=no say whether it speaks TLS."`
	Dir     string        `placeholder:"DIR" help:"Folder of the database, made if need be; no other process may have it open."`
	URL     string        `name:"url" placeholder:"URL" help:"Address of a server, instead of --dir: it goes on serving. Default: UPROAR_URL."`
	Window  time.Duration `default:"10ms" placeholder:"TIME" help:"The longest that an event waits for others of its commit (${default})."`
	FromNow bool          `help:"Begin with what happens now, though the source no longer has all since the graph's position."`
	Metrics string        `placeholder:"HOST:PORT" help:"Serve metrics for Prometheus there, under /metrics."`
	JSON    bool          `name:"json" help:"Print figures as one JSON object at the end."`
	database.RemoteFlags
	database.EngineFlag
}

// Help returns what the help of the command says beside its flags.
func (*Command) Help() string {
	return `Writes follows, blocks and list items of a network by their record keys, and hides accounts that are taken down,
suspended or deactivated. It goes on where it was: the position is committed with the changes. The graph must keep
keys, which it does if this command makes it, or a first write with a key.

jetstream2 stays exact. jetstream, the first form, does not tell when all records of an account are void. tap repeats
what is not acknowledged; accounts of which it may have lost deletions it fetches anew. Have it send no others than
these, for memory: TAP_COLLECTION_FILTERS=app.bsky.graph.follow,app.bsky.graph.block,app.bsky.graph.listitem.

Example: uproar follow --url http://127.0.0.1:7070 jetstream2://jetstream.example.com
         uproar follow --dir network tap://127.0.0.1:2480`
}

// Validate is called when the command line is parsed.
func (c *Command) Validate() error {
	c.URL = database.Server(c.Dir, c.URL)
	switch {
	case c.Dir == "" && c.URL == "":
		return errors.New("missing flags: --dir=DIR, or --url=URL for the database of a running server")
	case c.Dir != "" && c.URL != "":
		return errors.New("--dir=DIR and --url=URL do not go together: one graph is written")
	case c.URL != "" && c.Store != database.Detect:
		return errors.New("--store is about --dir: the server has opened its database already")
	case c.Dir != "" && c.RemoteFlags != database.RemoteFlags{}:
		return errors.New("--token-file and --ca are about --url: a folder has neither")
	case c.Window < time.Millisecond || c.Window > time.Second:
		return fmt.Errorf("--window: got %v, want from 1ms to 1s", c.Window)
	}
	return nil
}

// Run follows the source.
func (c *Command) Run(ctx context.Context, con *terminal.Console) (err error) {
	source, err := wire.Open(c.Source)
	if err != nil {
		return &terminal.UsageError{Err: err}
	}
	sink, end, err := c.sink(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end()) }()
	f := live.New(sink, source, live.Options{Window: c.Window, FromNow: c.FromNow,
		Logger: slog.New(slog.NewTextHandler(con.Err, nil))})
	if c.Metrics != "" {
		listener, err := net.Listen("tcp", c.Metrics)
		if err != nil {
			return fmt.Errorf("--metrics: %w", err)
		}
		defer serveMetrics(listener, f)()
	}
	err = c.watch(ctx, con, f)
	if errors.Is(err, context.Canceled) && ctx.Err() != nil { // interrupted, as it is meant to be
		err = nil
	}
	if tellErr := c.tell(con, f.Figures()); err == nil {
		err = tellErr
	}
	return explained(err)
}

// sink opens what the changes are written to. end closes it.
func (c *Command) sink(ctx context.Context) (sink live.Sink, end func() error, err error) {
	if c.URL != "" {
		server, err := c.Connect("--url", c.URL)
		if err != nil {
			return nil, nil, err
		}
		return &remote{client: server}, func() error { server.Close(); return nil }, nil
	}
	db, err := database.Open(ctx, c.Dir, c.Store, true, &uproar.Options{})
	if err != nil {
		return nil, nil, err
	}
	g, err := graph.OpenWith(ctx, db, graph.Options{Keyed: live.Keyed})
	if err != nil {
		return nil, nil, errors.Join(explained(err), db.Close())
	}
	return live.Graph(g), db.Close, nil
}

// explained says what can be done about an error.
func explained(err error) error {
	try := ""
	switch {
	case errors.As(err, new(*live.GapError)):
		try = "a new graph, from tap, which sends all records; or --from-now: what was deleted meanwhile stays"
	case errors.As(err, new(*graph.UnkeyedError)):
		try = "a new folder, or a server with one: the graph there was made without keys"
	default:
		return err
	}
	return &terminal.AdviceError{Err: err, Try: try}
}

// watch follows, and shows how it goes.
func (c *Command) watch(ctx context.Context, con *terminal.Console, f *live.Follower) error {
	done := make(chan error, 1)
	go func() { done <- f.Run(ctx) }()
	progress := con.Progress("following", 0)
	defer progress.Finish()
	tick := time.NewTicker(terminal.LineEvery)
	defer tick.Stop()
	last, at := f.Figures(), time.Now()
	for {
		select {
		case err := <-done:
			return err
		case now := <-tick.C:
			all := f.Figures()
			rate := float64(all.Events-last.Events) / now.Sub(at).Seconds()
			progress.Update(all.Events, 0, fmt.Sprintf("%s, %s/s, %s behind", terminal.Plural(all.Events, "event"),
				terminal.Count(int64(rate)), terminal.Seconds(all.Lag)))
			last, at = all, now
		}
	}
}

// tell says what was done.
func (c *Command) tell(con *terminal.Console, all live.Figures) error {
	if c.JSON {
		return json.NewEncoder(con.Out).Encode(all)
	}
	_, err := fmt.Fprintf(con.Out, "followed %s: %s in %s\n", terminal.Plural(all.Events, "event"),
		terminal.Plural(all.Changes, "change"), terminal.Plural(all.Commits, "commit"))
	return err
}
