// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"cmp"
	"context"
	"maps"
	"math/bits"
	"slices"
)

// checkApart compares records with conditions on some rules with records of as many conditions on
// others. None of them covers another: each leaves open what the other does not. alike are all
// records with the same values, by their rules.
func checkApart(ctx context.Context, alike map[uint64][]*ruled, some, others uint64, fn func(Fault) error) error {
	seen := map[[2]*ruled]bool{}
	rivals := rivalsOf(alike[some], alike[others])
	var decisive [][]*ruled // with conditions on as many of these rules or more, and on no others
	for _, rules := range slices.Sorted(maps.Keys(alike)) {
		if rules&^(some|others) == 0 && bits.OnesCount64(rules) >= bits.OnesCount64(some) {
			decisive = append(decisive, alike[rules])
		}
	}
	for _, a := range alike[some] {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		for _, list := range rivals(a) {
			for _, b := range list {
				if seen[[2]*ruled{a, b}] || !ambiguous(a, b) {
					continue
				}
				seen[[2]*ruled{a, b}] = true
				if decided(a, b, decisive) {
					continue
				}
				f := Fault{Ambiguous, a.key, b.key}
				if b.key < a.key {
					f.Key, f.Other = b.key, a.key
				}
				if err := fn(f); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// ambiguous reports whether two records with conditions on different rules fit the same search and
// tie. They have as many conditions. On a rule of one of them the search names what fits it.
func ambiguous(a, b *ruled) bool {
	if a.priority != b.priority || a.isDefault != b.isDefault {
		return false
	}
	for common := a.rules & b.rules; common != 0; common &= common - 1 {
		at := bits.TrailingZeros64(common)
		if !a.on(at).meets(b.on(at)) {
			return false
		}
	}
	return true
}

// decided reports whether one of other records fits whatever fits two that count as much, and
// counts more: each of its conditions covers that of one of them.
func decided(a, b *ruled, decisive [][]*ruled) bool {
	for _, list := range decisive {
		for _, c := range list {
			fits := cmp.Or(cmp.Compare(len(c.conditions), len(a.conditions)), cmp.Compare(c.priority, a.priority),
				compareBool(c.isDefault, a.isDefault)) > 0
			for rules := c.rules; rules != 0 && fits; rules &= rules - 1 {
				at := bits.TrailingZeros64(rules)
				fits = a.rules&(1<<at) != 0 && c.on(at).covers(a.on(at)) || b.rules&(1<<at) != 0 &&
					c.on(at).covers(b.on(at))
			}
			if fits {
				return true
			}
		}
	}
	return false
}

// on returns the condition on a rule, which there is.
func (r *ruled) on(rule int) *test {
	return &r.conditions[bits.OnesCount64(r.rules&(1<<rule-1))]
}

// rivalsOf returns a function that lists, for one of some records, the others that can fit the same
// search. It compares their values of one rule that all of them name, the rule that leaves the
// fewest pairs. Without such a rule, it lists all others.
func rivalsOf(some, others []*ruled) func(*ruled) [][]*ruled {
	everyone := [][]*ruled{others}
	rivals, least := func(*ruled) [][]*ruled { return everyone }, len(some)*len(others)
	for common := some[0].rules & others[0].rules; common != 0; common &= common - 1 {
		rule := bits.TrailingZeros64(common)
		left, right := byValue(some, rule), byValue(others, rule)
		if left == nil || right == nil {
			continue
		}
		pairs := 0
		for value, list := range left {
			pairs += len(list) * len(right[value])
		}
		if pairs < least {
			least = pairs
			rivals = func(a *ruled) (lists [][]*ruled) {
				for _, value := range a.on(rule).in {
					lists = append(lists, right[value])
				}
				return lists
			}
		}
	}
	return rivals
}

// byValue returns the records that name each value in a rule; nil if one of them names none.
func byValue(records []*ruled, rule int) map[string][]*ruled {
	sets := map[string][]*ruled{}
	for _, r := range records {
		in := r.on(rule).in
		if len(in) == 0 {
			return nil
		}
		for _, v := range in {
			sets[v] = append(sets[v], r)
		}
	}
	return sets
}
