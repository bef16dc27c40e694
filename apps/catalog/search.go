// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"context"
	"math/bits"
	"sync"
	"unsafe"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
)

// Kind is which of its three answers a search has.
type Kind uint8

const (
	// Nothing fits.
	Nothing Kind = iota
	// One record fits, or counts more than the others that do.
	One
	// Several records fit, and none of them counts more than the others.
	Several
)

// String returns the kind as it stands in answers.
func (k Kind) String() string { return [...]string{"nothing", "one", "several"}[k] }

// Answer is what a search has found. Its memory is used again by the next search that is given it.
type Answer struct {
	Kind Kind
	IDs  []uint64 // of One: its ID; of Several: those of the first, ascending
	More bool     // of Several: there are more than IDs
	// of Nothing: the position of a condition with a value that no record ever had; -1: each value
	// by itself was known, as far as was looked
	Unknown int
}

// One returns the ID of the one record that was found; 0 if there is not one.
func (a *Answer) One() uint64 {
	if a.Kind != One {
		return 0
	}
	return a.IDs[0]
}

// Search finds the records that fit conditions, and the one of them that counts. Of several, that
// is the record with a condition on most of the attributes that the search names; of equal ones,
// that of the highest priority; of these, the default. A condition on an attribute that is a rule
// names one value, or several (In), and one of them has to fit. An attribute that is not named is
// no condition. Search lists at most limit records, at least 2, if there are several.
//
// Cost: a look-up for each condition, or group of them that the schema combines, and an
// intersection of their lists, from the shortest on. A search of values of text attributes that are
// no rules allocates nothing if dst has room and all pages are in the cache. It ends as soon as it
// is known that there are several. Errors: ErrUnknownAttribute, ErrCondition, or those of reading.
func (s Snapshot) Search(ctx context.Context, dst *Answer, limit int, conditions ...Condition) error {
	dst.Kind, dst.IDs, dst.More, dst.Unknown = Nothing, dst.IDs[:0], false, -1
	if limit = max(limit, 2); s.layout.plain {
		if done, err := s.searchExact(ctx, dst, limit, conditions); done || err != nil {
			return err
		}
	}
	fits, err := s.layout.fits(conditions)
	if err != nil {
		return err
	}
	all := 0
	if s.layout.plain {
		all = limit
	}
	found, err := s.snap.IDs(ctx, fits, uproar.Page{Limit: all})
	if err != nil {
		return err
	}
	dst.IDs, dst.More = append(dst.IDs, found.IDs...), found.More
	if !s.layout.plain {
		if err := s.selectBest(dst, conditions); err != nil {
			return err
		}
		if len(dst.IDs) > limit {
			dst.IDs, dst.More = dst.IDs[:limit], true
		}
	}
	if dst.close(); dst.Kind == Nothing {
		dst.Unknown, err = s.unknown(conditions)
	}
	return err
}

// close sets the kind from the number of records.
func (a *Answer) close() {
	switch len(a.IDs) {
	case 0:
		a.Kind = Nothing
	case 1:
		a.Kind = One
	default:
		a.Kind = Several
	}
}

// texts has the memory in which combined rows are written.
var texts = sync.Pool{New: func() any { return new([]byte) }}

// searchExact carries out a search of values of plain attributes; not done if it is not one.
func (s Snapshot) searchExact(ctx context.Context, dst *Answer, limit int, conditions []Condition) (done bool,
	err error) {
	l := s.layout
	var values [MaxAttributes]string
	named, next := uint64(0), 0
	for i := range conditions {
		c := &conditions[i]
		at, ok := l.position(c.Attribute, next)
		if !ok {
			return false, l.schema.Unknown(c.Attribute)
		}
		if !c.isExact() || l.exact&(1<<at) == 0 || named&(1<<at) != 0 && values[at] != c.Value {
			return false, nil
		}
		values[at], named, next = c.Value, named|1<<at, at+1
	}
	if named == 0 {
		return false, nil
	}
	var room [MaxAttributes]uproar.RowID
	rows, ok, err := s.rowsOf(room[:0], named, &values)
	if err != nil {
		return false, err
	}
	if ok {
		dst.IDs, dst.More, err = s.snap.AppendAnd(ctx, dst.IDs, limit, rows...)
		if err != nil {
			return false, err
		}
	}
	if dst.close(); dst.Kind == Nothing {
		dst.Unknown, err = s.unknown(conditions)
	}
	return true, err
}

// rowsOf appends the rows whose records have all of some values: first those of each group of the
// schema that is named whole and adds at least two attributes, then those of the values that are
// left. It is not ok if a row was never there.
func (s Snapshot) rowsOf(dst []uproar.RowID, named uint64, values *[MaxAttributes]string) (rows []uproar.RowID, ok bool,
	err error) {
	left, text := named, texts.Get().(*[]byte)
	defer texts.Put(text)
	for i := range s.layout.groups {
		g := &s.layout.groups[i]
		if g.attributes&^named != 0 || bits.OnesCount64(g.attributes&left) < 2 {
			continue
		}
		*text = appendCombined((*text)[:0], g, values)
		// which does not keep it
		row, ok, err := s.rowOf(len(values)+i, g.field, unsafe.String(unsafe.SliceData(*text), len(*text)))
		if err != nil || !ok {
			return dst, false, err
		}
		dst, left = append(dst, row), left&^g.attributes
	}
	for ; left != 0; left &= left - 1 {
		i := bits.TrailingZeros64(left)
		row, ok, err := s.rowOf(i, s.layout.schema.Attributes[i].Field, values[i])
		if err != nil || !ok {
			return dst, false, err
		}
		dst = append(dst, row)
	}
	return dst, true, nil
}

// rowOf returns the row of a value in a field, or false if the value was never there. number is the
// field's number in what is known of rows.
func (s Snapshot) rowOf(number int, field, value string) (row uproar.RowID, ok bool, err error) {
	t := s.layout.known.of(s.snap.SchemaVersion())
	if row, ok = t.find(number, value); ok {
		return row, true, nil
	}
	if row, ok, err = s.snap.RowID(field, value); ok && err == nil {
		t.note(number, value, row)
	}
	return row, ok, err
}

// unknown returns the position of the first condition with a value that no record ever had, or -1.
func (s Snapshot) unknown(conditions []Condition) (int, error) {
	for i := range conditions {
		c := &conditions[i]
		if at := s.layout.byName[c.Attribute]; c.isExact() && s.layout.isPlain(at) {
			if _, ok, err := s.snap.RowID(s.layout.schema.Attributes[at].Field, c.Value); err != nil || !ok {
				return i, err
			}
		}
	}
	return -1, nil
}

// Query returns conditions as a query of the index. Errors: ErrUnknownAttribute, ErrCondition.
func (s Snapshot) Query(conditions ...Condition) (query.Expr, error) {
	return s.layout.fits(conditions)
}
