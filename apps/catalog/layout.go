// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"bytes"
	"cmp"
	"math/bits"
	"slices"

	"github.com/uproar-db/uproar"
)

// layout is a schema made ready for searches in its index.
type layout struct {
	schema *Schema
	index  *uproar.Index
	byName map[string]int // position of an attribute
	groups []group        // those of more attributes first
	plain  bool           // of several records none counts more than another
	exact  uint64         // the attributes that have rows that are their values, as bits
	known  known
	number []uproar.Field // of each attribute that is no text: how its numbers are written
}

// group is attributes whose values are kept together.
type group struct {
	attributes uint64 // as bits
	order      []int
	field      string
}

func newLayout(s *Schema, index *uproar.Index) *layout {
	l := &layout{schema: s, index: index, byName: make(map[string]int), number: make([]uproar.Field, len(s.Attributes)),
		plain: s.Priority == "" && s.Default == ""}
	for i := range s.Attributes {
		a := &s.Attributes[i]
		l.byName[a.Name] = i
		l.number[i] = a.number(a.Field)
		l.plain = l.plain && !a.Rule
		if !a.Rule && a.Type == Text {
			l.exact |= 1 << i
		}
	}
	for i, names := range s.Combined {
		g := group{field: combinedField(i)}
		for _, name := range names {
			at := l.byName[name]
			g.order, g.attributes = append(g.order, at), g.attributes|1<<at
		}
		l.groups = append(l.groups, g)
	}
	slices.SortStableFunc(l.groups, func(a, b group) int {
		return cmp.Compare(bits.OnesCount64(b.attributes), bits.OnesCount64(a.attributes))
	})
	return l
}

// isPlain reports whether an attribute has rows that are its values.
func (l *layout) isPlain(i int) bool { return l.exact&(1<<i) != 0 }

// position returns the position of an attribute, which is looked for at next first: conditions
// often come in the order of the schema.
func (l *layout) position(name string, next int) (i int, ok bool) {
	if next < len(l.schema.Attributes) && l.schema.Attributes[next].Name == name {
		return next, true
	}
	i, ok = l.byName[name]
	return i, ok
}

// What stands in the row of a group: separator after each value, and escape before one of the two
// in a value.
const (
	separator = 0x1f
	escape    = 0x1e
)

// appendCombined appends the row of a group for some values, by attribute: no two different
// sequences of values have the same.
func appendCombined(dst []byte, g *group, values *[MaxAttributes]string) []byte {
	start := len(dst)
	for _, i := range g.order {
		dst = append(append(dst, values[i]...), separator)
	}
	if text := dst[start:]; bytes.Count(text, separators) == len(g.order) && bytes.IndexByte(text, escape) < 0 {
		return dst
	}
	dst = dst[:start]
	for _, i := range g.order {
		for _, c := range []byte(values[i]) {
			if c == separator || c == escape {
				dst = append(dst, escape)
			}
			dst = append(dst, c)
		}
		dst = append(dst, separator)
	}
	return dst
}

// separators is a separator, to be counted.
var separators = []byte{separator}
