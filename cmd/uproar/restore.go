// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/cmd/uproar/database"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
	"github.com/uproar-db/uproar/store"
)

// restoreCommand makes a database of backups.
type restoreCommand struct {
	Dir string `required:"" placeholder:"DIR" help:"Folder for the database, empty or missing."`
	database.EngineFlag
	terminal.JSONFlag
	Files []string `arg:"" name:"file" help:"A full backup, then its increments in order; - is the standard input."`
}

// Help returns what the help of the command says beside its flags.
func (*restoreCommand) Help() string {
	return `The engine may be another. Every checksum is verified, and nothing is there until all is there: what an interrupted
restore leaves behind is no database, and the next restore into it begins anew.

Example: uproar restore --dir network monday.uproar tuesday.uproar`
}

// Run restores.
func (c *restoreCommand) Run(ctx context.Context, con *terminal.Console) (err error) {
	sources, err := terminal.OpenInputs(ctx, c.Files, con.In)
	if err != nil {
		return err
	}
	defer sources.Close()
	start := time.Now()
	db, err := c.make(func(engine store.Store) (*uproar.DB, error) { return restore(ctx, con, engine, sources) })
	if err != nil {
		return err
	}
	defer database.Closing(db, &err)
	return tellMade(con, c.JSON, db, start, made{Dir: c.Dir, Backups: len(c.Files)}, "restored %s from %s", c.Dir,
		terminal.Plural(len(c.Files), "backup"))
}

// made is what restore and move print as JSON. Its names are stable.
type made struct {
	Dir     string      `json:"dir"`
	From    string      `json:"from,omitempty"`
	Backups int         `json:"backups,omitempty"`
	Seconds float64     `json:"seconds"`
	Indexes []madeIndex `json:"indexes"`
}

type madeIndex struct {
	Index    string `json:"index"`
	Records  uint64 `json:"records"`
	Sequence uint64 `json:"sequence"`
}

// tellMade says that a database was made, and which indexes it has.
func tellMade(con *terminal.Console, asJSON bool, db *uproar.DB, start time.Time, m made, format string,
	args ...any) error {
	took := time.Since(start)
	text := fmt.Sprintf(format, args...) + " in " + terminal.Took(took) + "\n"
	stats, err := db.Stats()
	m.Seconds, m.Indexes = took.Seconds(), []madeIndex{}
	for _, ix := range stats.Indexes {
		m.Indexes = append(m.Indexes, madeIndex{ix.Name, ix.Records, ix.Sequence})
		text += fmt.Sprintf("index %s: %s, up to commit %d\n", ix.Name, terminal.Plural(ix.Records, "record"),
			ix.Sequence)
	}
	return errors.Join(err, terminal.Tell(con.Out, asJSON, m, "%s", text))
}

// make opens a store in the folder and has fill make a database of it. After an error the folder is
// as it was.
func (c *restoreCommand) make(fill func(store.Store) (*uproar.DB, error)) (*uproar.DB, error) {
	entries, err := os.ReadDir(c.Dir)
	missing := errors.Is(err, fs.ErrNotExist)
	if err != nil && !missing {
		return nil, err
	}
	engine, err := database.OpenStore(c.Dir, c.Store, true, new(uproar.Options))
	if err != nil {
		return nil, err
	}
	db, err := fill(engine)
	if err == nil {
		return db, nil
	}
	if closed := engine.Close(); !errors.Is(closed, store.ErrClosed) { // else by the database
		err = errors.Join(err, closed)
	}
	if len(entries) == 0 && !errors.Is(err, uproar.ErrNotEmpty) {
		err = errors.Join(err, c.remove(missing))
	}
	return nil, c.explain(err)
}

// restore restores, and opens the database.
func restore(ctx context.Context, con *terminal.Console, engine store.Store, sources terminal.Inputs) (*uproar.DB,
	error) {
	p := con.Progress("restore", sources.Size())
	read := int64(0)
	var readers []io.Reader
	for _, s := range sources {
		readers = append(readers, readerFunc(func(b []byte) (int, error) {
			n, err := s.Read(b)
			read += int64(n)
			p.Update(read, sources.Size(), s.Name)
			return n, err
		}))
	}
	_, err := uproar.Restore(ctx, engine, readers...)
	p.Finish()
	if err != nil {
		return nil, err
	}
	return uproar.Open(ctx, engine, nil)
}

// remove takes away what a failed restore has put into an empty folder. If the folder was missing,
// it removes the folder as well.
func (c *restoreCommand) remove(folder bool) error {
	if folder {
		return os.RemoveAll(c.Dir)
	}
	entries, err := os.ReadDir(c.Dir)
	for _, e := range entries {
		err = errors.Join(err, os.RemoveAll(filepath.Join(c.Dir, e.Name())))
	}
	return err
}

// explain says what to do.
func (c *restoreCommand) explain(err error) error {
	switch {
	case errors.Is(err, uproar.ErrNotEmpty):
		return &terminal.AdviceError{Err: err, Try: "a folder that does not exist yet, or an empty one"}
	case errors.Is(err, uproar.ErrBackupBase):
		return &terminal.AdviceError{Err: err,
			Try: "a full backup first, and then its increments in the order in which they were made"}
	}
	return err
}

// readerFunc is a function as an io.Reader.
type readerFunc func([]byte) (int, error)

// Read calls the function.
func (f readerFunc) Read(p []byte) (int, error) { return f(p) }
