// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"github.com/uproar-db/uproar/internal/value"
	"github.com/uproar-db/uproar/query"
)

// fits returns the query of the records that fit conditions.
func (l *layout) fits(conditions []Condition) (query.Expr, error) {
	and := make([]query.Expr, 0, len(conditions))
	for i := range conditions {
		e, err := l.fit(&conditions[i])
		if err != nil {
			return nil, err
		}
		and = append(and, e)
	}
	switch len(and) {
	case 0:
		return query.All{}, nil
	case 1:
		return and[0], nil
	default:
		return query.And{Of: and}, nil
	}
}

// fit returns the query of the records that fit a condition.
func (l *layout) fit(c *Condition) (query.Expr, error) {
	at, ok := l.byName[c.Attribute]
	if !ok {
		return nil, l.schema.Unknown(c.Attribute)
	}
	if err := c.check(); err != nil {
		return nil, err
	}
	a := &l.schema.Attributes[at]
	if a.Rule {
		return l.fitRule(at, c)
	}
	if c.From != "" || c.To != "" {
		return l.fitRange(at, c)
	}
	one := func(text string) (query.Expr, error) {
		stored, err := l.stored(at, c, text)
		return query.Equal{Field: a.Field, Value: stored}, err
	}
	switch {
	case len(c.In) > 0:
		return anyOf(c.In, one)
	case len(c.Not) > 0:
		e, err := anyOf(c.Not, one)
		return query.And{Of: []query.Expr{query.Any{Field: a.Field}, query.Not{Of: e}}}, err
	default:
		return one(c.Value)
	}
}

// fitRange returns the query of the records whose number is in a range.
func (l *layout) fitRange(at int, c *Condition) (query.Expr, error) {
	a := &l.schema.Attributes[at]
	if a.Type == Text {
		return nil, badCondition(c, "got a range of texts, want one of numbers, dates or times")
	}
	ends := [...]string{c.From, c.To}
	for i, end := range ends {
		if end == "" {
			continue
		}
		var err error
		if ends[i], err = l.stored(at, c, end); err != nil {
			return nil, err
		}
	}
	switch from, to := ends[0], ends[1]; {
	case from == "":
		return query.Compare{Field: a.Field, Order: query.LessEqual, Value: to}, nil
	case to == "":
		return query.Compare{Field: a.Field, Order: query.GreaterEqual, Value: from}, nil
	default:
		return query.Between{Field: a.Field, From: from, To: to}, nil
	}
}

// fitRule returns the query of the records whose condition on an attribute fits a value.
func (l *layout) fitRule(at int, c *Condition) (query.Expr, error) {
	a := &l.schema.Attributes[at]
	if len(c.Not) > 0 || c.From != "" || c.To != "" {
		return nil, badCondition(c, "got %s for a rule, want a value, or several of which one has to fit", c)
	}
	values := c.In
	if len(values) == 0 {
		values = []string{c.Value}
	}
	var excluded, ranges []query.Expr // what excludes each of the values; the records with a range that has one
	or := []query.Expr{query.Equal{Field: anyField, Value: a.Field}}
	for _, v := range values {
		text, err := l.stored(at, c, v)
		if err != nil {
			return nil, err
		}
		or = append(or, query.Equal{Field: a.Field, Value: text})
		excluded = append(excluded, query.Equal{Field: a.notField(), Value: text})
		if a.Type != Text {
			ranges = append(ranges, query.Not{Of: query.Or{Of: []query.Expr{
				query.Compare{Field: a.fromField(), Order: query.Greater, Value: text},
				query.Compare{Field: a.toField(), Order: query.Less, Value: text},
			}}})
		}
	}
	or = append(or, query.And{Of: []query.Expr{query.Equal{Field: notField, Value: a.Field},
		query.Not{Of: query.And{Of: excluded}}}})
	if a.Type != Text {
		or = append(or, query.And{Of: []query.Expr{query.Equal{Field: rangeField, Value: a.Field},
			query.Or{Of: ranges}}})
	}
	return query.Or{Of: or}, nil
}

// anyOf returns the disjunction of what fn makes of values.
func anyOf(values []string, fn func(string) (query.Expr, error)) (query.Expr, error) {
	or := make([]query.Expr, len(values))
	for i, v := range values {
		var err error
		if or[i], err = fn(v); err != nil {
			return nil, err
		}
	}
	return query.Or{Of: or}, nil
}

// stored returns a value of an attribute as the index has it: a number, date or time in the one way
// in which it is written.
func (l *layout) stored(at int, c *Condition, text string) (string, error) {
	if l.schema.Attributes[at].Type == Text {
		return text, nil
	}
	x, err := l.parse(at, c, text)
	if err != nil {
		return "", err
	}
	return l.number[at].Text(x), nil
}

// parse returns the integer that a number, date or time is.
func (l *layout) parse(at int, c *Condition, text string) (x int64, err error) {
	switch a := &l.schema.Attributes[at]; a.Type {
	case Date:
		x, err = value.Date(text)
	case Time:
		x, err = value.Time(text)
	default:
		x, err = value.Integer(text, a.Scale)
	}
	if err != nil {
		return 0, badCondition(c, "%w", err)
	}
	return x, nil
}
