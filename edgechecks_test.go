// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/uproar-db/uproar"
)

// values returns the values of a record in a field, as groups name them.
func values(p *edgeRecord, field, band string) (out []string) {
	switch field {
	case "city":
		if p.city != "" {
			out = append(out, p.city)
		}
	case "likes":
		for l := range p.likes {
			out = append(out, l)
		}
	case "follows":
		for l := range p.follows {
			out = append(out, l)
		}
	case "age":
		if p.age != nil {
			out = append(out, bandOf(*p.age, band))
		}
	case "born":
		if p.born != nil {
			out = append(out, dayBand(*p.born, band))
		}
	}
	return out
}

// values returns the values of a record by which it is grouped: of the relation, who follows it.
func (e *edges) values(k, field, band string) (out []string) {
	if field != "follows" {
		return values(e.model[k], field, band)
	}
	for o, p := range e.model {
		if p.follows[k] {
			out = append(out, o)
		}
	}
	return out
}

func bandOf(x int64, band string) string {
	if band == "" {
		return fmt.Sprint(x)
	}
	w, _ := new(big.Int).SetString(band, 10)
	q := new(big.Int)
	q.Div(big.NewInt(x), w) // Euclidean: rounds down, as w is above 0
	q.Mul(q, w)
	if !q.IsInt64() {
		return fmt.Sprint(int64(math.MinInt64))
	}
	return q.String()
}

func dayBand(x int64, band string) string {
	f := uproar.Field{Name: "born", Type: uproar.Integer, Format: uproar.Date}
	text := f.Text(x)
	switch band {
	case "month":
		return text[:8] + "01"
	case "year":
		return text[:5] + "01-01"
	}
	return text
}

func (e *edges) checkGroups(of *uproar.Selection, want map[string]bool) {
	t, ctx := e.t, e.t.Context()
	t.Helper()
	all := []string{"city", "likes", "follows", "age", "age by 10", "age by 9223372036854775807", "age by 3",
		"born", "born by month", "born by year"}
	var by []string
	for range 1 + e.rng.IntN(3) {
		by = append(by, all[e.rng.IntN(len(all))])
	}
	seen := map[string]bool{}
	for _, b := range by {
		f := strings.Fields(b)[0]
		if seen[f] {
			return
		}
		seen[f] = true
	}
	counts := map[string]uint64{}
	for k := range want {
		tuples := []string{""}
		for _, b := range by {
			words := strings.Fields(b)
			band := ""
			if len(words) == 3 {
				band = words[2]
			}
			var next []string
			for _, v := range e.values(k, words[0], band) {
				for _, tu := range tuples {
					next = append(next, tu+"/"+v)
				}
			}
			tuples = next
		}
		for _, tu := range tuples {
			counts[tu]++
		}
	}
	groups, err := of.Groups(ctx, 0, by...)
	if err != nil {
		t.Fatal(by, err)
	}
	got := map[string]uint64{}
	for i, g := range groups {
		got["/"+strings.Join(g.Keys, "/")] = g.Count
		if i == 0 {
			continue
		}
		before := groups[i-1]
		if g.Count > before.Count || g.Count == before.Count && slices.Compare(before.Rows, g.Rows) >= 0 {
			t.Fatalf("%v: out of order: %v, %v", by, before, g)
		}
	}
	if len(got) != len(groups) || !sameCounts(got, counts) {
		t.Fatalf("groups %v: got %v, want %v", by, got, counts)
	}
	var each, pages []uproar.Group
	for g, err := range of.AllGroups(ctx, by...) {
		if err != nil {
			t.Fatal(err)
		}
		each = append(each, g)
	}
	limit := 1 + e.rng.IntN(7)
	for after := (*uproar.Group)(nil); ; after = &pages[len(pages)-1] {
		page, err := of.GroupsAfter(ctx, after, limit, by...)
		if err != nil {
			t.Fatal(err)
		}
		if len(page) == 0 {
			break
		}
		pages = append(pages, page...)
	}
	tables, err := of.Tables(ctx, 0, by, by[:1])
	if err != nil {
		t.Fatal(err)
	}
	for what, others := range map[string][]uproar.Group{"each": each, "pages": pages, "table": tables[0]} {
		if a, b := texts(others), texts(groups); a != b {
			t.Fatalf("%v %s:\n got %s\nwant %s", by, what, a, b)
		}
	}
}

func texts(groups []uproar.Group) string {
	var b strings.Builder
	for _, g := range groups {
		fmt.Fprint(&b, g.Keys, g.Rows, g.Count, " ")
	}
	return b.String()
}

func sameCounts(a, b map[string]uint64) bool {
	if len(a) != len(b) {
		return false
	}
	for k, n := range a {
		if b[k] != n {
			return false
		}
	}
	return true
}

func (e *edges) checkNumbers(of *uproar.Selection, want map[string]bool) {
	var ages []int64
	sum := new(big.Int)
	for k := range want {
		if a := e.model[k].age; a != nil {
			ages = append(ages, *a)
			sum.Add(sum, big.NewInt(*a))
		}
	}
	slices.Sort(ages)
	n, err := of.Numbers(e.t.Context(), "age", 0, 0.3, 1)
	if err != nil || n.Sum.Len != uint64(len(ages)) || n.Sum.Big().Cmp(sum) != 0 {
		e.t.Fatalf("got %+v, %v, want the sum %s of %v", n, err, sum, ages)
	}
	if last := len(ages) - 1; last >= 0 && (n.Min != ages[0] || n.Max != ages[last] || n.Quantiles[0] != n.Min ||
		n.Quantiles[2] != n.Max) {
		e.t.Fatalf("got %+v, want those of %v", n, ages)
	}
}

func (e *edges) checkTop(of *uproar.Selection, want map[string]bool) {
	field := []string{"city", "likes", "follows"}[e.rng.IntN(3)]
	counts := map[string]uint64{}
	totals := map[string]uint64{}
	for k := range e.model {
		for _, v := range e.values(k, field, "") {
			totals[v]++
			if want[k] {
				counts[v]++
			}
		}
	}
	top, err := of.Top(e.t.Context(), field, uproar.TopOptions{})
	if err != nil {
		e.t.Fatal(err)
	}
	got := map[string]uint64{}
	for _, r := range top {
		got[r.Key] = r.Count
		if r.Total != totals[r.Key] {
			e.t.Fatalf("top %s: %+v, want a total of %d", field, r, totals[r.Key])
		}
	}
	if !sameCounts(got, counts) {
		e.t.Fatalf("top %s: got %v, want %v", field, got, counts)
	}
	if n, err := of.Distinct(e.t.Context(), field); err != nil || n != uint64(len(counts)) {
		e.t.Fatalf("distinct %s: got %d, %v, want %d", field, n, err, len(counts))
	}
}
