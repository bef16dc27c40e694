// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/uproar-db/uproar/internal/posting"
	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/memory"
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

	head *backupHead
}

// BackupIndex says what a backup has of an index.
type BackupIndex struct {
	Name     string
	Sequence uint64 // of the last commit that is in the backup and those that it goes on from
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
	head := &backupHead{Version: backupVersion, Time: time.Now().UTC(), Origin: db.origin, Catalog: c}
	if err := head.since(opts.Since, exports); err != nil {
		return nil, err
	}
	var id [backupIDLen]byte
	_, _ = rand.Read(id[:]) // never fails, as documented
	held := db.memory.ForBackup()
	defer held.Set(0)
	if err := writeBackup(ctx, w, id, head, exports, held, opts.Progress); err != nil {
		return nil, err
	}
	return head.info(id), nil
}

// export holds the state of every index, in the order of the catalog. The exports are to be closed,
// after an error as well.
func (db *DB) export() (*catalog, []*posting.Export, error) {
	db.mu.Lock()
	defer db.mu.Unlock()
	if db.closed {
		return nil, nil, ErrClosed
	}
	var exports []*posting.Export
	c := db.catalog.visible()
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

// since fills in the indexes, and checks that each has been where the base says that it was.
func (h *backupHead) since(base *BackupInfo, exports []*posting.Export) error {
	from := map[uint32]posting.Mark{}
	if base != nil {
		if base.head == nil {
			return invalid("backup: got a base with ID %q that neither Backup nor ReadBackup returned", base.ID)
		}
		if err := h.follows(base); err != nil {
			return err
		}
		h.Base = base.ID
		for _, ix := range base.head.Indexes {
			from[ix.ID] = ix.To.mark()
		}
	}
	for i, e := range exports {
		entry := &h.Catalog.Indexes[i]
		out := headIndex{ID: entry.ID, To: newHeadMark(e.Mark())}
		if since, ok := from[entry.ID]; ok {
			err := e.CheckSince(since)
			if errors.Is(err, posting.ErrOtherHistory) {
				return &BaseError{Base: base.ID, Reason: fmt.Sprintf("index %q: %v", entry.Name, err)}
			}
			if err != nil {
				return err
			}
			mark := newHeadMark(since)
			out.Since = &mark
		}
		out.Pages, out.Bytes = e.Pages(from[entry.ID].Generation)
		h.Indexes = append(h.Indexes, out)
	}
	return nil
}

// follows fails when a backup cannot go on from another because that is of another database.
func (h *backupHead) follows(base *BackupInfo) error {
	if h.Origin != base.head.Origin {
		return &BaseError{Base: base.ID,
			Reason: fmt.Sprintf("it is of database %q, want %q: this one was restored, or is another", base.head.Origin,
				h.Origin)}
	}
	for _, old := range base.head.Catalog.Indexes {
		if !slices.ContainsFunc(h.Catalog.Indexes, func(c catalogIndex) bool {
			return c.ID == old.ID && c.Secret == old.Secret
		}) {
			return &BaseError{Base: base.ID, Reason: fmt.Sprintf("it has an index %q that is not in this database",
				old.Name)}
		}
	}
	return nil
}

// info returns what is told of a backup.
func (h *backupHead) info(id [backupIDLen]byte) *BackupInfo {
	out := &BackupInfo{ID: hex.EncodeToString(id[:]), Base: h.Base, Time: h.Time, head: h}
	for i, ix := range h.Indexes {
		out.Indexes = append(out.Indexes, BackupIndex{Name: h.Catalog.Indexes[i].Name, Sequence: ix.To.Sequence,
			Pages: ix.Pages, Bytes: ix.Bytes})
	}
	return out
}

// writeBackup writes head, entries and end.
func writeBackup(ctx context.Context, w io.Writer, id [backupIDLen]byte, head *backupHead, exports []*posting.Export,
	held *memory.Account, progress func(done, total int64)) error {
	var done, total int64
	for _, ix := range head.Indexes {
		total += int64(ix.Bytes)
	}
	b, err := newBackupWriter(w, id, head)
	if err != nil {
		return err
	}
	for i, e := range exports {
		generation := uint64(0)
		if since := head.Indexes[i].Since; since != nil {
			generation = since.Generation
		}
		err := e.Each(ctx, generation, func(key, value []byte) error {
			if progress != nil {
				if key[0] == format.KindPage {
					done += int64(len(value))
				}
				progress(done, total)
			}
			err := b.entry(key, value)
			held.Set(int64(cap(b.block)))
			return err
		})
		if err != nil {
			return fmt.Errorf("backup of index %q: %w", head.Catalog.Indexes[i].Name, err)
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return b.end()
}
