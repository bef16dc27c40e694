// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/uproar-db/uproar/internal/dump"
	"github.com/uproar-db/uproar/internal/posting"
	"github.com/uproar-db/uproar/internal/schema"
	"github.com/uproar-db/uproar/store"
)

// BackupOptions sets up a backup. nil and the zero value mean a full one.
type BackupOptions struct {
	// Since, if set, is an earlier backup of this database, as Backup or ReadBackup returned it:
	// only what is newer is written. To restore, that backup is needed as well, and those before
	// it.
	Since *BackupInfo

	// Progress, if set, is told how many bytes of how many pages are written. It runs in the
	// caller's goroutine.
	Progress func(done, total int64)
}

// BackupInfo says what a backup has.
type BackupInfo struct {
	ID      string // 32 hex digits, random
	Base    string // ID of the backup that this one goes on from; empty: it is a full one
	Time    time.Time
	Indexes []BackupIndex // sorted by number

	head *dump.Head
}

// BackupIndex says what a backup has of an index.
type BackupIndex struct {
	Name     string
	Sequence uint64 // of the last commit in this backup and its bases
	Pages    uint64 // in this backup
	Bytes    uint64 // of those
}

// Backup writes the database to w: each index as it is when Backup is called, at one sequence
// number. Reads and writes go on meanwhile. Until Backup returns, the pages that it is to write
// stay on the disk though they may have been replaced. Memory: a page, a block of some megabyte and
// the manifest, counted in Options.MemoryBytes. docs/format/backup.md describes what is written;
// Restore reads it, on any engine.
//
// A backup that ends with an error is cut short, and Restore refuses it.
//
// Errors: ErrBackupBase, ErrCorrupt, ErrClosed, ErrFailed, ctx's, w's, or the store's.
func (db *DB) Backup(ctx context.Context, w io.Writer, opts *BackupOptions) (*BackupInfo, error) {
	if opts == nil {
		opts = new(BackupOptions)
	}
	c, exports, err := db.export()
	defer func() {
		for _, e := range exports {
			e.Close()
		}
	}()
	if err != nil {
		return nil, err
	}
	head := dump.NewHead(time.Now().UTC(), db.origin, c)
	if err := opts.Since.goOn(head, exports); err != nil {
		return nil, err
	}
	id, held := dump.NewID(), db.memory.ForBackup()
	defer held.Set(0)
	if err := dump.Write(ctx, w, id, head, exports, held.Set, opts.Progress); err != nil {
		return nil, err
	}
	return infoOf(id, head), nil
}

// export holds the state of every index, in the order of the catalog. The exports are to be closed,
// after an error as well.
func (db *DB) export() (*schema.Catalog, []*posting.Export, error) {
	db.mu.Lock()
	defer db.mu.Unlock()
	if db.closed {
		return nil, nil, ErrClosed
	}
	var exports []*posting.Export
	c := db.catalog.Visible()
	for i := range c.Indexes {
		ix, err := db.Index(c.Indexes[i].Name)
		if err != nil {
			return nil, exports, err
		}
		e, err := ix.lists.Export()
		if err != nil {
			return nil, exports, fmt.Errorf("index %q: %w", ix.name, err)
		}
		exports = append(exports, e)
	}
	return c, exports, nil
}

// goOn fills in the indexes of head, which continues backup b. A nil b makes a full backup.
func (b *BackupInfo) goOn(head *dump.Head, exports []*posting.Export) error {
	if b == nil {
		return head.GoOn("", nil, exports)
	}
	if b.head == nil {
		return invalid("backup: got a base with ID %q that neither Backup nor ReadBackup returned", b.ID)
	}
	return baseError(head.GoOn(b.ID, b.head, exports))
}

// infoOf returns what is told of a backup.
func infoOf(id dump.ID, head *dump.Head) *BackupInfo {
	out := &BackupInfo{ID: id.String(), Base: head.Base, Time: head.Time, head: head}
	for i, ix := range head.Indexes {
		out.Indexes = append(out.Indexes, BackupIndex{Name: head.Catalog.Indexes[i].Name, Sequence: ix.To.Sequence,
			Pages: ix.Pages, Bytes: ix.Bytes})
	}
	return out
}

// CopyBackup copies a backup from r to w and verifies it on the way. It verifies every block up to
// the end, and that nothing follows. Use it for backups that come over a network. After an error,
// what w has got is not a backup. progress, if not nil, receives how many bytes of pages have come,
// and of how many. It holds one block in memory, about a megabyte.
//
// Errors: ErrNotBackup, ErrCorrupt (also for a backup that was cut short), ErrVersion, r's or w's.
func CopyBackup(w io.Writer, r io.Reader, progress func(done, total int64)) (*BackupInfo, error) {
	b, err := dump.Copy(w, r, progress)
	if err != nil {
		return nil, err
	}
	return infoOf(b.ID, b.Head), nil
}

// ReadBackup reads the head of a backup: what it has, and what Backup must know to go on from it.
// When r is an io.Seeker, ReadBackup also sees that the end is there, so that a backup which was
// cut short is found out; the bytes between are checked by Restore only. r is left anywhere.
//
// Errors: ErrNotBackup, ErrCorrupt, ErrVersion, or r's.
func ReadBackup(r io.Reader) (*BackupInfo, error) {
	b, err := dump.NewReader(r)
	if err != nil {
		return nil, err
	}
	info := infoOf(b.ID, b.Head)
	s, ok := r.(io.Seeker)
	if !ok {
		return info, nil
	}
	if err := b.SeekEnd(s); err != nil {
		return nil, err
	}
	return info, b.CheckEnd()
}

// WriteHead writes the head of the backup: all that another database needs to make the next
// increment. ReadBackup reads it, as it reads a whole backup, from a reader that is no io.Seeker.
// The head contains the secrets of the indexes. Errors: w's, or ErrInvalid when the info came from
// neither Backup nor ReadBackup.
func (b *BackupInfo) WriteHead(w io.Writer) error {
	if b.head == nil {
		return invalid("backup: got an info with ID %q that neither Backup nor ReadBackup returned", b.ID)
	}
	var id dump.ID
	if n, err := hex.Decode(id[:], []byte(b.ID[:min(len(b.ID), 2*len(id))])); err != nil || n < len(id) {
		return invalid("backup: got an ID %q, want %d hex digits", b.ID, 2*len(id))
	}
	_, err := dump.NewWriter(w, id, b.head)
	return err
}

// Restore puts a database into an empty store from a full backup and its increments, in order. The
// caller owns the store and opens it afterwards. It becomes a database with the last batch that
// Restore writes. After an error, or when the process ends before that batch, Open refuses the
// store with ErrRestoring, and Restore begins anew.
//
// Restore verifies every checksum. It checks that every page is one that its manifest names, and
// that none is missing. The log begins after what is in pages, so its followers begin anew. It
// holds the manifest of an index in memory, and a block of about a megabyte.
//
// It returns what is known of the last backup. Errors: ErrNotEmpty, ErrNotBackup, ErrBackupBase,
// ErrCorrupt, ErrVersion, ctx's, a reader's, or the store's.
func Restore(ctx context.Context, s store.Store, backups ...io.Reader) (*BackupInfo, error) {
	if len(backups) == 0 {
		return nil, invalid("restore: got no backup, want a full one first")
	}
	r, err := dump.NewRestorer(ctx, s)
	if err != nil {
		return nil, err
	}
	for i, backup := range backups {
		if err := r.Add(backup); err != nil {
			return nil, fmt.Errorf("backup %d of %d: %w", i+1, len(backups), baseError(err))
		}
	}
	last, err := r.End()
	if last == nil {
		return nil, err
	}
	return infoOf(last.ID, last.Head), err
}

// baseError returns an error of package dump as users see it.
func baseError(err error) error {
	if e, ok := errors.AsType[*dump.BaseError](err); ok {
		return &BaseError{Backup: e.Backup, Base: e.Base, Reason: e.Reason}
	}
	return err
}
