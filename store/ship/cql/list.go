// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package cql

import (
	"context"
	"errors"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/uproar-db/uproar/store"
)

// List implements ship.Engine. An entry that no List has seen costs a read of its name, and is
// marked for the next one. What attempts left that failed long ago is removed.
func (e *Engine) List(ctx context.Context, prefix, after string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		err := ctx.Err()
		if err == nil {
			err = e.walk(ctx, prefix, after, func(name string) bool { return yield(name, nil) })
		}
		if err != nil && !errors.Is(err, errEnd) {
			yield("", e.failure(ctx, "list", prefix, err))
		}
	}
}

// walk calls yield for names until it returns false. A bucket may lie among the names of another:
// one that is a folder has those of no number, too. So all buckets that can have the next name are
// read together.
func (e *Engine) walk(ctx context.Context, prefix, after string, yield func(string) bool) error {
	buckets, err := e.tables.buckets(ctx)
	if err != nil {
		return err
	}
	slices.SortFunc(buckets, func(a, b bucket) int { return strings.Compare(a.name, b.name) })
	var open []*cursor
	for len(buckets) > 0 || len(open) > 0 {
		least := leastOf(open)
		if len(buckets) > 0 && (least == nil || buckets[0].name <= least.names[0]) {
			b := buckets[0]
			buckets = buckets[1:]
			if beside(b.name, prefix) || b.name < after && !strings.HasPrefix(after, b.name) {
				continue // its names have not the prefix, or are before
			}
			c := &cursor{bucket: b.name, from: max(prefix, after)}
			if err := e.fill(ctx, c, prefix, after); err != nil {
				return err
			}
			if c.empty && time.Since(b.at) > bucketOld {
				if err := e.tables.deleteBucket(ctx, b); err != nil {
					return err
				}
			}
			open = append(open, c)
			continue
		}
		if least == nil {
			open = nil
			continue
		}
		if !yield(least.names[0]) {
			return errEnd
		}
		if least.names = least.names[1:]; len(least.names) == 0 {
			if err := e.fill(ctx, least, prefix, after); err != nil {
				return err
			}
		}
	}
	return nil
}

// beside reports whether a bucket has no names with a prefix.
func beside(bucket, prefix string) bool {
	return !strings.HasPrefix(bucket, prefix) && !strings.HasPrefix(prefix, bucket)
}

// cursor reads the names of a bucket, a page at a time.
type cursor struct {
	bucket string
	names  []string // read, and not yielded
	from   string   // where the next page begins
	ended  bool     // there is no next page
	empty  bool     // nothing at all was found from the bucket's beginning on
}

// leastOf returns the cursor with the least name, or nil.
func leastOf(open []*cursor) (least *cursor) {
	for _, c := range open {
		if len(c.names) > 0 && (least == nil || c.names[0] < least.names[0]) {
			least = c
		}
	}
	return least
}

// pageEntries is how many entries are looked at together.
const pageEntries = 1000

// fill reads pages of a bucket until there are names that are to be listed, or no more pages.
func (e *Engine) fill(ctx context.Context, c *cursor, prefix, after string) error {
	for first := true; len(c.names) == 0 && !c.ended; first = false {
		var page []entry
		more := ""
		err := e.tables.entries(ctx, c.bucket, c.from, func(found entry) error {
			// A page ends between two names.
			if len(page) >= pageEntries && found.name != page[len(page)-1].name {
				more = found.name
				return errEnd
			}
			if !strings.HasPrefix(found.name, prefix) && found.name > prefix {
				return errEnd
			}
			page = append(page, found)
			return nil
		})
		if err != nil && !errors.Is(err, errEnd) {
			return err
		}
		c.empty = first && len(page) == 0 && err == nil && c.from <= c.bucket
		c.from, c.ended = more, more == ""
		if c.names, err = e.living(ctx, page); err != nil {
			return err
		}
		c.names = slices.DeleteFunc(c.names, func(name string) bool {
			return name <= after || !strings.HasPrefix(name, prefix)
		})
	}
	return nil
}

// living returns the names of entries that something has.
func (e *Engine) living(ctx context.Context, page []entry) ([]string, error) {
	lives := make([]bool, len(page))
	err := within(ctx, len(page), func(ctx context.Context, i int) error {
		found := page[i]
		if lives[i] = found.marked; found.marked {
			return nil
		}
		old := time.Since(found.at) > attemptOld
		h, err := e.tables.head(ctx, found.name, old)
		switch {
		case err == nil && h.id == found.id:
			lives[i], found.marked = true, true
			return e.tables.putEntry(ctx, bucketOf(found.name), found)
		case err != nil && !errors.Is(err, store.ErrNotFound):
			return err
		case old:
			return e.remove(ctx, found)
		}
		return nil
	})
	var names []string
	for i, found := range page {
		if lives[i] {
			names = append(names, found.name)
		}
	}
	return slices.Compact(names), err
}
