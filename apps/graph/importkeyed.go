// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graph

import (
	"encoding/binary"
	"fmt"
)

// keyedBatch is how many follows with keys are committed together.
const keyedBatch = 10_000

// readKeyed writes the follows of a list with the keys of their records, as it reads them. The last
// ones wait for what comes behind them.
func (im *Import) readKeyed(list *EdgeList) (report ImportReport, err error) {
	count := func() {
		report.BytesRead, report.Lines = list.BytesRead(), list.Lines()
		report.Separator, report.Header = list.Separator(), list.Header()
	}
	for f, failed := range list.Follows() {
		bad, isBad := failed.(*LineError)
		switch {
		case isBad:
			if im.reject(bad, &report); im.opts.Strict {
				err = bad
			}
		case failed != nil:
			err = failed
		default:
			if len(im.pending) == keyedBatch {
				if err = im.store(); err != nil {
					err = fmt.Errorf("graph: importing what stands before line %d: %w", list.Lines(), err)
					break
				}
			}
			if report.Follows > 0 && report.Follows%keyedBatch == 0 {
				count()
				im.progress(ImportProgress{BytesRead: report.BytesRead, Lines: report.Lines, Follows: report.Follows})
			}
			report.Follows++
			err = im.take(f, list.recordKey)
		}
		if err != nil {
			break
		}
	}
	if err == nil {
		err = im.ctx.Err()
	}
	count()
	im.progress(ImportProgress{BytesRead: report.BytesRead, Lines: report.Lines, Follows: report.Follows})
	im.read, im.lines, im.follows = im.read+report.BytesRead, im.lines+report.Lines, im.follows+report.Follows
	return report, err
}

// take has a follow wait to be written, unless it is one of those that are stored. They are not
// written again: what was deleted since stays so. It fails at the last if they were others.
func (im *Import) take(f Follow, key string) error {
	im.tally.Good++
	im.sum.Write([]byte(f.Account + "\x00" + f.Target + "\x00" + key + "\x00"))
	switch {
	case im.tally.Good > im.stored:
		im.pending = append(im.pending, Change{Op: Set, Relation: Follows, Account: f.Account, Target: f.Target,
			Key: key})
	case im.tally.Good == im.stored && im.sumNow() != im.storedSum:
		return &UnfinishedError{im.stored, fmt.Sprintf("other follows: the sum of the first %d is %016x, want %016x",
			im.stored, uint64(im.sumNow()), uint64(im.storedSum))}
	}
	return nil
}

// sumNow returns the sum of all follows that were taken, in their order.
func (im *Import) sumNow() int64 { return int64(binary.BigEndian.Uint64(im.sum.Sum(nil))) }

// store writes the follows that wait, with the mark of a load that has not ended.
func (im *Import) store() error {
	stored, sum := im.tally.Good, im.sumNow()
	_, err := im.graph.writeKeyed(im.ctx, Changes{List: im.pending}, func(w *keyedWriter) error {
		return w.noteLoad(stored, sum, im.noted)
	})
	if err != nil {
		return err
	}
	im.stored, im.noted, im.pending = stored, true, im.pending[:0]
	return im.ctx.Err()
}

// endKeyed writes the last follows, and takes the mark away in the same commit.
func (im *Import) endKeyed() error {
	if im.tally.Good < im.stored {
		return &UnfinishedError{im.stored, fmt.Sprintf("%d follows, which cannot be all of it", im.tally.Good)}
	}
	_, err := im.graph.writeKeyed(im.ctx, Changes{List: im.pending}, func(w *keyedWriter) error {
		return w.noteLoad(0, 0, im.noted)
	})
	if err != nil {
		return fmt.Errorf("graph: importing: %w", err)
	}
	im.stored, im.noted, im.pending = 0, false, nil
	return nil
}

// Stored returns how many follows with keys are in the graph of a load that has not ended.
func (im *Import) Stored() int64 { return im.stored }
