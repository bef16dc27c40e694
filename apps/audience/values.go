// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package audience

import (
	"context"
	"fmt"
	"math/bits"
	"slices"

	"github.com/uproar-db/uproar"
)

// Value is a value of a field, and how it stands to an audience.
type Value struct {
	Key   string  `json:"key"`
	Count uint64  `json:"count"` // records of the audience that have it
	Share float64 `json:"share"` // Count, of the audience
	Total uint64  `json:"total"` // records of the index that have it
	Lift  float64 `json:"lift"`  // how many times more frequent it is in the audience than in the index
	Row   uint64  `json:"-"`     // its number in the field
}

// ValueOptions says which values are wanted. The zero value means all, by count.
type ValueOptions struct {
	By    uproar.Measure // uproar.ByCount, the default, or uproar.ByLift
	Limit int            // 0: all
	Least uint64         // values of fewer records of the audience are left out
	After *uproar.Ranked // the Place of the last value of the page before; nil: the first page
}

// Place returns where the value stands, for the next page.
func (v Value) Place(by uproar.Measure) *uproar.Ranked {
	r := &uproar.Ranked{Count: v.Count, Row: v.Row, Score: float64(v.Count)}
	if by == uproar.ByLift {
		r.Score = v.Lift
	}
	return r
}

// Values returns the values of a field in the audience, the most frequent or most typical first. It
// suits fields of one value, such as postal codes and cities; in a field of several, each counts.
// more says whether there are others behind the Limit.
//
// Cost: uproar.Selection.Top. Errors: those of it.
func (a *Audience) Values(ctx context.Context, field string, o ValueOptions) (values []Value, more bool, err error) {
	if o.By != "" && o.By != uproar.ByCount && o.By != uproar.ByLift {
		return nil, false, fmt.Errorf("%w: values: got the measure %q, want %q or %q", uproar.ErrInvalid, o.By,
			uproar.ByCount, uproar.ByLift)
	}
	top := uproar.TopOptions{By: o.By, Limit: o.Limit, Least: o.Least, After: o.After}
	if o.Limit > 0 {
		top.Limit++
	}
	rows, err := a.of.Top(ctx, field, top)
	if o.Limit > 0 && len(rows) > o.Limit {
		rows, more = rows[:o.Limit], true
	}
	values = make([]Value, 0, len(rows))
	for _, r := range rows {
		values = append(values, a.value(r, o.By))
	}
	return values, more, err
}

// value returns a ranked value.
func (a *Audience) value(r uproar.Ranked, by uproar.Measure) Value {
	v := Value{Key: r.Key, Count: r.Count, Share: share(r.Count, a.of.Len()), Total: r.Total, Row: r.Row, Lift: r.Score}
	if by != uproar.ByLift {
		v.Lift = v.Share * float64(a.view.all) / float64(r.Total)
	}
	return v
}

// Cloud is the words of an audience.
type Cloud struct {
	Common  []Value `json:"common"`  // the most frequent ones
	Typical []Value `json:"typical"` // those of the greatest lift above 1
}

// WordOptions says which words are wanted.
type WordOptions struct {
	Limit int    // of either kind; 0: 100
	Least uint64 // records of the audience that a typical word has; 0: a thousandth of them, at least 2
}

// defaultWords is how many words of a kind are in a cloud.
const defaultWords = 100

// Words returns the word cloud of an audience: the most frequent and the most typical values of a
// field of many values. Among few records every word that they have is typical: hence Least.
//
// Cost: twice that of uproar.Selection.Top. Errors: those of it.
func (a *Audience) Words(ctx context.Context, field string, o WordOptions) (c Cloud, err error) {
	if o.Limit == 0 {
		o.Limit = defaultWords
	}
	if o.Least == 0 {
		o.Least = max(2, a.of.Len()/1000)
	}
	if c.Common, _, err = a.Values(ctx, field, ValueOptions{Limit: o.Limit}); err != nil {
		return c, err
	}
	c.Typical, _, err = a.Values(ctx, field, ValueOptions{By: uproar.ByLift, Limit: o.Limit, Least: o.Least})
	c.Typical = slices.DeleteFunc(c.Typical, func(v Value) bool { return !a.isTypical(v) })
	return c, err
}

// isTypical reports whether a value is more frequent in the audience than in the index. It counts,
// as a lift of 1 may be rounded.
func (a *Audience) isTypical(v Value) bool {
	high, low := bits.Mul64(v.Count, a.view.all)
	over, least := bits.Mul64(v.Total, a.of.Len())
	return high > over || high == over && low > least
}
