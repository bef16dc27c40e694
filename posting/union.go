// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import "github.com/uproar-db/uproar/bitmap"

// unionViews is how many lists a Union gathers before it joins them to what it has: they keep their pages alive until then.
const unionViews = 256

// Union gathers the union of any number of lists of a snapshot in one bitmap, whose size does not depend on their number. Not for concurrent use.
type Union struct {
	snap    Snapshot
	field   uint32
	records bitmap.Bitmap
	views   []bitmap.View
	list    List
	cursor  Cursor
}

// Union returns an empty union of lists of a field.
func (s Snapshot) Union(field uint32) *Union { return &Union{snap: s, field: field} }

// Add adds the list of a row. Cost: that of List, and of joining the lists, some hundreds at a time. Errors as of List.
func (u *Union) Add(row uint64) error {
	if err := u.snap.List(u.field, row, &u.list); err != nil {
		return err
	}
	l := &u.list
	if l.pending() == 0 && l.mask.IsEmpty() {
		for i := range l.pieces() {
			u.views = append(u.views, l.piece(i))
		}
		if len(u.views) >= unionViews {
			u.join()
		}
		return nil
	}
	records, err := l.bitmap(u.snap.ctx, &u.cursor)
	if err != nil {
		return err
	}
	u.records.Or(records.View())
	return nil
}

// join joins the lists that were gathered to the others.
func (u *Union) join() {
	u.records.Or(bitmap.OrAll(u.views...).View())
	clear(u.views)
	u.views = u.views[:0]
}

// List makes l the union of all that was added. The Union must not be used any more.
func (u *Union) List(l *List) {
	u.join()
	l.SetView(u.records.View())
	l.held = int64(len(u.records.Bytes()))
}
