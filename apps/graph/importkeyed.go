// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graph

import "fmt"

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
				count()
				im.progress(ImportProgress{BytesRead: report.BytesRead, Lines: report.Lines, Follows: report.Follows})
			}
			im.pending = append(im.pending, Change{Op: Set, Relation: Follows, Account: f.Account, Target: f.Target,
				Key: list.recordKey})
			report.Follows++
			im.tally.Good++
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

// store writes the follows that wait, with the mark of a load that has not ended.
func (im *Import) store() error {
	stored := max(im.stored, im.tally.Good)
	_, err := im.graph.writeKeyed(im.ctx, Changes{List: im.pending}, func(w *keyedWriter) error {
		return w.noteLoad(stored, im.noted)
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
		return fmt.Errorf("%w; got %d follows, which cannot be all of it", &UnfinishedError{im.stored}, im.tally.Good)
	}
	_, err := im.graph.writeKeyed(im.ctx, Changes{List: im.pending}, func(w *keyedWriter) error {
		return w.noteLoad(0, im.noted)
	})
	if err != nil {
		return fmt.Errorf("graph: importing: %w", err)
	}
	im.stored, im.noted, im.pending = 0, false, nil
	return nil
}

// Stored returns how many follows with keys are in the graph of a load that has not ended.
func (im *Import) Stored() int64 { return im.stored }
