// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package likes imports likes at the command line. They go into a folder, or to a server, line by
// line.
package likes

import (
	"context"
	"errors"
	"fmt"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/apps/graph/likes"
	"github.com/uproar-db/uproar/cmd/uproar/database"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
	"github.com/uproar-db/uproar/internal/table"
)

// Import imports likes, which are committed as they come.
type Import struct {
	Dir   string   `placeholder:"DIR" help:"Folder of the database, made if need be."`
	URL   string   `name:"url" placeholder:"URL" help:"Address of a server, instead of --dir: it goes on serving. Default: UPROAR_URL."`
	Files []string `arg:"" name:"file" help:"Lines of account,key,subject, plain, gzip, zstd or bzip2; - is the standard input."`
	database.RemoteFlags
	database.EngineFlag
}

// Help returns what the help of the command says beside its flags.
func (*Import) Help() string {
	return `Likes are committed as they come. After a failure repeat the import: likes that exist stay.

Example: uproar import likes --dir network likes.csv.gz`
}

// Validate is called when the command line is parsed.
func (c *Import) Validate() error {
	c.URL = database.Server(c.Dir, c.URL)
	switch {
	case c.Dir == "" && c.URL == "":
		return errors.New("missing flags: --dir=DIR, or --url=URL for the database of a running server")
	case c.Dir != "" && c.URL != "":
		return errors.New("--dir=DIR and --url=URL do not go together: an import is into one database")
	case c.URL != "" && c.Store != database.Detect:
		return errors.New("--store is about --dir: the server has opened its database already")
	case c.Dir != "" && c.RemoteFlags != database.RemoteFlags{}:
		return errors.New("--token-file and --ca are about --url: a folder has neither")
	}
	return nil
}

// Run imports.
func (c *Import) Run(ctx context.Context, con *terminal.Console) (err error) {
	sources, err := terminal.OpenInputs(ctx, c.Files, con.In)
	if err != nil {
		return err
	}
	defer sources.Close()
	write, end, err := c.writer(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end()) }()
	all := int64(0)
	progress := con.Progress("importing", 0)
	defer progress.Finish()
	for _, s := range sources {
		text, err := table.Decompress(s.Reader)
		if err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
		n, err := likes.Load(text, write, func(n int64) { progress.Update(all+n, 0, terminal.Plural(all+n, "like")) })
		if all += n; err != nil {
			return fmt.Errorf("%s: %w; %s before it are there", s.Name, err, terminal.Plural(all, "like"))
		}
	}
	_, err = fmt.Fprintf(con.Out, "imported %s\n", terminal.Plural(all, "like"))
	return err
}

// writer returns what writes changes, and what ends that.
func (c *Import) writer(ctx context.Context) (write func([]likes.Change) error, end func() error, err error) {
	if c.URL != "" {
		server, err := c.Connect("--url", c.URL)
		if err != nil {
			return nil, nil, err
		}
		return func(list []likes.Change) error {
			changes := make([]api.LikeChange, len(list))
			for i, change := range list {
				changes[i] = api.LikeChange(change)
			}
			_, err := server.Graph().Likes().Write(ctx, api.LikesRequest{Changes: changes})
			return err
		}, func() error { server.Close(); return nil }, nil
	}
	db, err := database.Open(ctx, c.Dir, c.Store, true, &uproar.Options{})
	if err != nil {
		return nil, nil, err
	}
	l, err := open(ctx, db)
	if err != nil {
		return nil, nil, errors.Join(err, db.Close())
	}
	return func(list []likes.Change) error {
		_, err := l.Write(ctx, likes.Changes{List: list})
		return err
	}, db.Close, nil
}

// open opens the likes of a database. A graph that is made for them keeps keys.
func open(ctx context.Context, db *uproar.DB) (*likes.Likes, error) {
	opts := graph.Options{}
	if _, err := db.Index(graph.IndexName); errors.Is(err, uproar.ErrUnknownIndex) {
		opts.Keyed = []graph.Relation{graph.Follows, graph.Blocks, graph.Members}
	}
	g, err := graph.OpenWith(ctx, db, opts)
	if err != nil {
		return nil, err
	}
	return likes.Open(ctx, db, g)
}
