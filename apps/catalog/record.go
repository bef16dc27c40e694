// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/uproar-db/uproar"
)

// Record is a record of a catalog.
type Record struct {
	Key string
	// of attributes that are values, the value; of rules, the condition; at most one for each
	// attribute
	Conditions []Condition
	Priority   int64
	Default    bool
}

// values calls set with each field of the index that the record has, and its values. Errors:
// ErrUnknownAttribute, ErrCondition, or set's.
func (l *layout) values(r *Record, set func(field, value string) error) error {
	var texts [MaxAttributes]string
	seen := uint64(0)
	for i := range r.Conditions {
		c := &r.Conditions[i]
		at, ok := l.byName[c.Attribute]
		switch {
		case !ok:
			return l.schema.Unknown(c.Attribute)
		case seen&(1<<at) != 0:
			return badCondition(c, "got two conditions, want one")
		}
		if err := c.check(); err != nil {
			return err
		}
		if c.isExact() && c.Value == "" {
			continue
		}
		seen |= 1 << at
		var err error
		if l.schema.Attributes[at].Rule {
			err = l.ruleValues(at, c, set)
		} else {
			texts[at], err = l.plainValue(at, c)
			if err == nil {
				err = set(l.schema.Attributes[at].Field, texts[at])
			}
		}
		if err != nil {
			return err
		}
	}
	for i := range l.schema.Attributes {
		if a := &l.schema.Attributes[i]; a.Rule && seen&(1<<i) == 0 {
			if err := set(anyField, a.Field); err != nil {
				return err
			}
		}
	}
	return l.recordValues(r, seen, &texts, set)
}

// recordValues tells set what follows from all values of a record.
func (l *layout) recordValues(r *Record, seen uint64, texts *[MaxAttributes]string,
	set func(field, value string) error) error {
	for i := range l.groups {
		if g := &l.groups[i]; g.attributes&^seen == 0 {
			if err := set(g.field, string(appendCombined(nil, g, texts))); err != nil {
				return err
			}
		}
	}
	switch {
	case r.Priority != 0 && l.schema.Priority == "":
		return fmt.Errorf("%w: got a priority, which the schema has not", ErrCondition)
	case r.Default && l.schema.Default == "":
		return fmt.Errorf("%w: got a default, which the schema has not", ErrCondition)
	}
	if r.Priority != 0 {
		if err := set(priorityField, strconv.FormatInt(r.Priority, 10)); err != nil {
			return err
		}
	}
	if r.Default {
		return set(defaultField, isDefault)
	}
	return nil
}

// plainValue returns the value of an attribute that is no rule.
func (l *layout) plainValue(at int, c *Condition) (string, error) {
	if !c.isExact() {
		return "", badCondition(c, "got %s, want a value: the attribute is no rule", c)
	}
	return l.stored(at, c, c.Value)
}

// ruleValues tells set what fields a condition of a rule needs.
func (l *layout) ruleValues(at int, c *Condition, set func(field, value string) error) error {
	a := &l.schema.Attributes[at]
	several := func(field string, values []string) error {
		for _, v := range values {
			text, err := l.stored(at, c, v)
			if err == nil && text == "" {
				err = badCondition(c, "got %q without a value, want one between each |", c)
			}
			if err == nil {
				err = set(field, text)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	switch {
	case len(c.In) > 0:
		return several(a.Field, c.In)
	case len(c.Not) > 0:
		if err := set(notField, a.Field); err != nil {
			return err
		}
		return several(a.notField(), c.Not)
	case c.From == "" && c.To == "":
		return several(a.Field, []string{c.Value})
	}
	if a.Type == Text {
		return badCondition(c, "got a range of texts, want one of numbers, dates or times")
	}
	if err := set(rangeField, a.Field); err != nil {
		return err
	}
	from, to := c.From, c.To
	for _, end := range [...]struct {
		field string
		value *string
	}{{a.fromField(), &from}, {a.toField(), &to}} {
		if *end.value == "" {
			continue
		}
		text, err := l.stored(at, c, *end.value)
		if err == nil {
			err = set(end.field, text)
		}
		if err != nil {
			return err
		}
	}
	return l.checkRange(at, c)
}

// checkRange fails for a range that nothing can be in.
func (l *layout) checkRange(at int, c *Condition) error {
	if c.From == "" || c.To == "" {
		return nil
	}
	from, err := l.parse(at, c, c.From)
	if err != nil {
		return err
	}
	to, err := l.parse(at, c, c.To)
	if err == nil && from > to {
		err = badCondition(c, "got the range %s, want its end not before its beginning", c)
	}
	return err
}

// Record returns a record as it was put; of several values of a rule the order may be another.
// Errors: ErrUnknownRecord, or those of reading.
func (s Snapshot) Record(id uint64) (r Record, err error) {
	if r.Key, err = s.snap.Key(id); err != nil {
		return r, err
	}
	if s.layout.schema.Priority != "" {
		if r.Priority, err = s.priority(id); err != nil {
			return r, err
		}
	}
	if s.layout.schema.Default != "" {
		value, _, err := s.snap.AppendValueOf(nil, defaultField, id)
		if err != nil {
			return r, err
		}
		r.Default = string(value) == isDefault
	}
	for i := range s.layout.schema.Attributes {
		c, err := s.condition(i, id)
		if err != nil {
			return r, err
		}
		if c.Value != "" || !c.isExact() {
			r.Conditions = append(r.Conditions, c)
		}
	}
	return r, nil
}

// condition returns what a record has of an attribute.
func (s Snapshot) condition(at int, id uint64) (c Condition, err error) {
	a := &s.layout.schema.Attributes[at]
	c.Attribute = a.Name
	if !a.Rule {
		value, err := s.AppendValue(nil, id, at)
		c.Value = string(value)
		return c, err
	}
	if c.In, err = s.snap.ValuesOf(a.Field, id); err != nil {
		return c, err
	}
	if len(c.In) == 1 {
		c.Value, c.In = c.In[0], nil
	}
	if c.Not, err = s.snap.ValuesOf(a.notField(), id); err != nil || a.Type == Text {
		return c, err
	}
	if c.From, err = s.numberText(at, a.fromField(), id); err == nil {
		c.To, err = s.numberText(at, a.toField(), id)
	}
	return c, err
}

// numberText returns the number of a record in a field of an attribute, as text. It is "" if there
// is none.
func (s Snapshot) numberText(at int, field string, id uint64) (string, error) {
	x, ok, err := s.snap.IntOf(field, id)
	if err != nil || !ok {
		return "", err
	}
	return s.layout.number[at].Text(x), nil
}

// AppendValue appends a record's value of an attribute that is no rule; nothing if it has none.
// attribute is its position in the schema. Errors: those of reading.
func (s Snapshot) AppendValue(dst []byte, id uint64, attribute int) ([]byte, error) {
	a := &s.layout.schema.Attributes[attribute]
	if a.Type == Text {
		dst, _, err := s.snap.AppendValueOf(dst, a.Field, id)
		return dst, err
	}
	x, ok, err := s.snap.IntOf(a.Field, id)
	if err != nil || !ok {
		return dst, err
	}
	if a.Type == Number && a.Scale == 0 {
		return strconv.AppendInt(dst, x, 10), nil
	}
	return append(dst, s.layout.number[attribute].Text(x)...), nil
}

// Attribute returns the position of an attribute in the schema, or -1.
func (s Snapshot) Attribute(name string) int {
	at, ok := s.layout.byName[name]
	if !ok {
		return -1
	}
	return at
}

// overwrites reports whether a new value in the index's fields takes the place of the old one.
func (l *layout) overwrites() bool {
	return !slices.ContainsFunc(l.schema.Attributes, func(a Attribute) bool { return a.Rule })
}

// put adds a record to a batch, in the place of the one with its key.
func (l *layout) put(b *uproar.Batch, r *Record) error {
	kept := map[string]bool{}
	var writes []struct{ field, value string }
	err := l.values(r, func(field, value string) error {
		kept[field] = true
		writes = append(writes, struct{ field, value string }{field, value})
		return nil
	})
	if err != nil {
		return &CheckError{r.Key, err}
	}
	if l.overwrites() {
		b.AddRecord(r.Key)
		for _, f := range l.schema.fields() {
			if !kept[f.Name] {
				b.Unset(f.Name, r.Key)
			}
		}
	} else {
		b.DeleteRecord(r.Key) // with all its rows: the record that follows is a new one
		b.AddRecord(r.Key)
	}
	for _, w := range writes {
		b.Set(w.field, r.Key, w.value)
	}
	return nil
}
