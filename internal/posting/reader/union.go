// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package reader

import (
	"github.com/uproar-db/uproar/internal/posting/overlay"
	"github.com/uproar-db/uproar/internal/roaring"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// Up to where a Union gathers sets before it joins them to what it has.
const (
	unionViews = 1 << 12 // sets
	unionBytes = 4 << 20 // bytes of them, and of the pages that they are on
)

// Union gathers the union of any number of sets in one bitmap. It can also gather the records that
// an odd number of the sets have. Its memory does not grow with the number of sets: it takes the
// bitmap and a few MiB. Not for concurrent use.
type Union struct {
	snap    Snapshot
	odd     bool
	records mutable.Bitmap
	views   []view.View   // not joined yet
	bytes   int64         // that views keep alive
	pages   overlay.Pages // on which views are
	list    overlay.List
	cursor  overlay.Cursor
}

// Union returns an empty union.
func (s Snapshot) Union() *Union { return &Union{snap: s} }

// Parity returns an empty union that keeps the records which an odd number of sets have.
func (s Snapshot) Parity() *Union { return &Union{snap: s, odd: true} }

// AddRow adds the list of a row. Rows that ascend are cheapest: then every page is fetched once.
// Errors as of List.
func (u *Union) AddRow(field uint32, row uint64) error {
	l := &u.list
	if err := u.snap.List(field, row, l); err != nil {
		return err
	}
	if l.Pending() > 0 || !l.Mask.IsEmpty() {
		records, err := asBitmap(l, u.snap.ctx, &u.cursor)
		if err != nil {
			return err
		}
		u.AddSet(records)
		return nil
	}
	for i := range l.Pieces() { // pieces have no record in common
		u.views = append(u.views, l.Piece(i))
	}
	u.gathered(u.pages.Hold(l))
	return nil
}

// AddSet adds a set, which must not change any more.
func (u *Union) AddSet(set *mutable.Bitmap) {
	u.views = append(u.views, set.View())
	u.gathered(int64(len(set.Bytes())))
}

// gathered says that views keep more bytes alive, and joins them if they are many.
func (u *Union) gathered(bytes int64) {
	if u.bytes += bytes; len(u.views) >= unionViews || u.bytes >= unionBytes {
		u.join()
	}
}

// join joins the sets that were gathered to the others.
func (u *Union) join() {
	if u.odd {
		roaring.XorWith(&u.records, roaring.XorAll(u.views...).View())
	} else {
		roaring.OrWith(&u.records, roaring.OrAll(u.views...).View())
	}
	clear(u.views)
	u.views, u.bytes = u.views[:0], 0
	u.pages.Reset()
}

// List makes l the union of all that was added. The Union must not be used any more.
func (u *Union) List(l *overlay.List) {
	u.join()
	l.SetView(u.records.View())
	l.Held = int64(len(u.records.Bytes()))
}
