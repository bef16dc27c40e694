// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package audience

import (
	"context"
	"errors"

	"github.com/uproar-db/uproar"
)

// Comparison is how two audiences differ.
type Comparison struct {
	Records uint64     `json:"records"` // of the audience
	Other   uint64     `json:"other"`   // of the other
	Both    uint64     `json:"both"`    // in both
	Either  uint64     `json:"either"`  // in one of them at least
	Jaccard float64    `json:"jaccard"`
	Fields  []Contrast `json:"fields,omitempty"`
}

// Contrast is which values of a field tell two audiences apart.
type Contrast struct {
	Field string       `json:"field"`
	More  []Difference `json:"more"` // more frequent in the audience than in the other, greatest ratio first
	Less  []Difference `json:"less"` // less frequent, least ratio first
	// of an integer field, instead of values: what its integers amount to in the audience, and in
	// the other
	Here  *Distribution `json:"here,omitempty"`
	There *Distribution `json:"there,omitempty"`
}

// Difference is a value, and how frequent it is in two audiences.
type Difference struct {
	Key        string  `json:"key"`
	Count      uint64  `json:"count"` // records of the audience that have it
	Share      float64 `json:"share"`
	OtherCount uint64  `json:"other_count"` // of the other
	OtherShare float64 `json:"other_share"`
	// Share / OtherShare, where a count of 0 below it, or of More above it, counts as 1
	Ratio float64 `json:"ratio"`
}

// CompareOptions says what is compared.
type CompareOptions struct {
	Fields []string
	Limit  int // values of either kind; 0: 100
	// records that a value must have where it is more frequent; 0: a thousandth of the audience, at
	// least 2
	Least uint64
}

// Compare returns the sizes of two audiences of one view and what they have in common. It also
// returns the values that are over-represented in one of them, and of integer fields the figures of
// both. They may overlap.
//
// Cost: for each field twice that of counting its rows in both (uproar.Selection.Top), and of an
// intersection for each value; of an integer field that of Numbers. Errors: ErrViews, or those of
// these.
func (a *Audience) Compare(ctx context.Context, b *Audience, o CompareOptions) (Comparison, error) {
	common, err := Overlap(ctx, a, b)
	if err != nil {
		return Comparison{}, err
	}
	c := Comparison{Records: common[0][0], Other: common[1][1], Both: common[0][1]}
	c.Either = c.Records + c.Other - c.Both
	c.Jaccard = share(c.Both, c.Either)
	if o.Limit == 0 {
		o.Limit = defaultWords
	}
	for _, field := range o.Fields {
		x := Contrast{Field: field}
		if f := a.view.field(field); f.Type == uproar.Integer {
			x.Here, x.There = &Distribution{Field: field}, &Distribution{Field: field}
			err := errors.Join(a.figures(ctx, x.Here, &f), b.figures(ctx, x.There, &f))
			if err != nil {
				return c, err
			}
			c.Fields = append(c.Fields, x)
			continue
		}
		if x.More, err = over(ctx, a, b, field, o); err != nil {
			return c, err
		}
		if x.Less, err = over(ctx, b, a, field, o); err != nil {
			return c, err
		}
		for i, d := range x.Less { // which are seen from the other's side
			x.Less[i] = Difference{Key: d.Key, Count: d.OtherCount, Share: d.OtherShare, OtherCount: d.Count,
				OtherShare: d.Share, Ratio: 1 / d.Ratio}
		}
		c.Fields = append(c.Fields, x)
	}
	return c, nil
}

// over returns the values that are over-represented in an audience against another.
func over(ctx context.Context, a, b *Audience, field string, o CompareOptions) ([]Difference, error) {
	least := o.Least
	if least == 0 {
		least = max(2, a.of.Len()/1000)
	}
	rows, err := a.of.Top(ctx, field, uproar.TopOptions{By: uproar.ByRatio, Background: b.of, Limit: o.Limit,
		Least: least})
	list := []Difference{}
	for _, r := range rows {
		if r.Score <= 1 {
			break
		}
		list = append(list, Difference{Key: r.Key, Count: r.Count, Share: share(r.Count, a.of.Len()),
			OtherCount: r.Total, OtherShare: share(r.Total, b.of.Len()), Ratio: r.Score})
	}
	return list, err
}
