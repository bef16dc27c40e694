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
	"github.com/uproar-db/uproar/internal/descriptor"
	"github.com/uproar-db/uproar/store"
)

// backupCommand writes a database, or what is newer than an earlier backup, to a file.
type backupCommand struct {
	Dir   string `placeholder:"DIR" help:"Folder of the database; no other process may have it open."`
	From  string `placeholder:"URL" aliases:"url" help:"Address of a server, instead of --dir: it goes on serving. Also --url. Default: UPROAR_URL."`
	Since string `placeholder:"FILE" help:"Write only what is newer than this backup. Default: a full backup."`
	database.RemoteFlags
	database.EngineFlag
	database.ReadOnlyFlag
	terminal.JSONFlag
	File string `arg:"" help:"File to be made; - is the standard output."`
}

// Help returns what the help of the command says beside its flags.
func (*backupCommand) Help() string {
	return `Prints the ID of the backup. Every block is verified, and a backup that breaks off leaves no file. A file that exists
is an error. An increment, which --since makes, is restored after the backup that it names.

Example: uproar backup --dir network monday.uproar
         uproar backup --dir network --since monday.uproar tuesday.uproar
         uproar backup --from http://127.0.0.1:7070 wednesday.uproar`
}

// Validate is called when the command line is parsed.
func (c *backupCommand) Validate() error {
	c.From = database.Server(c.Dir, c.From)
	switch {
	case c.Dir == "" && c.From == "":
		return errors.New("missing flags: --dir=DIR, or --from=URL for the database of a running server")
	case c.Dir != "" && c.From != "":
		return errors.New("--dir=DIR and --from=URL do not go together: a backup is of one database")
	case c.From != "" && (c.ReadOnly || c.Store != database.Detect):
		return errors.New("--store and --read-only are about --dir: the server has opened its database already")
	case c.Dir != "" && c.RemoteFlags != database.RemoteFlags{}:
		return errors.New("--token-file and --ca are about --from: a folder has neither")
	}
	return nil
}

// Run makes the backup.
func (c *backupCommand) Run(ctx context.Context, con *terminal.Console) (err error) {
	var since *uproar.BackupInfo
	if c.Since != "" {
		if since, err = readBase(c.Since); err != nil {
			return err
		}
	}
	out, err := c.create(con)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.abandon()) }()
	start := time.Now()
	info, err := c.write(ctx, con, out, since)
	if errors.Is(err, uproar.ErrBackupBase) {
		return &terminal.AdviceError{Err: err, Try: "without --since, for a full backup"}
	}
	if err != nil {
		return err
	}
	if err := out.publish(); err != nil {
		return err
	}
	pages := uint64(0)
	for _, ix := range info.Indexes {
		pages += ix.Pages
	}
	kind := "full backup"
	if info.Base != "" {
		kind = "increment of backup " + info.Base
	}
	said := con.Out
	if c.File == "-" {
		said = con.Err
	}
	took := time.Since(start)
	return terminal.Tell(said, c.JSON, struct {
		File    string  `json:"file"`
		ID      string  `json:"backup"`
		Base    string  `json:"base,omitempty"` // the backup that it is an increment of
		Pages   uint64  `json:"pages"`
		Bytes   int64   `json:"bytes"`
		Seconds float64 `json:"seconds"`
	}{c.File, info.ID, info.Base, pages, out.written, took.Seconds()}, "%s: %s, %s, %s in %s\nbackup %s\n", c.File,
		kind, terminal.Plural(pages, "page"), terminal.Bytes(out.written), terminal.Took(took), info.ID)
}

// write writes the backup to out.
func (c *backupCommand) write(ctx context.Context, con *terminal.Console, out io.Writer,
	since *uproar.BackupInfo) (info *uproar.BackupInfo, err error) {
	if c.From != "" {
		p := con.Progress("backup", 0)
		defer p.Finish()
		return database.FetchBackup(ctx, c.From, &c.RemoteFlags, out, since, func(done, total int64) {
			p.Update(done, total, terminal.Bytes(done))
		})
	}
	db, err := c.OpenDir(ctx, c.Dir, c.Store, false)
	if locked := (*terminal.AdviceError)(nil); errors.Is(err, store.ErrLocked) && errors.As(err, &locked) {
		locked.Try = "uproar backup --from http://" + database.DefaultAddr + " " + c.File +
			", if that process is a server; or stop it"
	}
	if err != nil {
		return nil, err
	}
	defer database.Closing(db, &err)
	p := con.Progress("backup", 0)
	defer p.Finish()
	return db.Backup(ctx, out, &uproar.BackupOptions{Since: since, Progress: func(done, total int64) {
		p.Update(done, total, terminal.Bytes(done))
	}})
}

// readBase reads what is needed of the backup that an increment goes on from.
func readBase(name string) (*uproar.BackupInfo, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := uproar.ReadBackup(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return info, nil
}

// backupFile is a file that has its name only once it is whole and on the disk.
type backupFile struct {
	io.Writer
	file    *os.File // nil: it is the standard output, or done
	name    string
	written int64
}

// create begins the file. One that is there already is not touched.
func (c *backupCommand) create(con *terminal.Console) (*backupFile, error) {
	if c.File == "-" {
		if terminal.IsTerminal(con.Out) {
			return nil, terminal.Advise("uproar backup ... - > FILE",
				"a backup is no text, and the standard output is a terminal")
		}
		return &backupFile{Writer: con.Out}, nil
	}
	if _, err := os.Lstat(c.File); err == nil {
		return nil, terminal.Advise("another name", "%s exists already", c.File)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	f, err := os.CreateTemp(filepath.Dir(c.File), filepath.Base(c.File)+".*.part")
	if err != nil {
		return nil, err
	}
	return &backupFile{Writer: f, file: f, name: c.File}, nil
}

// Write writes to the file.
func (b *backupFile) Write(p []byte) (int, error) {
	n, err := b.Writer.Write(p)
	b.written += int64(n)
	return n, err
}

// publish gives the file its name.
func (b *backupFile) publish() error {
	if b.file == nil {
		return nil
	}
	err := b.file.Sync()
	if err = errors.Join(err, b.file.Close()); err == nil {
		err = os.Link(b.file.Name(), b.name) // which, unlike a rename, does not replace a file that has come meanwhile
		if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, fs.ErrPermission) {
			if err = os.Rename(b.file.Name(), b.name); err == nil {
				b.file = nil
				return descriptor.SyncFolder(filepath.Dir(b.name))
			}
		}
	}
	err = errors.Join(err, os.Remove(b.file.Name()))
	b.file = nil
	return errors.Join(err, descriptor.SyncFolder(filepath.Dir(b.name)))
}

// abandon removes a file that was not kept.
func (b *backupFile) abandon() error {
	if b.file == nil {
		return nil
	}
	return errors.Join(b.file.Close(), os.Remove(b.file.Name()))
}
