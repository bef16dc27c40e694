// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graph

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"strings"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/internal/table"
	"github.com/uproar-db/uproar/internal/tolerance"
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

	// MaxBad is the share of the lines that may be bad: above it, Commit fails. Default
	// DefaultMaxBad; negative: none.
	MaxBad float64

	// Bad, if set, is told of every bad line, in the goroutine of Read.
	Bad func(*LineError)

	// MemoryBytes bounds the memory of the load. Default: the database's.
	MemoryBytes int64

	// Cluster gives accounts IDs by community, instead of in the order of their first appearance,
	// see uproar.LoadOptions.Cluster: the order of lists is another then.
	Cluster bool

	// Resume has an import of lists with keys go on with one that did not end: it reads the same
	// lists again, and writes what stands behind the follows that are stored.
	Resume bool

	// Progress is told how far the import is, often enough for a progress bar,
	// from the importing goroutine: it must return soon.
	Progress func(ImportProgress)
}

// DefaultMaxBad is the share of the lines that may be bad. If nearly everything is bad, the text is
// no edge list, or one of another form.
const DefaultMaxBad = 0.9

// ErrTooManyBad is matched when more lines of an import are bad than ImportOptions.MaxBad allows.
var ErrTooManyBad = errors.New("graph: too many bad lines")

// ImportProgress says how far an import is.
type ImportProgress struct {
	BytesRead int64 // taken from the reader, compressed if it is: comparable with a file's size
	Lines     int64 // read, of every kind
	Follows   int64 // read, repeated ones included

	// The second part of an import, when all is read: follows that are gone through again for lack
	// of memory, names that are written, follows that are written. Total is 0 before, and grows
	// with each of these steps.
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

// Import adds the follows of an edge list to the graph: it is BeginImport, Read and Commit.
func (g *Graph) Import(ctx context.Context, r io.Reader, opts ImportOptions) (ImportReport, error) {
	im, err := g.BeginImport(ctx, opts)
	if err != nil {
		return ImportReport{}, err
	}
	defer im.Abort()
	report, err := im.Read(r)
	if err != nil {
		return report, err
	}
	return report, im.Commit()
}

// Import is an import of edge lists that is under way: all follows of all of them are added to the
// graph, or none. Nobody sees any of them before Commit is about to return, and nothing is left of
// an import that fails, is cancelled or aborted. Reads and writes go on meanwhile; of imports there
// may be one at a time (uproar.ErrLoading). Follows that exist already stay. Memory is bounded
// whatever the length of the lists. Not for concurrent use.
//
// Lists with keys are otherwise: their follows are written while they are read, in many commits.
// The first leaves a mark in the graph, which goes with the last ([Unfinished]). While it is
// there only an import with ImportOptions.Resume begins.
type Import struct {
	ctx    context.Context
	opts   ImportOptions
	graph  *Graph
	loader *uproar.Loader // nil: of a list with keys, which is written as it is read

	read, lines, follows int64 // of the lists before
	kept                 int   // bad lines in reports
	tally                tolerance.Tally

	pending   []Change  // of lists with keys
	sum       hash.Hash // of the follows of these, all that were read
	stored    int64     // follows of this import, or of the one before that did not end
	storedSum int64     // of those of the one before
	noted     bool      // which the graph says

	done, total int64 // of the step of Commit that is under way
	steps       int64 // the totals of those before
}

// BeginImport begins an import, which ctx ends. It must come to Commit or Abort. Errors:
// uproar.ErrLoading, *UnfinishedError (of one with keys), *UnkeyedError (of lists with keys),
// ctx's, or the database's.
func (g *Graph) BeginImport(ctx context.Context, opts ImportOptions) (*Import, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if opts.KeepBad == 0 {
		opts.KeepBad = DefaultKeepBad
	}
	switch {
	case opts.MaxBad == 0:
		opts.MaxBad = DefaultMaxBad
	case opts.MaxBad < 0:
		opts.MaxBad = 0
	}
	if opts.EdgeList.Keys && !g.Keyed(Follows) {
		return nil, &UnkeyedError{Follows}
	}
	s := g.index.Snapshot()
	stored, sum, err := unfinished(ctx, s)
	s.Close()
	if err == nil && stored > 0 && !(opts.EdgeList.Keys && opts.Resume) {
		err = &UnfinishedError{stored, anotherImport}
	}
	if err != nil {
		return nil, err
	}
	im := &Import{ctx: ctx, opts: opts, graph: g, sum: sha256.New(), stored: stored, storedSum: sum,
		noted: stored > 0}
	if opts.EdgeList.Keys {
		return im, nil
	}
	loader, err := g.index.Load(ctx, &uproar.LoadOptions{MemoryBytes: opts.MemoryBytes, Cluster: opts.Cluster,
		Progress: im.written, Preparing: im.written})
	if err != nil {
		return nil, fmt.Errorf("graph: importing: %w", err)
	}
	im.loader = loader
	return im, nil
}

// Read reads an edge list. The report is about this one, and true of what was read also if there is
// an error: the reader's, ctx's, a *LineError if Strict, ErrEncoding, ErrHeader, *UnfinishedError
// of other lists than those to go on with, or the database's.
// After an error the import is to be aborted, and r may still be read from for a moment.
//
// Reading and unpacking, taking lines apart, numbering accounts, and sorting are done at a time.
func (im *Import) Read(r io.Reader) (report ImportReport, err error) {
	ctx, stop := context.WithCancel(im.ctx)
	defer stop()
	list := NewEdgeList(cancellable{ctx, r}, &im.opts.EdgeList)
	if im.loader == nil {
		return im.readKeyed(list)
	}
	list.untilBad = im.opts.Strict
	list.ahead = func(text io.Reader) io.Reader { return table.NewAhead(ctx, text) }
	blocks := newBlocks(ctx, list)
	for block := range blocks.full {
		if err = im.add(block, &report); err != nil {
			break
		}
		blocks.free <- block
	}
	stop()
	last := blocks.end()
	if err == nil {
		err = last
	}
	if err == nil {
		err = im.ctx.Err()
	}
	report.Separator, report.Header = list.Separator(), list.Header()
	im.progress(ImportProgress{BytesRead: report.BytesRead, Lines: report.Lines, Follows: report.Follows})
	im.read, im.lines, im.follows = im.read+report.BytesRead, im.lines+report.Lines, im.follows+report.Follows
	return report, err
}

// add gives a block of follows to the loader, and its bad lines to the report.
func (im *Import) add(b *EdgeBlock, report *ImportReport) error {
	for _, bad := range b.Bad {
		im.reject(bad, report)
		if im.opts.Strict {
			report.Lines, report.BytesRead = b.Lines, b.BytesRead
			report.Follows += int64(b.Follows())
			return bad
		}
	}
	report.Lines, report.BytesRead = b.Lines, b.BytesRead
	if err := im.loader.SetAll(FollowsField, b.Keys); err != nil {
		return fmt.Errorf("graph: importing what stands before line %d: %w", b.Lines+1, err)
	}
	report.Follows += int64(b.Follows())
	im.tally.Good += int64(b.Follows())
	im.progress(ImportProgress{BytesRead: report.BytesRead, Lines: report.Lines, Follows: report.Follows})
	return im.ctx.Err()
}

// reject counts a bad line.
func (im *Import) reject(bad *LineError, report *ImportReport) {
	report.BadLines++
	im.tally.Reject(strings.TrimPrefix(bad.Error(), "graph: "))
	if im.kept < im.opts.KeepBad {
		report.Bad = append(report.Bad, bad)
		im.kept++
	}
	if im.opts.Bad != nil {
		im.opts.Bad(bad)
	}
}

// progress tells how far the import is; p is about the present list.
func (im *Import) progress(p ImportProgress) {
	if im.opts.Progress != nil {
		p.BytesRead, p.Lines, p.Follows = p.BytesRead+im.read, p.Lines+im.lines, p.Follows+im.follows
		im.opts.Progress(p)
	}
}

// written tells how far a step of Commit is, after those before.
func (im *Import) written(done, total int64) {
	if total != im.total || done < im.done {
		im.steps += im.total
	}
	im.done, im.total = done, total
	im.progress(ImportProgress{Done: im.steps + done, Total: im.steps + total})
}

// Commit makes what was read durable and visible. The import has ended, whatever Commit returns;
// after an error nothing of it is visible, or of lists with keys what Stored says. Errors:
// ErrTooManyBad, *UnfinishedError of fewer follows than those before, ctx's, or the database's.
func (im *Import) Commit() error {
	if err := im.tally.Check(im.opts.MaxBad, "line"); err != nil {
		im.Abort()
		return fmt.Errorf("%w: %w", ErrTooManyBad, err)
	}
	if im.loader == nil {
		return im.endKeyed()
	}
	if err := im.loader.Commit(); err != nil {
		return fmt.Errorf("graph: importing: %w", err)
	}
	return nil
}

// Abort ends an import without effect. After Commit it does nothing, so that it can be deferred.
func (im *Import) Abort() {
	if im.loader != nil {
		im.loader.Abort()
	}
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

// blocks are the blocks of an edge list, read by another goroutine.
type blocks struct {
	full, free chan *EdgeBlock
	err        error // once full is closed; nil at the end of the list
}

// blockCount is how many blocks are under way at a time.
const blockCount = 4

func newBlocks(ctx context.Context, list *EdgeList) *blocks {
	b := &blocks{full: make(chan *EdgeBlock, blockCount), free: make(chan *EdgeBlock, blockCount)}
	for range blockCount {
		b.free <- new(EdgeBlock)
	}
	go func() {
		defer close(b.full)
		for {
			var block *EdgeBlock
			select {
			case block = <-b.free:
			case <-ctx.Done():
				b.err = ctx.Err()
				return
			}
			err := list.ReadBlock(block)
			if err == nil || len(block.Keys)+len(block.Bad) > 0 || block.Lines > 0 {
				b.full <- block // there is room for all blocks
			}
			if err != nil {
				if err != io.EOF {
					b.err = err
				}
				return
			}
		}
	}()
	return b
}

// end waits until nothing more is read, and returns why.
func (b *blocks) end() error {
	for range b.full {
	}
	return b.err
}
