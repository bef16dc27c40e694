// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package live

import (
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/apps/graph/live/livetest"
)

// Accounts, lists and keys of tests.
const (
	anna  = "did:plc:0anna"
	bob   = "did:plc:0bob"
	carol = "did:plc:0carol"
	ours  = "at://" + anna + "/app.bsky.graph.list/3l"
	other = "at://" + anna + "/app.bsky.graph.list/3m"
	items = "at://" + anna + "/app.bsky.graph.listitem"
	first = "3m6abcde3hs2x"
	later = "3m6abcdf2222x"
)

// named is a source of tests.
type named struct{ Source }

func (named) Name() string { return "test" }

// repeating is a source without positions.
type repeating struct{ Refetcher }

func (repeating) Name() string { return "test" }

// testRules returns rules by which five nanoseconds are a long time.
func testRules(sink Sink, source Source) *rules {
	return newRules(sink, source, &Options{SyncQuiet: 5, Quiet: 5, Patience: 50, Repairs: 1, PerHost: 1,
		RepairQueue: 100, RepairBytes: 1 << 20, Logger: slog.New(slog.DiscardHandler)}, new(figures))
}

// play writes each group of events in one commit, and returns the records, in their order, and what
// was skipped.
func play(t *testing.T, source Source, groups ...[]Event) (records, skipped string) {
	t.Helper()
	g := livetest.NewGraph()
	r := testRules(g, source)
	r.begin()
	for _, group := range groups {
		for _, e := range group {
			if err := r.add(t.Context(), &e, 0); err != nil {
				t.Fatal(err)
			}
		}
		c, _ := r.take()
		if _, err := g.Write(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	var lines []string
	for k, v := range g.Records() {
		lines = append(lines, k+" "+v)
	}
	return fmt.Sprint(slices.Sorted(slices.Values(lines))), fmt.Sprint(r.figures.read().Skipped)
}

func follows(key, target string) Event {
	return Event{Kind: Written, Account: anna, Collection: Follow, Key: key, Target: target}
}

func item(key, list string) Event {
	return Event{Kind: Written, Account: anna, Collection: ListItem, Key: key, Target: bob, List: list}
}

func gone(of Collection, key string) Event {
	return Event{Kind: Deleted, Account: anna, Collection: of, Key: key}
}

func state(s Status) Event { return Event{Kind: Account, Account: anna, Status: s} }

// TestRules has a case for each rule of a consumer. Each is tried with all events in one commit,
// and with a commit for each; the outcome is the same.
func TestRules(t *testing.T) {
	edge := func(key, target string) string { return "follows " + anna + " " + key + " " + target }
	listed := func(key, list string) []string {
		return []string{"members " + items + " " + key + " " + list, "members " + list + " " + key + " " + bob}
	}
	for name, c := range map[string]struct {
		events  []Event
		want    []string
		skipped string
	}{
		"a record twice is one": {
			[]Event{follows(first, bob), follows(first, bob)},
			[]string{edge(first, bob)}, "",
		},
		"an update takes the old away": {
			[]Event{follows(first, bob), follows(first, carol)},
			[]string{edge(first, carol)}, "",
		},
		"another key is a second record": {
			[]Event{follows(first, bob), follows(later, bob)},
			[]string{edge(first, bob), edge(later, bob)}, "",
		},
		"the edge goes with its last record": {
			[]Event{follows(first, bob), follows(later, bob), gone(Follow, first)},
			[]string{edge(later, bob)}, "",
		},
		"an unknown key is nothing": {[]Event{gone(Follow, first), gone(ListItem, first)}, nil, ""},
		"a key is free after a deletion": {
			[]Event{follows(first, bob), gone(Follow, first), follows(first, carol)},
			[]string{edge(first, carol)}, "",
		},
		"a key is of one collection": {
			[]Event{follows(first, bob), gone(Block, first)},
			[]string{edge(first, bob)}, "",
		},
		"self-follows are kept": {
			[]Event{follows(first, anna)},
			[]string{edge(first, anna)}, "",
		},
		"keys need not be TIDs": {
			[]Event{follows("self", bob), follows("a.b_c:d~e-F9", bob)},
			[]string{edge("a.b_c:d~e-F9", bob), edge("self", bob)}, "",
		},
		"512 bytes are a key, 513 are not": {
			[]Event{follows(strings.Repeat("k", 512), bob), follows(strings.Repeat("k", 513), bob)},
			[]string{edge(strings.Repeat("k", 512), bob)}, "map[bad-key:1]"},
		"no record has the key": {[]Event{follows("", bob), follows(".", bob), follows("..", bob), follows("a/b", bob),
			follows("a b", bob)}, nil, "map[bad-key:5]"},
		"the subject is no DID": {
			[]Event{follows(first, "anna.example"), follows(later, "did:plc:")},
			nil, "map[bad-subject:2]",
		},
		"an update that cannot be read takes the old away": {[]Event{follows(first, bob),
			{Kind: Written, Account: anna, Collection: Follow, Key: first, Skip: BadRecord}}, nil, "map[bad-record:1]"},
		"the actor is no DID": {
			[]Event{{Kind: Written, Account: "anna", Collection: Follow, Key: first, Target: bob}},
			nil, "map[bad-account:1]",
		},
		"an item has two edges": {[]Event{item(first, ours)}, listed(first, ours), ""},
		"an item goes": {
			[]Event{item(first, ours), item(later, other), gone(ListItem, later)},
			listed(first, ours), "",
		},
		"an item moves": {
			[]Event{item(first, ours), item(first, other)},
			listed(first, other), "",
		},
		"a list of another account": {
			[]Event{item(first, "at://"+bob+"/app.bsky.graph.list/3l")},
			nil, "map[foreign-list:1]",
		},
		"a list that is none": {
			[]Event{item(first, "at://"+anna+"/app.bsky.feed.post/3l"), item(later, "")},
			nil, "map[foreign-list:2]",
		},
		"hidden is not deleted": {
			[]Event{follows(first, bob), state(Hidden)},
			[]string{edge(first, bob), "hidden " + anna + " yes"}, "",
		},
		"active again": {
			[]Event{follows(first, bob), state(Hidden), state(Active)},
			[]string{edge(first, bob)}, "",
		},
		"deleted: no deletions come": {
			[]Event{follows(first, bob), item(later, ours), state(Gone)},
			[]string{"hidden " + anna + " yes"}, "",
		},
		"others' records stay": {
			[]Event{{Kind: Written, Account: bob, Collection: Follow, Key: first, Target: anna}, state(Gone)},
			[]string{"follows " + bob + " " + first + " " + anna, "hidden " + anna + " yes"}, ""},
		"it comes back as new": {
			[]Event{follows(first, bob), state(Gone), state(Active), follows(later, carol)},
			[]string{edge(later, carol)}, "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			var each [][]Event
			for i := range c.events {
				each = append(each, c.events[i:i+1])
			}
			if c.skipped == "" {
				c.skipped = "map[]"
			}
			for _, groups := range [][][]Event{{c.events}, each, append(each[:len(each):len(each)], c.events)} {
				records, skipped := play(t, named{}, groups...)
				if records != fmt.Sprint(slices.Sorted(slices.Values(c.want))) ||
					len(groups) <= len(each) && skipped != c.skipped {
					t.Errorf("in %d commits:\ngot  %s, skipped %s\nwant %s, skipped %s", len(groups), records, skipped, c.want,
						c.skipped)
				}
			}
		})
	}
}

// TestOrderWithoutPositions: of a source that repeats events, one that comes late changes nothing.
func TestOrderWithoutPositions(t *testing.T) {
	create := Event{Kind: Written, Account: anna, Collection: Follow, Key: first, Target: bob, Rev: "3a", ID: 1}
	remove := Event{Kind: Deleted, Account: anna, Collection: Follow, Key: first, Rev: "3b", ID: 2}
	hide := Event{Kind: Account, Account: anna, Status: Hidden, ID: 3}
	show := Event{Kind: Account, Account: anna, Status: Active, ID: 4}
	records, skipped := play(t, repeating{}, []Event{create, remove, create, hide, show, hide})
	if records != "[]" || skipped != "map[stale:2]" {
		t.Errorf("got %s, skipped %s, want nothing, and two stale", records, skipped)
	}
}

// TestWindow: a window forgets the accounts of which nothing came for long, and no others.
func TestWindow(t *testing.T) {
	w := newWindow[seen](10)
	for i := range 100 {
		w.note(fmt.Sprint(i), seen{rev: "a"})
		w.note("often", seen{rev: fmt.Sprint(i)})
		if s, known := w.of("often"); !known || s.rev != fmt.Sprint(i) {
			t.Fatalf("after %d: got %+v, want the last", i, s)
		}
		if _, known := w.of(fmt.Sprint(i - 8)); !known && i >= 8 {
			t.Fatalf("after %d: account %d is forgotten", i, i-8)
		}
		if _, known := w.of(fmt.Sprint(i - 21)); known {
			t.Fatalf("after %d: account %d is not forgotten", i, i-21)
		}
	}
}
