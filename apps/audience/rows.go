// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package audience

import (
	"context"
	"fmt"
	"io"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/internal/table"
)

// Rows is a table that another package reads, such as apps/audience/parquet. Its methods are called
// by one goroutine at a time, which is not that of the import.
type Rows interface {
	// Next puts some rows into a batch, at least one; what it held before may be overwritten. The
	// error is io.EOF after the last row.
	Next(*Batch) error
	// Close lets go of what it holds.
	Close()
}

// Batch is some consecutive rows of a table, column by column.
type Batch struct {
	Rows    int           // some thousands
	Columns []BatchColumn // the ones asked for
	Bytes   int64         // of the table that are read so far, for the progress
}

// BatchColumn is the values of a column, as texts: any number of them in each row, none for NULL.
type BatchColumn struct {
	Texts   *uproar.Dictionary // best shared by many batches; the import changes it
	Numbers []uint32           // of the values in Texts, row after row
	Ends    []uint32           // for each row, where its values end in Numbers
}

// Row returns the values of a row, as numbers in Texts.
func (c *BatchColumn) Row(i int) []uint32 {
	if i == 0 {
		return c.Numbers[:c.Ends[0]]
	}
	return c.Numbers[c.Ends[i-1]:c.Ends[i]]
}

// check fails for a column whose numbers or ends cannot be.
func (c *BatchColumn) check(rows int) error {
	if len(c.Ends) != rows || c.Texts == nil {
		return fmt.Errorf("%w: got a column of %d rows in a batch of %d", ErrTable, len(c.Ends), rows)
	}
	last := uint32(0)
	for _, end := range c.Ends {
		if end < last || int(end) > len(c.Numbers) {
			return fmt.Errorf("%w: got values of a row that end at %d, want from %d to %d", ErrTable, end, last,
				len(c.Numbers))
		}
		last = end
	}
	for _, n := range c.Numbers {
		if int(n) >= c.Texts.Len() {
			return fmt.Errorf("%w: got value %d of a dictionary, want below %d", ErrTable, n, c.Texts.Len())
		}
	}
	return nil
}

// batchesAhead is how many batches are read before they are imported, at most.
const batchesAhead = 2

// ReadRows reads a table of another format. names are its columns. open gets the numbers of the
// wanted columns, and opens the table for these. A goroutine of its own reads rows while those
// before are imported. It returns how far the import is. Errors: as of Read, and those of the
// table.
func (im *Import) ReadRows(names []string, open func(wanted []int) (Rows, error)) (Progress, error) {
	im.line, im.rows = 0, true
	im.repeats.begin()
	wanted, err := table.Find(names, im.wanted())
	if err != nil {
		return im.state, fmt.Errorf("%w: %w", ErrTable, err)
	}
	rows, err := open(wanted)
	if err != nil {
		return im.state, err
	}
	defer rows.Close()
	ctx, cancel := context.WithCancel(im.ctx)
	read, free := make(chan *Batch), make(chan *Batch, batchesAhead+1)
	for range cap(free) {
		free <- &Batch{Columns: make([]BatchColumn, len(wanted))}
	}
	var failed error // set before read is closed
	go func() {
		defer close(read)
		failed = readAhead(ctx, rows, read, free)
	}()
	before := im.state.Bytes
	b := newBatches(im, im.schema.Key != "")
	for batch := range read {
		im.state.Bytes = before + batch.Bytes
		if err = b.add(batch); err != nil {
			break
		}
		free <- batch
	}
	cancel()
	for range read { // until the other goroutine has ended, and rows can be closed
	}
	switch {
	case err != nil:
		return im.state, err
	case im.ctx.Err() != nil:
		return im.state, im.ctx.Err()
	case failed != nil:
		return im.state, fmt.Errorf("%w: row %d: %w", ErrTable, im.line+1, failed)
	}
	return im.state, nil
}

// readAhead reads batches that are free, until there are no rows any more or ctx ends.
func readAhead(ctx context.Context, rows Rows, read chan<- *Batch, free <-chan *Batch) error {
	for {
		var b *Batch
		select {
		case b = <-free:
		case <-ctx.Done():
			return nil
		}
		if err := rows.Next(b); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		select {
		case read <- b:
		case <-ctx.Done():
			return nil
		}
	}
}
