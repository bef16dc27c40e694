// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package audience

import (
	"context"
	"errors"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
)

// Audiences are those of one index. A value to be copied, safe for concurrent use.
type Audiences struct {
	db    *uproar.DB
	index *uproar.Index
}

// Of returns the audiences of an index. Errors: uproar.ErrUnknownIndex.
func Of(db *uproar.DB, index string) (Audiences, error) {
	ix, err := db.Index(index)
	return Audiences{db: db, index: ix}, err
}

// Index returns the index, for what no verb asks.
func (as Audiences) Index() *uproar.Index { return as.index }

// View returns the current state for questions that end with ctx (uproar.Snapshot.Under). Its
// caller closes it.
func (as Audiences) View(ctx context.Context) (*View, error) {
	v := &View{audiences: as, snap: as.index.Snapshot().Under(ctx)}
	defined, err := as.definitions()
	if err == nil && defined != nil {
		snap := defined.Snapshot().Under(ctx)
		v.defined = &snap
	}
	if err == nil {
		v.all, err = v.snap.Count(ctx, query.All{})
	}
	if err != nil {
		v.Close()
		return nil, err
	}
	return v, nil
}

// View is one state of an index, in which audiences are found. Safe for concurrent use, but for
// Close.
type View struct {
	audiences Audiences
	snap      uproar.Snapshot
	defined   *uproar.Snapshot // of the definitions; nil: there are none
	all       uint64           // records
}

// Close lets go of the state, and of the audiences that were found in it.
func (v *View) Close() {
	v.snap.Close()
	if v.defined != nil {
		v.defined.Close()
	}
}

// Audience is the records that a query fits in a View, valid until that is closed. Safe for
// concurrent use.
type Audience struct {
	view *View
	of   *uproar.Selection
}

// Find evaluates a query, in which saved(name) may be an audience that follows the data. Cost: the
// query, and a bitmap of its records in memory. Errors: ErrRecursive, or those of
// uproar.Snapshot.Select.
func (v *View) Find(ctx context.Context, q query.Expr) (*Audience, error) {
	q, err := v.expand(q)
	if err != nil {
		return nil, err
	}
	of, err := v.snap.Select(ctx, q)
	if err != nil {
		return nil, err
	}
	return &Audience{view: v, of: of}, nil
}

// Selection returns the records, for answers that are no verb here.
func (a *Audience) Selection() *uproar.Selection { return a.of }

// Size is how large an audience is.
type Size struct {
	Records uint64  `json:"records"` // in the audience
	Of      uint64  `json:"of"`      // in the index
	Share   float64 `json:"share"`   // Records / Of, 0 to 1; 0 if there are none
}

// Size returns how large the audience is. Cost: none.
func (a *Audience) Size() Size {
	return Size{Records: a.of.Len(), Of: a.view.all, Share: share(a.of.Len(), a.view.all)}
}

// share returns which part of all a number is.
func share(part, all uint64) float64 {
	if all == 0 {
		return 0
	}
	return float64(part) / float64(all)
}

// ErrViews is returned when audiences of several views are compared.
var ErrViews = errors.New("audience: got audiences of several views, want those of one")

// Overlap returns how many records each two of some audiences of one view have in common: that of i
// and k at [i][k], the size of i at [i][i]. Cost: a count of an intersection for each two. Errors:
// ErrViews, ctx's.
func Overlap(ctx context.Context, of ...*Audience) ([][]uint64, error) {
	sets := make([]*uproar.Selection, len(of))
	for i, a := range of {
		if a.view != of[0].view {
			return nil, ErrViews
		}
		sets[i] = a.of
	}
	return uproar.Overlap(ctx, sets...)
}

// field returns a field of the index, or the zero value if there is none of that name. Later calls
// about it report the error better.
func (v *View) field(name string) uproar.Field {
	for _, f := range v.audiences.index.Fields() {
		if f.Name == name {
			return f
		}
	}
	return uproar.Field{}
}
