// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"context"
	"errors"

	"github.com/uproar-db/uproar"
)

// Change is records to be put and deleted as one.
type Change struct {
	Put    []Record // each takes the place of the record with its key, if there is one
	Delete []string // keys; one that no record has is nothing to be deleted
}

// Write carries out a change, all of it or nothing. It deletes first. When it returns, the change
// is on the disk, and every later search sees it. Searches go on meanwhile. It returns the sequence
// number of the write. Errors: *CheckError, with ErrUnknownAttribute or ErrCondition, for an
// invalid record; or those of uproar.Index.Write.
func (c *Catalog) Write(ctx context.Context, change Change) (sequence uint64, err error) {
	for {
		l, err := c.current()
		if err != nil {
			return 0, err
		}
		var b uproar.Batch
		for _, key := range change.Delete {
			b.DeleteRecord(key)
		}
		for i := range change.Put {
			if err := l.put(&b, &change.Put[i]); err != nil {
				return 0, err
			}
		}
		sequence, err = l.index.Write(ctx, &b)
		if !errors.Is(err, uproar.ErrClosed) {
			return sequence, err
		}
		if now, gone := c.current(); gone != nil || now == l {
			return 0, err
		}
	}
}
