// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package dump

import (
	"context"
	"fmt"
	"io"

	"github.com/uproar-db/uproar/internal/posting"
	"github.com/uproar-db/uproar/internal/posting/format"
)

// Write writes a backup: its head, the entries of exports in the order of its catalog, and its end.
// held is told how much memory that takes; progress, if not nil, how many bytes of how many pages
// are written.
//
// Errors: ctx's, w's, model.ErrTooLarge, or those of reading.
func Write(ctx context.Context, w io.Writer, id ID, head *Head, exports []*posting.Export, held func(bytes int64),
	progress func(done, total int64)) error {
	done, total := int64(0), head.Size()
	b, err := NewWriter(w, id, head)
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
			held(int64(cap(b.block)))
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

// Copy copies a backup from r to w and verifies it on the way. It verifies every block up to the
// end, and that nothing follows. progress, if not nil, receives how many bytes of pages have come,
// and of how many.
//
// Errors: ErrNotBackup, model.ErrCorrupt, model.ErrVersion, r's or w's.
func Copy(w io.Writer, r io.Reader, progress func(done, total int64)) (*Reader, error) {
	b, err := NewReader(io.TeeReader(r, w))
	if err != nil {
		return nil, err
	}
	done, total := int64(0), b.Head.Size()
	for more := true; more; {
		more, err = b.next(func(key, value []byte) error {
			if len(key) > 0 && key[0] == format.KindPage {
				done += int64(len(value))
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		if progress != nil {
			progress(done, total)
		}
	}
	return b, nil
}
