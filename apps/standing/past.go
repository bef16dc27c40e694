// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package standing

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/query"
)

// mostValues is how many values of records in a field are read, at most.
const mostValues = 1 << 20

// errUntold says that the past of a record does not tell whether a query fits it.
var errUntold = errors.New("standing: not told")

// past answers whether a query fitted a record between two states of an index: as the earlier state
// says, but for what was changed since. For one goroutine.
type past struct {
	ctx     context.Context
	before  uproar.Snapshot
	fields  *fields
	records []uint64 // ascending
	bytes   []byte   // they, as a bitmap

	leaves map[string]*bitmap.Bitmap             // the records that a leaf has found in the earlier state
	values map[string]map[uint64]map[string]bool // the values of the records in it, by field
}

func newPast(ctx context.Context, h *history) (*past, error) {
	bytes, err := bitmap.FromSorted(h.several).MarshalBinary()
	return &past{ctx: ctx, before: h.before, fields: h.fields, records: h.several, bytes: bytes,
		leaves: make(map[string]*bitmap.Bitmap), values: make(map[string]map[uint64]map[string]bool)}, err
}

// fits reports whether a query fits a record after some edits. Errors: errUntold, or of reading.
func (p *past) fits(e query.Expr, record uint64, edits []edit) (bool, error) {
	there, err := p.had(query.All{}, record)
	for _, x := range edits {
		switch x.kind {
		case uproar.ChangeSet, uproar.ChangeAddRecord:
			there = true
		case uproar.ChangeDeleteRecord:
			there = false
		}
	}
	if err != nil || !there {
		return false, err
	}
	return p.holds(e, record, edits)
}

// holds is fits of a record that is there.
func (p *past) holds(e query.Expr, record uint64, edits []edit) (bool, error) {
	count := func(of []query.Expr) (n int, err error) {
		for _, e := range of {
			yes, err := p.holds(e, record, edits)
			if err != nil {
				return 0, err
			}
			if yes {
				n++
			}
		}
		return n, nil
	}
	switch e := e.(type) {
	case query.And:
		n, err := count(e.Of)
		return n == len(e.Of), err
	case query.Or:
		n, err := count(e.Of)
		return n > 0, err
	case query.Xor:
		n, err := count(e.Of)
		return n%2 == 1, err
	case query.AtLeast:
		n, err := count(e.Of)
		return n >= e.N, err
	case query.Not:
		yes, err := p.holds(e.Of, record, edits)
		return !yes, err
	case query.All:
		return true, nil
	case query.Nothing:
		return false, nil
	case query.Equal:
		if p.fields.named[e.Field].Type == uproar.Integer {
			return p.number(e, e.Field, record, edits)
		}
		return p.value(e, e.Field, e.Value, record, edits)
	case query.Related:
		return p.value(e, p.fields.inverse[e.Field], e.Key, record, edits)
	case query.Saved:
		return p.value(e, uproar.SavedField, e.Name, record, edits)
	case query.Compare:
		return p.number(e, e.Field, record, edits)
	case query.Between:
		return p.number(e, e.Field, record, edits)
	case query.Any:
		if p.fields.named[e.Field].Type == uproar.Integer {
			return p.number(e, e.Field, record, edits)
		}
		return p.some(e.Field, "", record, edits)
	case query.Prefix:
		return p.some(e.Field, e.Value, record, edits)
	}
	return false, errUntold // of other records, or of a bitmap
}

// had reports whether a leaf has found a record in the earlier state.
func (p *past) had(leaf query.Expr, record uint64) (bool, error) {
	text := leaf.String()
	found := p.leaves[text]
	if found == nil {
		of, err := p.before.Select(p.ctx, query.And{Of: []query.Expr{query.Bitmap{Bytes: p.bytes}, leaf}})
		switch {
		case errors.Is(err, uproar.ErrUnknownSet):
			found = new(bitmap.Bitmap)
		case err != nil:
			return false, err
		default:
			found = of.View().Clone()
		}
		p.leaves[text] = found
	}
	return found.Contains(record), nil
}

// value answers a leaf of those who have a value.
func (p *past) value(leaf query.Expr, field, value string, record uint64, edits []edit) (bool, error) {
	single := p.fields.named[field].Type == uproar.Single
	for _, x := range slices.Backward(edits) {
		switch {
		case x.field != field:
		case x.value == value && x.kind != uproar.ChangeUnset:
			return x.kind == uproar.ChangeSet, nil
		case x.kind == uproar.ChangeDeleteRow, x.kind == uproar.ChangeUnset, single && x.kind == uproar.ChangeSet:
			return false, nil
		}
	}
	return p.had(leaf, record)
}

// number answers a leaf about the numbers of a field.
func (p *past) number(leaf query.Expr, field string, record uint64, edits []edit) (bool, error) {
	for _, x := range slices.Backward(edits) {
		switch {
		case x.field != field:
		case x.kind == uproar.ChangeSet:
			return compare(p.fields.named[field], leaf, x.value)
		default:
			return false, nil
		}
	}
	return p.had(leaf, record)
}

// compare answers a leaf about a number. Times that depend on the time of asking are not told.
func compare(f uproar.Field, leaf query.Expr, text string) (bool, error) {
	var unread error
	parse := func(text string) int64 {
		x, err := f.Parse(text)
		if err != nil {
			unread = errUntold
		}
		return x
	}
	x, yes := parse(text), false
	switch e := leaf.(type) {
	case query.Any:
		yes = true
	case query.Equal:
		yes = x == parse(e.Value)
	case query.Between:
		yes = x >= parse(e.From) && x <= parse(e.To)
	case query.Compare:
		switch y := parse(e.Value); e.Order {
		case query.Less:
			yes = x < y
		case query.LessEqual:
			yes = x <= y
		case query.Greater:
			yes = x > y
		case query.GreaterEqual:
			yes = x >= y
		}
	}
	return yes, unread
}

// some reports whether a record had a value in a field that begins with a prefix.
func (p *past) some(field, prefix string, record uint64, edits []edit) (bool, error) {
	of, ok := p.values[field]
	if !ok {
		of = make(map[uint64]map[string]bool)
		n := 0
		var had []uint64
		for _, id := range p.records {
			if there, err := p.had(query.All{}, id); err != nil {
				return false, err
			} else if there {
				had = append(had, id)
			}
		}
		before, err := p.before.Values(p.ctx, field)
		if err != nil {
			return false, err
		}
		err = before.Texts(had, func(i int, value string) error {
			if of[had[i]] == nil {
				of[had[i]] = make(map[string]bool)
			}
			of[had[i]][value] = true
			if n++; n > mostValues {
				return errUntold
			}
			return nil
		})
		if errors.Is(err, errUntold) {
			of = nil
		} else if err != nil {
			return false, err
		}
		p.values[field] = of
	}
	if of == nil {
		return false, errUntold
	}
	values := maps.Clone(of[record])
	for _, x := range edits {
		switch {
		case x.field != field:
		case x.kind == uproar.ChangeClear:
			delete(values, x.value)
		case x.kind == uproar.ChangeSet && p.fields.named[field].Type != uproar.Single && values != nil:
			values[x.value] = true
		case x.kind == uproar.ChangeSet:
			values = map[string]bool{x.value: true}
		default:
			clear(values)
		}
	}
	for value := range values {
		if strings.HasPrefix(value, prefix) {
			return true, nil
		}
	}
	return false, nil
}
