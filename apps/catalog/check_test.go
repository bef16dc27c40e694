// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package catalog_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/apps/catalog"
)

// TestCheck compares the faults with the ones that every possible search shows. Such a fault is two
// records that some search finds together, or a record that no search finds because another covers
// it.
func TestCheck(t *testing.T) {
	const schema = `{"priority": "p", "attributes": [{"name": "shop"}, {"name": "customer type", "rule": true}, {"name": "quantity", "type": "number", "rule": true}]}`
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 8))
		m := model{}
		var records []catalog.Record
		for i := range 12 {
			record := catalog.Record{Key: fmt.Sprintf("r%02d", i), Priority: int64(r.IntN(2)),
				Conditions: []catalog.Condition{{Attribute: "shop", Value: shops[r.IntN(2)]}}}
			if c, ok := randomRule(r, "customer type", customers[:3], false); ok {
				record.Conditions = append(record.Conditions, c)
			}
			if c, ok := randomRule(r, "quantity", numbers(0, 4), true); ok {
				record.Conditions = append(record.Conditions, c)
			}
			records, m[record.Key] = append(records, record), record
		}
		_, c := open(t, schema, records...)
		s, err := c.Snapshot()
		if err != nil {
			t.Fatal(err)
		}
		ambiguous, unreachable := map[string]bool{}, map[string]bool{}
		err = s.Check(t.Context(), func(f catalog.Fault) error {
			if f.Kind == catalog.Unreachable {
				unreachable[f.Key] = true
			} else {
				ambiguous[f.Key+" "+f.Other] = true
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		s.Close()

		// By every search: values that no condition names stand for all others. Of records with
		// conditions on different attributes, those may be told that a search finds only beside one
		// that counts more: when it takes several such to decide all searches.
		mayBeAmbiguous := map[string]bool{}
		wantAmbiguous, found, losesTo := map[string]bool{}, map[string]bool{}, map[string]map[string]bool{}
		for _, shop := range shops[:2] {
			for _, customer := range append(customers[:3:3], "other", "any else") {
				for _, quantity := range numbers(-2, 7) {
					search := []catalog.Condition{{Attribute: "shop", Value: shop},
						{Attribute: "customer type", Value: customer}, {Attribute: "quantity", Value: quantity}}
					fitting := m.fitting(search)
					conditions, priority := 0, int64(0) // of the records found
					for i := range fitting {
						if f := &fitting[i]; len(f.Conditions) > conditions {
							conditions, priority = len(f.Conditions), f.Priority
						} else if len(f.Conditions) == conditions {
							priority = max(priority, f.Priority)
						}
					}
					for i := range fitting {
						better := map[string]bool{}
						for k := range fitting {
							switch a, b := &fitting[i], &fitting[k]; {
							case i == k || len(a.Conditions) != len(b.Conditions):
							case a.Priority < b.Priority && sameAttributes(a, b):
								better[b.Key] = true
							case a.Priority != b.Priority || a.Key > b.Key:
							case len(a.Conditions) == conditions && a.Priority == priority || sameAttributes(a, b):
								wantAmbiguous[a.Key+" "+b.Key] = true
							default:
								mayBeAmbiguous[a.Key+" "+b.Key] = true
							}
						}
						key := fitting[i].Key
						if !found[key] {
							found[key], losesTo[key] = true, better
							continue
						}
						maps.DeleteFunc(losesTo[key], func(k string, _ bool) bool { return !better[k] })
					}
				}
			}
		}
		wantUnreachable := map[string]bool{}
		for key, others := range losesTo {
			if len(others) > 0 {
				wantUnreachable[key] = true
			}
		}
		maps.DeleteFunc(ambiguous, func(k string, _ bool) bool { return mayBeAmbiguous[k] && !wantAmbiguous[k] })
		if !maps.Equal(ambiguous, wantAmbiguous) || !maps.Equal(unreachable, wantUnreachable) {
			t.Fatalf("seed %d: got ambiguous %v and unreachable %v, want %v and %v", seed,
				slices.Sorted(maps.Keys(ambiguous)), unreachable, slices.Sorted(maps.Keys(wantAmbiguous)),
				wantUnreachable)
		}
	}
}

// TestCheckDifferentAttributes has two records with conditions on different attributes. A search
// that fits both finds several, unless a record with both conditions decides it (docs/catalog.md).
func TestCheckDifferentAttributes(t *testing.T) {
	const schema = `{"key": "id", "attributes": [{"name": "article"}, {"name": "customer", "rule": true}, {"name": "quantity", "type": "number", "rule": true}, {"name": "day", "type": "date", "rule": true}]}`
	for name, c := range map[string]struct {
		lines string
		want  []string
	}{
		"none decides":     {"trade,tea,trade,,\nbulk,tea,,100..,\n", []string{"bulk trade"}},
		"one decides":      {"trade,tea,trade,,\nbulk,tea,,100..,\nboth,tea,trade,50..,\n", nil},
		"one decides some": {"trade,tea,trade,,\nbulk,tea,,100..,\nboth,tea,trade,200..,\n", []string{"bulk trade"}},
		"of another third": {"trade,tea,trade,,\nbulk,tea,,100..,\nday,tea,trade,,2026-01-01..\n",
			[]string{"bulk trade"}},
		"of another value": {"trade,tea,trade,,\nbulk,cake,,100..,\n", nil},
		"with one in common": {"a,tea,trade|staff,1..,\nb,tea,staff,,2026-01-01\nc,tea,other,,2026-01-01\n",
			[]string{"a b"}},
		"none in common": {"a,tea,trade,1..5,\nb,tea,,6..,2026-01-01\n", nil},
	} {
		s, _, _ := imported(t, schema, "id,article,customer,quantity,day\n"+c.lines)
		var got []string
		err := s.Check(t.Context(), func(f catalog.Fault) error {
			got = append(got, f.Key+" "+f.Other)
			return nil
		})
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q (%v), want %q", name, got, err, c.want)
		}
	}
}

// sameAttributes reports whether two records have conditions on the same attributes.
func sameAttributes(a, b *catalog.Record) bool {
	return !slices.ContainsFunc(a.Conditions, func(c catalog.Condition) bool {
		_, ok := has(b, c.Attribute)
		return !ok
	})
}
