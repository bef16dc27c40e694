// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/cmd/uproar/database"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
	"github.com/uproar-db/uproar/store"
)

// moveCommand copies a database to another folder, on the engine that is wanted there.
type moveCommand struct {
	Dir  string `required:"" placeholder:"DIR" help:"Folder of the database."`
	From string `placeholder:"URL" help:"Address of the server that has --dir open: it goes on serving until you stop it."`
	To   string `required:"" placeholder:"DIR" help:"Folder for the database there, empty or missing."`
	database.EngineFlag
	database.RemoteFlags
	terminal.JSONFlag
}

// Help returns what the help of the command says beside its flags.
func (*moveCommand) Help() string {
	return `Copies a database to a new folder, on the engine that --store names. Every checksum is verified, and nothing is there
until all is there. The old folder does not change; remove it when you are content. With --from the server goes on
serving and taking writes: the command copies, catches up, says so, and waits. Stop the server then. The command takes
the last writes from its folder, and the next server begins with the new one.

Example: uproar move --dir network --to network2 --store bbolt
         uproar move --dir network --from http://127.0.0.1:7070 --to network2 --store bbolt`
}

// Validate is called when the command line is parsed.
func (c *moveCommand) Validate() error {
	if c.From == "" && c.RemoteFlags != (database.RemoteFlags{}) {
		return errors.New("--token-file and --ca are about --from: a folder has neither")
	}
	return nil
}

// Run copies the database.
func (c *moveCommand) Run(ctx context.Context, con *terminal.Console) (err error) {
	if err := database.CheckTarget(c.Dir, c.To, c.Store); err != nil {
		return err
	}
	start, m := time.Now(), &move{moveCommand: c, con: con}
	steps := []func(context.Context, io.Writer) error{m.takeRest}
	if c.From != "" {
		steps = []func(context.Context, io.Writer) error{m.fetch, m.fetch, m.takeRest}
	}
	target := restoreCommand{Dir: c.To, EngineFlag: c.EngineFlag}
	db, err := target.make(func(engine store.Store) (*uproar.DB, error) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		var sources []io.Reader
		for _, step := range steps {
			sources = append(sources, lazily(ctx, step))
		}
		if _, err := uproar.Restore(ctx, engine, sources...); err != nil {
			return nil, err
		}
		return uproar.Open(ctx, engine, nil)
	})
	if err != nil {
		return err
	}
	defer database.Closing(db, &err)
	return tellMade(con, c.JSON, db, start, made{Dir: c.To, From: c.Dir}, "moved %s to %s", c.Dir, c.To)
}

// move is a move under way: backups of a database, each of which goes on from the one before.
type move struct {
	*moveCommand
	con  *terminal.Console
	last *uproar.BackupInfo // nil: none yet
}

// fetch takes what is newer than the last backup from the server.
func (m *move) fetch(ctx context.Context, out io.Writer) (err error) {
	p := m.con.Progress("copy", 0)
	defer p.Finish()
	m.last, err = database.FetchBackup(ctx, m.From, &m.RemoteFlags, out, m.last, func(done, total int64) {
		p.Update(done, total, terminal.Bytes(done))
	})
	return err
}

// folderPause is how long a move waits between two looks whether a server has let its folder go.
const folderPause = 200 * time.Millisecond

// takeRest takes what is newer than the last backup from the folder, once no server has it open.
func (m *move) takeRest(ctx context.Context, out io.Writer) (err error) {
	var db *uproar.DB
	for told := false; ; told = true {
		db, err = database.Open(ctx, m.Dir, database.Detect, false, &uproar.Options{ReadOnly: true})
		if m.From == "" || !errors.Is(err, store.ErrLocked) {
			break
		}
		if !told {
			fmt.Fprintf(m.con.Err, "%s has what was written until now: stop the server at %s\n", m.To, m.From)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(folderPause):
		}
	}
	if locked := (*terminal.AdviceError)(nil); errors.Is(err, store.ErrLocked) && errors.As(err, &locked) {
		locked.Try = "--from http://" + database.DefaultAddr + ", if that process is a server; or stop it"
	}
	if err != nil {
		return err
	}
	defer database.Closing(db, &err)
	p := m.con.Progress("copy", 0)
	defer p.Finish()
	_, err = db.Backup(ctx, out, &uproar.BackupOptions{Since: m.last, Progress: func(done, total int64) {
		p.Update(done, total, terminal.Bytes(done))
	}})
	return err
}

// lazily returns a reader of what write writes. It begins with the first Read, and ends with ctx.
func lazily(ctx context.Context, write func(context.Context, io.Writer) error) io.Reader {
	var from *io.PipeReader
	return readerFunc(func(b []byte) (int, error) {
		if from == nil {
			var to *io.PipeWriter
			from, to = io.Pipe()
			context.AfterFunc(ctx, func() { _ = from.CloseWithError(ctx.Err()) })
			go func() { to.CloseWithError(write(ctx, to)) }()
		}
		return from.Read(b)
	})
}
