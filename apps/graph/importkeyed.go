// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graph

import "fmt"

// keyedBatch is how many follows with keys are committed together.
const keyedBatch = 10_000

// readKeyed writes the follows of a list with the keys of their records, as it reads them.
func (im *Import) readKeyed(list *EdgeList) (report ImportReport, err error) {
	batch := Changes{List: make([]Change, 0, keyedBatch)}
	count := func() {
		report.BytesRead, report.Lines = list.BytesRead(), list.Lines()
		report.Separator, report.Header = list.Separator(), list.Header()
	}
	write := func() error {
		if _, err := im.graph.Write(im.ctx, batch); err != nil {
			return fmt.Errorf("graph: importing what stands before line %d: %w", list.Lines()+1, err)
		}
		report.Follows += int64(len(batch.List))
		im.tally.Good += int64(len(batch.List))
		batch.List = batch.List[:0]
		count()
		im.progress(ImportProgress{BytesRead: report.BytesRead, Lines: report.Lines, Follows: report.Follows})
		return im.ctx.Err()
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
			batch.List = append(batch.List, Change{Op: Set, Relation: Follows, Account: f.Account, Target: f.Target,
				Key: list.recordKey})
			if len(batch.List) == keyedBatch {
				err = write()
			}
		}
		if err != nil {
			break
		}
	}
	if err == nil && len(batch.List) > 0 {
		err = write()
	}
	if err == nil {
		err = im.ctx.Err()
	}
	count()
	im.read, im.lines, im.follows = im.read+report.BytesRead, im.lines+report.Lines, im.follows+report.Follows
	return report, err
}
