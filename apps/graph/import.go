// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graph

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/uproar-db/uproar"
)

// DefaultKeepBad is how many bad lines an import reports one by one when
// ImportOptions does not say.
const DefaultKeepBad = 100

// ImportOptions sets up an import. The zero value means the defaults.
type ImportOptions struct {
	// EdgeList describes the text; by default everything is detected.
	EdgeList EdgeListOptions

	// Strict ends the import, unsuccessfully, at the first bad line. Default:
	// bad lines are counted and left out.
	Strict bool

	// KeepBad is how many bad lines stand in the report one by one. Default
	// DefaultKeepBad; negative: none.
	KeepBad int

	// MemoryBytes bounds the memory of the load. Default: the database's.
	MemoryBytes int64

	// Progress is told how far the import is, often enough for a progress bar,
	// from the importing goroutine: it must return soon.
	Progress func(ImportProgress)
}

// ImportProgress says how far an import is.
type ImportProgress struct {
	BytesRead int64 // taken from the reader, compressed if it is: comparable with a file's size
	Lines     int64 // read, of every kind
	Follows   int64 // read, repeated ones included

	// The second part of an import, when all is read and pages are written:
	// done of total. Total is 0 before.
	Done, Total int64
}

// ImportReport says what an import has read.
type ImportReport struct {
	BytesRead int64
	Lines     int64 // of every kind: follows, bad lines, comments, empty lines, the header
	Follows   int64 // good lines; a follow that stands there twice counts twice here, and is one in the graph
	BadLines  int64

	// Bad are the first of the bad lines, at most KeepBad of them.
	Bad []*LineError

	Separator Separator // in use
	Header    string    // the line that was taken for a header, or ""
}

// progressLines is after how many lines Progress is called and ctx looked at.
const progressLines = 4096

// Import adds the follows of an edge list to the graph, all or none: nobody sees
// any of them before Import is about to return, and nothing is left of an import
// that fails or is cancelled. Reads and writes go on meanwhile; of imports there
// may be one at a time (uproar.ErrLoading). Follows that exist already stay.
// Memory is bounded whatever the length of the list.
//
// The report is true of what was read also if there is an error: the reader's,
// ctx's, a *LineError if Strict, ErrEncoding, or the database's.
func (g *Graph) Import(ctx context.Context, r io.Reader, opts ImportOptions) (report ImportReport, err error) {
	im := importing{opts: opts, list: NewEdgeList(cancellable{ctx, r}, &opts.EdgeList)}
	if im.opts.KeepBad == 0 {
		im.opts.KeepBad = DefaultKeepBad
	}
	defer func() { report = im.finish() }()

	if err := ctx.Err(); err != nil {
		return report, err
	}
	loader, err := g.index.Load(ctx, &uproar.LoadOptions{
		MemoryBytes: opts.MemoryBytes,
		Progress:    func(done, total int64) { im.progress(done, total) },
	})
	if err != nil {
		return report, fmt.Errorf("graph: importing: %w", err)
	}
	defer loader.Abort()
	if err := im.read(ctx, loader); err != nil {
		return report, err
	}
	if err := loader.Commit(); err != nil {
		return report, fmt.Errorf("graph: importing: %w", err)
	}
	return report, nil
}

// cancellable is a reader that fails when its context is done: lines without a
// follow, however many, must not keep an import from being cancelled.
type cancellable struct {
	ctx context.Context
	r   io.Reader
}

func (c cancellable) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}

// importing is the state of one import.
type importing struct {
	opts   ImportOptions
	list   *EdgeList
	report ImportReport
}

// read gives the follows of the list to a loader.
func (im *importing) read(ctx context.Context, loader *uproar.Loader) error {
	defer func() { im.progress(0, 0) }()
	var n int
	for f, err := range im.list.Follows() {
		if n++; n%progressLines == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			im.progress(0, 0)
		}
		var bad *LineError
		switch {
		case err == nil:
			if err := loader.Set(FollowsField, f.Account, f.Target); err != nil {
				return fmt.Errorf("graph: importing line %d: %w", im.list.Lines(), err)
			}
			im.report.Follows++
		case errors.As(err, &bad):
			im.report.BadLines++
			if int64(im.opts.KeepBad) >= im.report.BadLines {
				im.report.Bad = append(im.report.Bad, bad)
			}
			if im.opts.Strict {
				return bad
			}
		default:
			return err
		}
	}
	return ctx.Err()
}

func (im *importing) progress(done, total int64) {
	if im.opts.Progress != nil {
		im.opts.Progress(ImportProgress{im.list.BytesRead(), im.list.Lines(), im.report.Follows, done, total})
	}
}

// finish returns the report of what has been read so far.
func (im *importing) finish() ImportReport {
	im.report.BytesRead, im.report.Lines = im.list.BytesRead(), im.list.Lines()
	im.report.Separator, im.report.Header = im.list.Separator(), im.list.Header()
	return im.report
}
