// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"context"
	"slices"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
)

// Facet is what the records that fit some conditions have of an attribute.
type Facet struct {
	Attribute string
	Values    []Value // of numbers, dates and times that are no rule: none
	More      bool    // there are more values
	// of numbers, dates and times that are no rule, the least and greatest; of rules, of the ends
	// of their ranges
	Min, Max string
	Excluded []Value // of rules: the values that records exclude
	Any      uint64  // of rules: records that fit any value
	Ranges   uint64  // of rules: records with a range
}

// Value is a value with the number of records that have it.
type Value struct {
	Value string
	Count uint64
}

// Facets says which values are still possible under conditions, and how many records have each: of
// each of some attributes, or of all that the conditions do not name, at most limit values (0:
// all), those of most records first. It returns the number of records that fit, too. Cost: the
// query, and for each attribute a count over its values. Errors: ErrUnknownAttribute, ErrCondition,
// or those of reading.
func (s Snapshot) Facets(ctx context.Context, attributes []string, limit int, conditions ...Condition) (facets []Facet,
	records uint64, err error) {
	q, err := s.layout.fits(conditions)
	if err != nil {
		return nil, 0, err
	}
	of, err := s.snap.Select(ctx, q)
	if err != nil {
		return nil, 0, err
	}
	if len(attributes) == 0 {
		attributes = s.unnamed(conditions)
	}
	for _, name := range attributes {
		at, ok := s.layout.byName[name]
		if !ok {
			return nil, 0, s.layout.schema.Unknown(name)
		}
		f, err := s.facet(ctx, of, at, limit)
		if err != nil {
			return nil, 0, err
		}
		facets = append(facets, f)
	}
	return facets, of.Len(), nil
}

// unnamed returns the attributes that conditions do not name. It leaves out information.
func (s Snapshot) unnamed(conditions []Condition) (names []string) {
	for i := range s.layout.schema.Attributes {
		a := &s.layout.schema.Attributes[i]
		if !a.Info && !slices.ContainsFunc(conditions, func(c Condition) bool { return c.Attribute == a.Name }) {
			names = append(names, a.Name)
		}
	}
	return names
}

func (s Snapshot) facet(ctx context.Context, of *uproar.Selection, at, limit int) (f Facet, err error) {
	a := &s.layout.schema.Attributes[at]
	f.Attribute = a.Name
	if a.Type != Text && !a.Rule {
		f.Min, f.Max, _, err = s.ends(ctx, of, at, a.Field, a.Field)
		return f, err
	}
	if f.Values, f.More, err = values(ctx, of, a.Field, limit); err != nil || !a.Rule {
		return f, err
	}
	if f.Excluded, _, err = values(ctx, of, a.notField(), limit); err != nil {
		return f, err
	}
	if f.Any, err = s.within(ctx, of, anyField, a.Field); err != nil || a.Type == Text {
		return f, err
	}
	if f.Ranges, err = s.within(ctx, of, rangeField, a.Field); err == nil {
		f.Min, f.Max, _, err = s.ends(ctx, of, at, a.fromField(), a.toField())
	}
	return f, err
}

// values returns the values of a field that records have.
func values(ctx context.Context, of *uproar.Selection, field string, limit int) (list []Value, more bool, err error) {
	most := limit
	if limit > 0 {
		most++
	}
	top, err := of.Top(ctx, field, uproar.TopOptions{Limit: most})
	if err != nil {
		return nil, false, err
	}
	if limit > 0 && len(top) > limit {
		top, more = top[:limit], true
	}
	for _, v := range top {
		list = append(list, Value{v.Key, v.Count})
	}
	return list, more, nil
}

// within returns how many records have a value.
func (s Snapshot) within(ctx context.Context, of *uproar.Selection, field, value string) (uint64, error) {
	set, err := of.View().MarshalBinary()
	if err != nil {
		return 0, err
	}
	return s.snap.Count(ctx, query.And{Of: []query.Expr{query.Bitmap{Bytes: set},
		query.Equal{Field: field, Value: value}}})
}

// ends returns the least number of one field and the greatest of another, as texts. same says
// whether all records have the same number in both, or none.
func (s Snapshot) ends(ctx context.Context, of *uproar.Selection, at int, from, to string) (least, greatest string,
	same bool, err error) {
	low, err := of.Numbers(ctx, from)
	if err != nil {
		return "", "", false, err
	}
	high := low
	if to != from {
		if high, err = of.Numbers(ctx, to); err != nil {
			return "", "", false, err
		}
	}
	same = true
	for _, n := range [...]uproar.Numbers{low, high} {
		same = same && (n.Sum.Len == 0 || n.Sum.Len == of.Len() && n.Min == n.Max)
	}
	if low.Sum.Len > 0 {
		least = s.layout.number[at].Text(low.Min)
	}
	if high.Sum.Len > 0 {
		greatest = s.layout.number[at].Text(high.Max)
	}
	return least, greatest, same, nil
}
