// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package people

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/bench/population"
	"github.com/uproar-db/uproar/query"
)

// audienceCount is what a plain walk over the people counts in an audience.
type audienceCount struct {
	size   uint64
	counts map[string][]uint64 // field → value → people
}

// check compares all counts of all fields in all audiences with a plain walk over the people. It
// returns how many answers it has compared.
func check(ctx context.Context, snap uproar.Snapshot, p *population.Population, o *Options) (answers int, err error) {
	audiences := population.Audiences()
	counts := make([]audienceCount, len(audiences))
	sizes := map[string]int{"term": population.Terms, "postal": population.Postals, "city": population.Cities}
	for _, d := range population.Demographics {
		sizes[d.Name] = d.Values
	}
	for i := range counts {
		counts[i].counts = make(map[string][]uint64)
		for field, n := range sizes {
			counts[i].counts[field] = make([]uint64, n)
		}
	}
	for n, one := range p.All(0) {
		if n%1024 == 0 {
			if err := ctx.Err(); err != nil {
				return 0, err
			}
			o.progress("checking", int64(n), int64(p.People))
		}
		for i, a := range audiences {
			if a.Fits(one) {
				counts[i].add(one)
			}
		}
	}
	for i, a := range audiences {
		n, err := counts[i].compare(ctx, snap, a)
		if err != nil {
			return answers, fmt.Errorf("audience %s: %w", a.Name, err)
		}
		answers += n
	}
	return answers, nil
}

func (t *audienceCount) add(one *population.Person) {
	t.size++
	for _, term := range one.Terms {
		t.counts["term"][term]++
	}
	t.counts["postal"][one.Postal]++
	t.counts["city"][one.City]++
	for i, d := range population.Demographics {
		t.counts[d.Name][one.Demographic[i]]++
	}
}

// compare asks for all counts, and for the first hundred.
func (t *audienceCount) compare(ctx context.Context, snap uproar.Snapshot, a population.Audience) (answers int,
	err error) {
	e, err := query.Parse(a.Query)
	if err != nil {
		return 0, err
	}
	selected, err := snap.Select(ctx, e)
	if err != nil {
		return 0, err
	}
	if selected.Len() != t.size {
		return 0, fmt.Errorf("got %d people, want %d", selected.Len(), t.size)
	}
	for field, want := range t.counts {
		rows := 0
		for _, n := range want {
			if n > 0 {
				rows++
			}
		}
		for _, limit := range []int{0, top} {
			for _, by := range []uproar.Measure{uproar.ByCount, uproar.ByLift} {
				got, err := selected.Top(ctx, field, uproar.TopOptions{By: by, Limit: limit})
				if err != nil {
					return answers, err
				}
				if most := rows; limit > 0 && len(got) != min(limit, most) || limit == 0 && len(got) != most {
					return answers, fmt.Errorf("%s by %s: got %d values, want %d of %d", field, by, len(got), limit,
						most)
				}
				for _, x := range got {
					if n := want[number(x.Key)]; x.Count != n {
						return answers, fmt.Errorf("%s by %s: got %d people with %s, want %d", field, by, x.Count,
							x.Key, n)
					}
				}
				answers++
			}
		}
		best := slices.Clone(want)
		slices.SortFunc(best, func(a, b uint64) int { return int(b) - int(a) })
		got, err := selected.Top(ctx, field, uproar.TopOptions{Limit: top})
		if err != nil {
			return answers, err
		}
		for i, x := range got {
			if x.Count != best[i] {
				return answers, fmt.Errorf("%s: got %d people with the value of rank %d, want %d", field, x.Count, i,
					best[i])
			}
		}
	}
	return answers, nil
}

// number returns the number in the name of a value.
func number(key string) int {
	if key[0] > '9' {
		key = key[1:]
	}
	n, _ := strconv.Atoi(key) // of a name that load has made
	return n
}
