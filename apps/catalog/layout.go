// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"

	"github.com/uproar-db/uproar"
)

// layout is a schema made ready for searches in its index.
type layout struct {
	schema *Schema
	index  *uproar.Index
	byName map[string]int // position of an attribute
	groups []group        // those of more attributes first
	plain  bool           // of several records none counts more than another
	number []uproar.Field // of each attribute that is no text: how its numbers are written
}

// group is attributes whose values are kept together.
type group struct {
	attributes uint64 // as bits
	order      []int
	field      string
}

func newLayout(s *Schema, index *uproar.Index) *layout {
	l := &layout{schema: s, index: index, byName: make(map[string]int), number: make([]uproar.Field, len(s.Attributes)), plain: s.Priority == "" && s.Default == ""}
	for i := range s.Attributes {
		a := &s.Attributes[i]
		l.byName[a.Name] = i
		l.number[i] = a.number(a.Field)
		l.plain = l.plain && !a.Rule
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
func (l *layout) isPlain(i int) bool {
	a := &l.schema.Attributes[i]
	return !a.Rule && a.Type == Text
}

// What stands in the row of a group: separator after each value, and escape before one of the two in a value.
const (
	separator = 0x1f
	escape    = 0x1e
)

// appendCombined appends the row of a group for some values, by attribute: no two different sequences of values have the same.
func appendCombined(dst []byte, g *group, values *[MaxAttributes]string) []byte {
	for _, i := range g.order {
		v := values[i]
		if strings.IndexByte(v, separator) < 0 && strings.IndexByte(v, escape) < 0 {
			dst = append(append(dst, v...), separator)
			continue
		}
		for k := range len(v) {
			if v[k] == separator || v[k] == escape {
				dst = append(dst, escape)
			}
			dst = append(dst, v[k])
		}
		dst = append(dst, separator)
	}
	return dst
}
