// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package searches

import (
	"strings"
	"testing"

	"github.com/goccy/go-json"

	"github.com/uproar-db/uproar/cmd/uproar/pricelist"
)

// TestFind asks the peer for prices that are in the list, and for some that are not.
func TestFind(t *testing.T) {
	list := pricelist.Make(1, true, 1)
	r := newRequests(list)
	x, _, err := newFinder(roaringKind, list)
	if err != nil {
		t.Fatal(err)
	}
	var own room
	want := make(map[string]int)
	for i := range list {
		want[body(&list[i], -1, 255)] = list[i].Value
	}
	for _, text := range r.one[:500] {
		var q request
		if err := json.Unmarshal([]byte(text), &q); err != nil {
			t.Fatal(err)
		}
		if p, why := x.find(&own, &q); p == nil || int(p.Value) != want[text] {
			t.Fatalf("%s: got %v %q, want %d", text, p, why, want[text])
		}
	}
	whys := make(map[string]bool)
	for _, text := range r.other {
		var q request
		if err := json.Unmarshal([]byte(text), &q); err != nil {
			t.Fatal(err)
		}
		_, why := x.find(&own, &q)
		whys[why] = true
	}
	for _, why := range []string{"", "unable find price", "unable find price, no default and >1 found",
		"unable find offeringId in index", "unable to find charId in index", "unable to find charValue in index"} {
		if !whys[why] {
			t.Errorf("no request has the answer %q", why)
		}
	}
}

// TestFlags checks that flags that cannot be are refused.
func TestFlags(t *testing.T) {
	for _, args := range [][]string{{"more"}, {"-rounds", "0"}, {"-driver", "ab"}, {"-time", "0s"}} {
		var stdout, stderr strings.Builder
		if err := Command(args, &stdout, &stderr); err == nil || stderr.Len() == 0 {
			t.Errorf("%q: got %v, %q, want an error that is explained", args, err, stderr.String())
		}
	}
}

// TestFinders asks the maps what the bitmaps are asked.
func TestFinders(t *testing.T) {
	list := pricelist.Make(1, true, 1)
	r := newRequests(list)
	all := make(map[string]finder)
	for _, kind := range []string{roaringKind, scanKind, compositeKind} {
		f, held, err := newFinder(kind, list)
		if err != nil || held.Index <= 0 || held.Entities <= 0 {
			t.Fatalf("%s: got %+v, %v", kind, held, err)
		}
		all[kind] = f
	}
	if _, _, err := newFinder("other", list); err == nil {
		t.Error("other: got no error")
	}
	found := 0
	for _, text := range append(r.one[:500], r.other...) {
		var q request
		if err := json.Unmarshal([]byte(text), &q); err != nil {
			t.Fatal(err)
		}
		var own room
		want, why := all[roaringKind].find(&own, &q)
		if strings.Contains(why, "in index") {
			why = noPrice // which of the values is unknown the maps do not say
		}
		for kind, f := range all {
			got, says := f.find(&own, &q)
			if kind == roaringKind || kind == compositeKind && len(q.Chars) < len(pricelist.Attributes)-firstChar {
				continue
			}
			if (got == nil) != (want == nil) || got != nil && *got != *want || says != why {
				t.Errorf("%s: %s: got %v %q, want %v %q", kind, text, got, says, want, why)
			}
			found++
		}
	}
	if found < 1000 {
		t.Errorf("compared %d answers", found)
	}
}
