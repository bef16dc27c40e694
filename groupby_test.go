// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/store/memstore"
)

// bands is an index with an integer field of each format, and all of its records.
func bands(t *testing.T) *uproar.Selection {
	t.Helper()
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	ix, err := db.CreateIndex(t.Context(), "people", uproar.Field{Name: "age", Type: uproar.Integer},
		uproar.Field{Name: "height", Type: uproar.Integer, Scale: 2},
		uproar.Field{Name: "joined", Type: uproar.Integer, Format: uproar.Date},
		uproar.Field{Name: "seen", Type: uproar.Integer, Format: uproar.Time},
		uproar.Field{Name: "city", Type: uproar.Single}, uproar.Field{Name: "likes", Type: uproar.Set},
		uproar.Field{Name: "any", Type: uproar.Integer})
	if err != nil {
		t.Fatal(err)
	}
	put(t, ix, func(b *uproar.Batch) {
		for i, p := range [][]string{
			{"9", "1.79", "2024-02-29", "2026-01-31T23:59:59Z", "Rome", "tea", fmt.Sprint(math.MaxInt64)},
			{"10", "1.80", "2024-03-01", "2026-01-31T23:00:00Z", "Rome", "tea coffee", fmt.Sprint(math.MinInt64 + 1)},
			{"-1", "-0.01", "1969-12-31", "2026-02-01T00:00:00Z", "Oslo", "", "-1"},
			{"-10", "1.89", "2024-12-30", "1969-12-31T23:59:59Z", "Oslo", "tea", "0"},
			{"-11", "0.00", "2025-01-05", "2026-01-26T00:00:00Z", "Rome", "milk tea", "1"},
		} {
			r := fmt.Sprint("p", i)
			for k, field := range []string{"age", "height", "joined", "seen", "city", "", "any"} {
				if field != "" {
					b.Set(field, r, p[k])
				}
			}
			for _, like := range strings.Fields(p[5]) {
				b.Set("likes", r, like)
			}
		}
		b.Set("likes", "p9", "tea") // and nothing else
	})
	snap := ix.Snapshot()
	t.Cleanup(snap.Close)
	of, err := snap.Select(t.Context(), query.All{})
	if err != nil {
		t.Fatal(err)
	}
	return of
}

// TestGroupBands: integers of every format are grouped in bands, which are named by their lower
// ends.
func TestGroupBands(t *testing.T) {
	of := bands(t)
	for by, want := range map[string]string{
		"age":                        "-11:1 -10:1 -1:1 9:1 10:1",
		"age by 10":                  "-10:2 -20:1 0:1 10:1",
		"  age  by  1 ":              "-11:1 -10:1 -1:1 9:1 10:1",
		"age by 9223372036854775807": "-9223372036854775807:3 0:2",
		"height by 0.1":              "1.80:2 -0.10:1 0.00:1 1.70:1",
		"age by 1e1":                 "-10:2 -20:1 0:1 10:1",
		"age by +10.0":               "-10:2 -20:1 0:1 10:1",
		"height by 0.1000":           "1.80:2 -0.10:1 0.00:1 1.70:1",
		"height by 1":                "1.00:3 -1.00:1 0.00:1",
		"joined by day":              "1969-12-31:1 2024-02-29:1 2024-03-01:1 2024-12-30:1 2025-01-05:1",
		"joined by week":             "2024-02-26:2 2024-12-30:2 1969-12-29:1",
		"joined by month":            "1969-12-01:1 2024-02-01:1 2024-03-01:1 2024-12-01:1 2025-01-01:1",
		"joined by quarter":          "2024-01-01:2 1969-10-01:1 2024-10-01:1 2025-01-01:1",
		"joined by year":             "2024-01-01:3 1969-01-01:1 2025-01-01:1",
		"seen by hour": "2026-01-31T23:00:00Z:2 1969-12-31T23:00:00Z:1 2026-01-26T00:00:00Z:1 " +
			"2026-02-01T00:00:00Z:1",
		"seen by day": "2026-01-31T00:00:00Z:2 1969-12-31T00:00:00Z:1 2026-01-26T00:00:00Z:1 " +
			"2026-02-01T00:00:00Z:1",
		"seen by week":  "2026-01-26T00:00:00Z:4 1969-12-29T00:00:00Z:1",
		"seen by month": "2026-01-01T00:00:00Z:3 1969-12-01T00:00:00Z:1 2026-02-01T00:00:00Z:1",
		"any":           "-9223372036854775807:1 -1:1 0:1 1:1 9223372036854775807:1",
		// cut off at the least integer
		"any by 10":        "0:2 -9223372036854775808:1 -10:1 9223372036854775800:1",
		"city,age by 10":   "Rome/-20:1 Rome/0:1 Rome/10:1 Oslo/-10:2",
		"age by 100,likes": "0/tea:2 -100/tea:2 -100/milk:1 0/coffee:1",
		"likes,city,joined by year": "tea/Rome/2024-01-01:2 tea/Rome/2025-01-01:1 tea/Oslo/2024-01-01:1 " +
			"coffee/Rome/2024-01-01:1 milk/Rome/2025-01-01:1",
		"any,seen,age": "-9223372036854775807/2026-01-31T23:00:00Z/10:1 -1/2026-02-01T00:00:00Z/-1:1 " +
			"0/1969-12-31T23:59:59Z/-10:1 1/2026-01-26T00:00:00Z/-11:1 9223372036854775807/2026-01-31T23:59:59Z/9:1",
	} {
		fields := strings.Split(by, ",")
		groups, err := of.Groups(t.Context(), 0, fields...)
		if err != nil {
			t.Errorf("%s: %v", by, err)
			continue
		}
		var got []string
		for _, g := range groups {
			got = append(got, fmt.Sprintf("%s:%d", strings.Join(g.Keys, "/"), g.Count))
		}
		if by == "city,age by 10" || by == "age by 100,likes" {
			if !sameGroups(got, strings.Fields(want)) {
				t.Errorf("%s:\n got %v\nwant %v in any order", by, got, want)
			}
		} else if strings.Join(got, " ") != want {
			t.Errorf("%s:\n got %v\nwant %v", by, strings.Join(got, " "), want)
		}
		var each, pages []uproar.Group
		for g, err := range of.AllGroups(t.Context(), fields...) {
			if err != nil {
				t.Fatal(err)
			}
			each = append(each, g)
		}
		for after := (*uproar.Group)(nil); ; after = &pages[len(pages)-1] {
			page, err := of.GroupsAfter(t.Context(), after, 1, fields...)
			if err != nil {
				t.Fatal(err)
			}
			if len(page) == 0 {
				break
			}
			pages = append(pages, page...)
		}
		tables, err := of.Tables(t.Context(), 0, fields)
		if err != nil {
			t.Fatal(err)
		}
		for i := range tables[0] {
			if g := &tables[0][i]; len(fields) == 1 && g.Total != g.Count {
				t.Errorf("%s: got a total of %d, want %d, as all records are asked", by, g.Total, g.Count)
			}
			tables[0][i].Total = 0
		}
		for what, others := range map[string][]uproar.Group{"one after the other": each, "in pages": pages,
			"as a table": tables[0]} {
			if !reflect.DeepEqual(others, groups) {
				t.Errorf("%s %s:\n got %v\nwant %v", by, what, others, groups)
			}
		}
	}
}

// sameGroups reports whether two lists have the same texts.
func sameGroups(a, b []string) bool {
	seen := map[string]int{}
	for _, x := range a {
		seen[x]++
	}
	for _, x := range b {
		seen[x]--
	}
	for _, n := range seen {
		if n != 0 {
			return false
		}
	}
	return true
}

// TestGroupBandsRefused: what is no band is told, with what there is.
func TestGroupBandsRefused(t *testing.T) {
	of := bands(t)
	for by, want := range map[string]string{
		"":                "want a field, or an integer field and a band, such as \"age by 10\"",
		"age by":          "got \"age by\", want a field, or an integer field and a band",
		"age 10":          "got \"age 10\", want a field, or an integer field and a band",
		"age by 10 years": "got \"age by 10 years\", want a field, or an integer field and a band",
		"age by 0": "age: got the band \"0\", want a whole number from 1 to 9223372036854775807; " +
			"try \"age by 10\"",
		"age by -10":                 "age: got the band \"-10\", want a whole number from 1",
		"age by 1e-3":                "age: got the band \"1e-3\", want a whole number from 1",
		"age by 1.5":                 "age: got the band \"1.5\", want a whole number from 1",
		"age by month":               "age: got the band \"month\", want a whole number from 1",
		"age by 9223372036854775808": "want a whole number from 1 to 9223372036854775807",
		"height by 0.001": "height: got the band \"0.001\", want a number from 0.01 to 92233720368547758.07 " +
			"with at most 2 digits after the point; try \"height by 0.1\"",
		"joined by 7": "joined: got the band \"7\", want day, week, month, quarter or year; try " +
			"\"joined by month\"",
		"joined by hour": "joined: got the band \"hour\", want day, week, month, quarter or year",
		"seen by minute": "seen: got the band \"minute\", want hour, day, week, month, quarter or year",
		"city by 10": "city: got the band \"10\" for a field of type \"single\", want an integer " +
			"field; try \"city\" without a band",
		"likes by month": "likes: got the band \"month\" for a field of type \"set\", want an integer field",
	} {
		_, err := of.Groups(t.Context(), 1, by)
		if !errors.Is(err, uproar.ErrInvalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want ErrInvalid with %s", by, err, want)
		}
		if _, err := of.Tables(t.Context(), 1, []string{"city", by}); !errors.Is(err, uproar.ErrInvalid) ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("table of %q: got %v, want ErrInvalid with %s", by, err, want)
		}
		for _, err := range of.AllGroups(t.Context(), by) {
			if !errors.Is(err, uproar.ErrInvalid) {
				t.Errorf("all of %q: got %v, want ErrInvalid", by, err)
			}
		}
	}
	if _, err := of.Groups(t.Context(), 1, "agee by 10"); !errors.Is(err, uproar.ErrUnknownField) {
		t.Errorf("got %v, want ErrUnknownField", err)
	}
}

// FuzzParseBy: what is read is written as the same.
func FuzzParseBy(f *testing.F) {
	for _, text := range []string{"age", "age by 10", " joined  by month", "by by by", "age by", ""} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		by, err := uproar.ParseBy(text)
		if err != nil {
			if !errors.Is(err, uproar.ErrInvalid) {
				t.Fatalf("got %v, want ErrInvalid", err)
			}
			return
		}
		if again, err := uproar.ParseBy(by.String()); again != by || err != nil {
			t.Fatalf("%q: got %+v, %v, want %+v", text, again, err, by)
		}
	})
}
