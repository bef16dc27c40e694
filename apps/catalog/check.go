// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"strings"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
)

// Fault is what is wrong with two records.
type Fault struct {
	Kind  FaultKind
	Key   string // of Unreachable: the record that no search finds
	Other string // of Unreachable: the one that is found in its place
}

// FaultKind says what is wrong.
type FaultKind uint8

const (
	// Ambiguous records both fit some search that names all attributes, and neither of them counts
	// more. Those with conditions on different attributes are none if what fits both fits a third
	// record, too, which counts more.
	Ambiguous FaultKind = iota
	// Unreachable is a record that no search finds: another one fits whatever it fits, and counts
	// more.
	Unreachable
)

// String says it in words.
func (f Fault) String() string {
	if f.Kind == Unreachable {
		return fmt.Sprintf("unreachable: %s is never found: %s fits whatever it fits, and counts more", f.Key, f.Other)
	}
	return fmt.Sprintf("ambiguous: %s and %s fit the same search, and neither counts more", f.Key, f.Other)
}

// ErrStop ends a check when its function returns it.
var ErrStop = fmt.Errorf("catalog: no more faults are wanted")

// Check calls fn with each fault of the records, always in the same order, until fn returns an
// error. ErrStop ends it with nil. It leaves out attributes that are information. It does not find
// a record that several others together cover. Memory: all records. Cost: a comparison of each two
// records with the same values and with conditions on as many attributes, unless they name
// different values of one of these. Errors: fn's, ctx's, or those of reading.
func (s Snapshot) Check(ctx context.Context, fn func(Fault) error) error {
	ids, err := s.snap.IDs(ctx, query.All{}, uproar.Page{})
	if err != nil {
		return err
	}
	rivals := map[string][]*ruled{}
	for i, id := range ids.IDs {
		if i%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		r, err := s.ruled(id)
		if err != nil {
			return err
		}
		rivals[r.values] = append(rivals[r.values], r)
	}
	for _, values := range slices.Sorted(maps.Keys(rivals)) {
		if err := checkRivals(ctx, rivals[values], fn); err == ErrStop {
			return nil
		} else if err != nil {
			return err
		}
	}
	return nil
}

// ruled is a record for a check.
type ruled struct {
	key        string
	priority   int64
	isDefault  bool
	values     string // only a record with the same can fit the same search
	rules      uint64 // the rules on which it has a condition, as bits
	conditions []test // on these, in the order of the schema
}

// test is a condition in numbers: values are sorted.
type test struct {
	in, not  []string
	from, to int64
	ranged   bool
	number   uproar.Field
}

// ruled reads a record.
func (s Snapshot) ruled(id uint64) (*ruled, error) {
	record, err := s.Record(id)
	if err != nil {
		return nil, err
	}
	r := &ruled{key: record.Key, priority: record.Priority, isDefault: record.Default}
	var values strings.Builder
	for i := range record.Conditions {
		c := &record.Conditions[i]
		at := s.layout.byName[c.Attribute]
		switch a := &s.layout.schema.Attributes[at]; {
		case a.Info:
		case a.Rule:
			r.rules |= 1 << at
			r.conditions = append(r.conditions, s.layout.test(at, c))
		default:
			fmt.Fprintf(&values, "%d=%q", at, c.Value)
		}
	}
	r.values = values.String()
	return r, nil
}

// test returns a stored condition in numbers.
func (l *layout) test(at int, c *Condition) test {
	t := test{in: c.In, not: c.Not, number: l.number[at], from: leastInteger, to: greatestInteger}
	if c.Value != "" {
		t.in = []string{c.Value}
	}
	slices.Sort(t.in)
	slices.Sort(t.not)
	if c.From != "" {
		t.from, _ = l.number[at].Parse(c.From) // which was parsed when it was put
	}
	if c.To != "" {
		t.to, _ = l.number[at].Parse(c.To)
	}
	t.ranged = c.From != "" || c.To != ""
	return t
}

// checkRivals compares records with the same values: those with conditions on as many rules, of
// which none counts more for that.
func checkRivals(ctx context.Context, records []*ruled, fn func(Fault) error) error {
	if len(records) < 2 {
		return nil
	}
	slices.SortFunc(records, func(a, b *ruled) int { return cmp.Compare(a.key, b.key) })
	alike := map[uint64][]*ruled{}
	for _, r := range records {
		alike[r.rules] = append(alike[r.rules], r)
	}
	shapes := slices.Sorted(maps.Keys(alike))
	for i, rules := range shapes {
		if err := checkAlike(ctx, alike[rules], fn); err != nil {
			return err
		}
		for _, others := range shapes[i+1:] {
			if bits.OnesCount64(rules) != bits.OnesCount64(others) {
				continue
			}
			if err := checkApart(ctx, alike, rules, others, fn); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkAlike compares records with conditions on the same rules.
func checkAlike(ctx context.Context, records []*ruled, fn func(Fault) error) error {
	seen := map[[2]*ruled]bool{}
	for _, some := range splitByValue(records) {
		for i, a := range some {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			for _, b := range some[i+1:] {
				if seen[[2]*ruled{a, b}] {
					continue
				}
				f, wrong := compare(a, b)
				if !wrong {
					continue
				}
				seen[[2]*ruled{a, b}] = true
				if err := fn(f); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// splitByValue splits records into sets, so that two which fit the same search share a set. It
// splits by the values that the records name in one rule: the rule that makes the smallest sets.
func splitByValue(records []*ruled) [][]*ruled {
	best, most := [][]*ruled{records}, len(records)*len(records)
	for at := range records[0].conditions {
		sets := map[string][]*ruled{}
		for _, r := range records {
			if sets != nil && len(r.conditions[at].in) == 0 {
				sets = nil
			}
			for _, v := range r.conditions[at].in {
				if sets != nil {
					sets[v] = append(sets[v], r)
				}
			}
		}
		pairs, split := 0, [][]*ruled(nil)
		for _, value := range slices.Sorted(maps.Keys(sets)) {
			set := sets[value]
			pairs, split = pairs+len(set)*len(set), append(split, set)
		}
		if sets != nil && pairs < most {
			best, most = split, pairs
		}
	}
	return best
}

// compare says what is wrong with two records of one shape.
func compare(a, b *ruled) (f Fault, wrong bool) {
	for i := range a.conditions {
		if !a.conditions[i].meets(&b.conditions[i]) {
			return f, false
		}
	}
	switch c := cmp.Or(cmp.Compare(a.priority, b.priority), compareBool(a.isDefault, b.isDefault)); {
	case c == 0:
		return Fault{Ambiguous, a.key, b.key}, true
	case c < 0:
		a, b = b, a
	}
	for i := range a.conditions {
		if !a.conditions[i].covers(&b.conditions[i]) {
			return f, false
		}
	}
	return Fault{Unreachable, b.key, a.key}, true
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	default:
		return -1
	}
}
