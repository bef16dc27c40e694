// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package salvage

import (
	"context"
	"errors"
	"fmt"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/internal/posting"
	"github.com/uproar-db/uproar/internal/posting/memory"
	"github.com/uproar-db/uproar/internal/schema"
	"github.com/uproar-db/uproar/store"
)

// Options sets up a salvage. The zero value means the defaults.
type Options struct {
	// Memory is what reading the damaged database takes, in bytes, beside what the new one takes.
	// Default: 128 MiB.
	Memory int64

	// ByID are relations whose records are named by IDs, those of an application. They are left out
	// of an index if its records cannot keep their IDs in the copy, and the report says so.
	ByID []string

	// Found is what the engine has found wrong when it was opened, which no entry tells of: that
	// commits are missing.
	Found error

	// Progress, if set, is told how much of how much is done of a step.
	Progress func(step string, done, total int64)
}

// defaultMemory is Options.Memory, where it is not set.
const defaultMemory = 128 << 20

// Copy copies what can be read of a damaged database to another, which must be empty: the indexes
// with their fields and notes, the aliases, all records and their values. It only reads the store.
//
// Memory: pages as far as the bound goes, the manifest of an index, what its log has beyond the
// pages, and a load into the new database. Time: two reads of each page, and a load of all values.
//
// Errors: those of reading the catalog, without which nothing can be told; ctx's; the new
// database's. It then has some of the indexes only.
func Copy(ctx context.Context, from store.Store, to *uproar.DB, opts Options) (*Report, error) {
	if opts.Memory == 0 {
		opts.Memory = defaultMemory
	}
	if opts.Progress == nil {
		opts.Progress = func(string, int64, int64) {}
	}
	report := &Report{Indexes: []*IndexReport{}, Mended: []store.Bit{}}
	if opts.Found != nil {
		report.Notes = append(report.Notes, opts.Found.Error())
	}
	d := &damaged{Store: from, ctx: ctx}
	c, err := readCatalog(d, report)
	if err != nil {
		return nil, err
	}
	for i := range c.Indexes {
		if c.Indexes[i].Loading {
			continue // its first load did not come to an end
		}
		ix := &IndexReport{Name: c.Indexes[i].Name}
		report.Indexes = append(report.Indexes, ix)
		if err := copyIndex(ctx, d, &c.Indexes[i], to, ix, &opts); err != nil {
			return nil, fmt.Errorf("index %q: %w", ix.Name, err)
		}
	}
	for alias, name := range c.Aliases {
		if err := to.SetAlias(ctx, alias, name); err != nil {
			return nil, err
		}
	}
	if mender, ok := from.(store.Mender); ok {
		bits, more := mender.Mended()
		report.Mended, report.MoreMended = append(report.Mended, bits...), more
	}
	report.unadvise()
	return report, nil
}

// readCatalog reads the catalog, or its copy. The header may be damaged: it says nothing else.
func readCatalog(d *damaged, report *Report) (c *schema.Catalog, err error) {
	err = guard(func() (err error) {
		c, err = schema.Read(d, true)
		return err
	})
	if err == nil || d.isOver(err) {
		return c, err
	}
	why := err
	if errors.Is(why, schema.ErrRestoring) {
		return nil, why
	}
	for _, part := range []struct {
		damaged string
		read    func(store.Store) (*schema.Catalog, error)
	}{{"the header", schema.ReadCatalog}, {"the catalog", schema.ReadCopy}} {
		if err = guard(func() (err error) {
			c, err = part.read(d)
			return err
		}); err == nil {
			report.Notes = append(report.Notes, fmt.Sprintf("%s could not be read: %v", part.damaged, why))
			return c, nil
		}
		why = errors.Join(why, err)
	}
	return nil, fmt.Errorf("salvage: without the catalog nothing can be told: restore a backup: %w", why)
}

// copyIndex copies an index. That nothing of it can be read is not an error, but in the report.
func copyIndex(ctx context.Context, d *damaged, entry *schema.Index, to *uproar.DB, report *IndexReport,
	opts *Options) (err error) {
	secret, fields, err := entry.Posting()
	if err != nil {
		return err
	}
	src, err := newSource(d, entry.ID, fields, report, func(done, total int) {
		opts.Progress("read "+entry.Name, int64(done), int64(total))
	})
	var lists *posting.Index
	if err == nil {
		var bound *memory.Bound
		if bound, err = memory.New(opts.Memory); err != nil {
			return err
		}
		lists, err = posting.Open(src, posting.Config{ID: entry.ID, Secret: secret, Fields: fields, Memory: bound,
			DeltaBytes: opts.Memory / 8, ReadOnly: true})
	}
	kept := schema.New(entry.Fields).Fields()
	if err != nil && !d.isOver(err) {
		report.Failure = err.Error()
		if _, err = to.CreateIndex(ctx, entry.Name, declared(kept)...); err == nil && len(entry.Note) > 0 {
			err = to.SetNote(ctx, entry.Name, entry.Note)
		}
		return err
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lists.Close()) }()
	load, err := to.LoadIndex(ctx, entry.Name, declared(kept), entry.Note, &uproar.LoadOptions{
		Progress: func(done, total int64) { opts.Progress("merge "+entry.Name, done, total) }})
	if err != nil {
		return err
	}
	defer load.Abort()
	c := &indexCopy{ctx: ctx, src: src, snap: lists.Snapshot().Under(ctx), to: load, report: report,
		fields: kept, byID: opts.ByID, progress: func(done, total uint64) {
			opts.Progress("copy "+entry.Name, int64(done), int64(total))
		}}
	defer c.snap.Close()
	if err := c.all(); err != nil {
		return err
	}
	if err := load.Commit(); err != nil {
		return err
	}
	return c.copyEdgeKeys(to, entry.Name)
}

// declared returns fields as they are declared.
func declared(fields []*schema.Bound) (out []uproar.Field) {
	for _, f := range fields {
		if !f.Derived {
			out = append(out, uproar.Field{Name: f.Name, Type: uproar.FieldType(f.Type), Inverse: f.Inverse,
				Format: uproar.Format(f.Format), Scale: f.Scale, Column: uproar.Column(f.Column)})
		}
	}
	return out
}
