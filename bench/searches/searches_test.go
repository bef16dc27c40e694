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
	x, r := newIndex(list), newRequests(list)
	want := make(map[string]int)
	for i := range list {
		want[body(&list[i], -1, 255)] = list[i].Value
	}
	for _, text := range r.one[:500] {
		var q request
		if err := json.Unmarshal([]byte(text), &q); err != nil {
			t.Fatal(err)
		}
		if p, why, _ := x.find(nil, &q); p == nil || int(p.Value) != want[text] {
			t.Fatalf("%s: got %v %q, want %d", text, p, why, want[text])
		}
	}
	whys := make(map[string]bool)
	for _, text := range r.other {
		var q request
		if err := json.Unmarshal([]byte(text), &q); err != nil {
			t.Fatal(err)
		}
		_, why, _ := x.find(nil, &q)
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
