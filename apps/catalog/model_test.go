// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package catalog_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/uproar-db/uproar/apps/catalog"
)

// rulesSchema has every kind of attribute.
const rulesSchema = `{"key": "id", "priority": "prio", "default": "dflt", "attributes": [
	{"name": "shop"}, {"name": "customer type", "rule": true}, {"name": "quantity", "type": "number", "rule": true}, {"name": "day", "type": "date", "rule": true}, {"name": "size", "type": "number"},
	{"name": "price", "type": "number", "scale": 2, "info": true}, {"name": "colour"}], "combined": [["shop", "colour"]]}`

// The values that random records and searches have.
var (
	shops     = []string{"north", "south", "east"}
	customers = []string{"retail", "trade", "staff", "guest"}
	colours   = []string{"red", "blue"}
	days      = []string{"2026-01-30", "2026-01-31", "2026-02-01", "2026-02-02"}
)

// model is the records of a catalog, searched by looking at each.
type model map[string]catalog.Record

// randomRule returns a condition on a rule, or none.
func randomRule(r *rand.Rand, name string, values []string, ordered bool) (c catalog.Condition, ok bool) {
	c.Attribute = name
	some := func() []string {
		list := slices.Clone(values)
		r.Shuffle(len(list), func(i, k int) { list[i], list[k] = list[k], list[i] })
		return list[:1+r.IntN(2)]
	}
	switch r.IntN(6) {
	case 0, 1:
		return c, false
	case 2:
		c.In = append(some(), "other")
	case 3:
		c.Not = some()
	case 4:
		if i := r.IntN(len(values)); ordered {
			switch k := i + r.IntN(len(values)-i); r.IntN(3) {
			case 0:
				c.From = values[i]
			case 1:
				c.To = values[k]
			default:
				c.From, c.To = values[i], values[k]
			}
			return c, true
		}
		fallthrough
	default:
		c.Value = some()[0]
	}
	if ordered && len(c.In) > 0 {
		if c.In = c.In[:len(c.In)-1]; len(c.In) == 1 {
			c.Value, c.In = c.In[0], nil
		}
	}
	return c, true
}

func randomRecord(r *rand.Rand, key string) catalog.Record {
	record := catalog.Record{Key: key, Priority: int64(r.IntN(3) - 1), Default: r.IntN(4) == 0}
	value := func(name string, values []string) {
		if r.IntN(8) > 0 {
			record.Conditions = append(record.Conditions, catalog.Condition{Attribute: name,
				Value: values[r.IntN(len(values))]})
		}
	}
	rule := func(name string, values []string, ordered bool) {
		if c, ok := randomRule(r, name, values, ordered); ok {
			record.Conditions = append(record.Conditions, c)
		}
	}
	value("shop", shops)
	rule("customer type", customers, false)
	rule("quantity", numbers(-2, 5), true)
	rule("day", days, true)
	value("size", numbers(-1, 3))
	value("price", []string{"9.50", "10.00", "-1.25"})
	value("colour", colours)
	return record
}

func numbers(from, to int) (list []string) {
	for i := from; i < to; i++ {
		list = append(list, strconv.Itoa(i))
	}
	return list
}

// has returns what a record has of an attribute.
func has(record *catalog.Record, name string) (c catalog.Condition, ok bool) {
	for _, c := range record.Conditions {
		if c.Attribute == name {
			return c, true
		}
	}
	return c, false
}

// isRule says which attributes are rules. isOrdered says which may have ranges of values.
var (
	isRule    = map[string]bool{"customer type": true, "quantity": true, "day": true}
	isOrdered = map[string]bool{"quantity": true, "day": true, "size": true, "price": true}
)

// less compares values of an attribute.
func less(name, a, b string) bool {
	if name == "day" || !isOrdered[name] {
		return a < b
	}
	x, _ := strconv.ParseFloat(a, 64)
	y, _ := strconv.ParseFloat(b, 64)
	return x < y
}

// inside reports whether a value fits a condition.
func inside(c *catalog.Condition, value string) bool {
	switch {
	case len(c.In) > 0:
		return slices.Contains(c.In, value)
	case len(c.Not) > 0:
		return !slices.Contains(c.Not, value)
	case c.From != "" || c.To != "":
		return (c.From == "" || !less(c.Attribute, value, c.From)) && (c.To == "" || !less(c.Attribute, c.To, value))
	default:
		return c.Value == value
	}
}

// fits reports whether a record fits a condition of a search.
func fits(record *catalog.Record, wanted *catalog.Condition) bool {
	own, ok := has(record, wanted.Attribute)
	if !isRule[wanted.Attribute] {
		return ok && inside(wanted, own.Value)
	}
	if !ok {
		return true
	}
	values := wanted.In
	if len(values) == 0 {
		values = []string{wanted.Value}
	}
	return slices.ContainsFunc(values, func(v string) bool { return inside(&own, v) })
}

// fitting returns the records that fit a search, by key.
func (m model) fitting(search []catalog.Condition) (records []catalog.Record) {
	for _, key := range slices.Sorted(maps.Keys(m)) {
		record := m[key]
		if !slices.ContainsFunc(search, func(c catalog.Condition) bool { return !fits(&record, &c) }) {
			records = append(records, record)
		}
	}
	return records
}

// search returns the keys of the records that count most.
func (m model) search(search []catalog.Condition) (keys []string) {
	var best [3]int
	for _, record := range m.fitting(search) {
		at := [3]int{0, int(record.Priority), 0}
		named := map[string]bool{}
		for _, c := range search {
			if _, ok := has(&record, c.Attribute); ok && isRule[c.Attribute] && !named[c.Attribute] {
				named[c.Attribute] = true
				at[0]++
			}
		}
		if record.Default {
			at[2] = 1
		}
		if c := slices.Compare(at[:], best[:]); len(keys) == 0 || c > 0 {
			best, keys = at, []string{record.Key}
		} else if c == 0 {
			keys = append(keys, record.Key)
		}
	}
	return keys
}

// randomSearch names some attributes.
func randomSearch(r *rand.Rand) (search []catalog.Condition) {
	for name, values := range map[string][]string{"shop": append(shops, "nowhere"),
		"customer type": append(customers, "nobody"), "quantity": numbers(-3, 7), "day": append(days, "2027-01-01"),
		"size": numbers(-2, 4), "colour": append(colours, "none"), "price": {"9.50", "10.00", "11.00"}} {
		if r.IntN(3) == 0 {
			continue
		}
		c := catalog.Condition{Attribute: name}
		pick := func() string { return values[r.IntN(len(values))] }
		switch kind := r.IntN(8); {
		case kind == 0:
			c.In = []string{pick(), pick()}
		case kind == 1 && !isRule[name]:
			c.Not = []string{pick()}
		case kind == 2 && !isRule[name] && isOrdered[name]:
			if c.From = pick(); r.IntN(2) == 0 {
				c.To = pick()
			}
		default:
			c.Value = pick()
		}
		search = append(search, c)
	}
	r.Shuffle(len(search), func(i, k int) { search[i], search[k] = search[k], search[i] })
	return search
}

// describe prints a search for failures.
func describe(search []catalog.Condition) (text string) {
	for _, c := range search {
		text += fmt.Sprintf("%s: %s; ", c.Attribute, c)
	}
	return text
}
