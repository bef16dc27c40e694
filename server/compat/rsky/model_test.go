// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package rsky

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/server/call"
	"github.com/uproar-db/uproar/store/memstore"
)

// table is one state of the rows (creator, subject) that the SQL joins with itself, as plain maps
// that do not change any more.
type table struct {
	follows map[string]map[string]bool // creator to subjects
	since   map[string]int             // when an account appeared
	next    int
}

// after returns the state after some changes.
func (t table) after(changes []graph.Change) table {
	t.follows, t.since = maps.Clone(t.follows), maps.Clone(t.since)
	row := func(creator string) map[string]bool {
		own := maps.Clone(t.follows[creator])
		if own == nil {
			own = make(map[string]bool)
		}
		t.follows[creator] = own
		return own
	}
	for _, c := range changes {
		switch c.Op {
		case graph.Set:
			for _, account := range []string{c.Account, c.Target} {
				if _, known := t.since[account]; !known {
					t.since[account] = t.next
					t.next++
				}
			}
			row(c.Account)[c.Target] = true
		case graph.Clear:
			delete(row(c.Account), c.Target)
		case graph.Delete:
			delete(t.follows, c.Account)
			delete(t.since, c.Account)
			for creator := range t.follows {
				delete(row(creator), c.Account)
			}
		}
	}
	return t
}

// known joins: those whom the viewer follows and who follow the target, each once.
func (t table) known(viewer, target string) []string {
	list := []string{}
	for m := range t.follows[viewer] {
		if t.follows[m][target] {
			list = append(list, m)
		}
	}
	slices.SortFunc(list, func(a, b string) int { return cmp.Compare(t.since[a], t.since[b]) })
	return list
}

// states are the latest states of a table that is being written to. A state's number is that of the
// write that made it.
type states struct {
	mu     sync.Mutex
	first  int // number of list[0]
	list   []table
	begun  int // the write that may be seen
	closed int // the write that must be seen
}

// begin notes that a write begins which makes the next state, and end that it is done.
func (s *states) begin(next table) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = append(s.list, next)
	s.begun++
	if len(s.list) > 4000 {
		s.list, s.first = slices.Clone(s.list[2000:]), s.first+2000
	}
}

func (s *states) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = s.begun
}

// least returns the number of the oldest state that a question may see that is asked now.
func (s *states) least() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closed
}

// since returns the states that a question may have seen that was asked when least was from.
func (s *states) since(from int) []table {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.list[from-s.first : s.begun+1-s.first]
}

// TestAgainstSQL asks random questions while follows come and go and accounts are deleted. Each
// answer is that of the SQL, of one state for all targets: one between the last write that was done
// before and the last that had begun when the answer came.
func TestAgainstSQL(t *testing.T) {
	questions := 100_000
	if testing.Short() {
		questions = 2_000
	}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	g, err := graph.Open(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	h := New(db, Options{Health: func() error { return nil }, Importing: func() bool { return false },
		Answered: ignored})
	const accounts = 40
	name := func(rng *rand.Rand) string { return fmt.Sprintf("did:plc:%d", rng.IntN(accounts)) }
	var all states
	now := table{follows: map[string]map[string]bool{}, since: map[string]int{}}
	all.list = []table{now}
	write := func(changes []graph.Change) {
		now = now.after(changes)
		all.begin(now)
		if _, err := g.Write(t.Context(), graph.Changes{List: changes}); err != nil {
			t.Error(err)
		}
		all.end()
	}
	rng := rand.New(rand.NewPCG(seed, 0))
	var first []graph.Change
	for range 10 * accounts {
		first = append(first, graph.Change{Op: graph.Set, Relation: graph.Follows, Account: name(rng),
			Target: name(rng)})
	}
	write(first)

	stop, written := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(written)
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			changes := make([]graph.Change, 1+rng.IntN(4))
			for j := range changes {
				changes[j] = graph.Change{Op: graph.Set, Relation: graph.Follows, Account: name(rng), Target: name(rng)}
				switch rng.IntN(40) {
				case 0:
					changes[j] = graph.Change{Op: graph.Delete, Account: name(rng)}
				case 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13:
					changes[j].Op = graph.Clear
				}
			}
			write(changes)
			if i%500 == 499 {
				if err := g.Index().Flush(t.Context()); err != nil {
					t.Error(err)
				}
			}
		}
	}()
	drawn := rand.New(rand.NewPCG(seed, 1))
	var listed, moved int
	for range questions {
		q := draw(drawn, func() string { return name(drawn) })
		from := all.least()
		got := ask(t, h, q)
		seen := all.since(from)
		if !slices.ContainsFunc(seen, func(s table) bool { return got == q.answer(s) }) {
			t.Errorf("%+v\ngot  %s\nwant %s, or that of one of %d later states", q, got, q.answer(seen[0]), len(seen)-1)
			break
		}
		listed += strings.Count(got, "did:plc:") - len(q.targets)
		if len(seen) > 1 {
			moved++
		}
	}
	close(stop)
	<-written
	t.Logf("%d accounts listed; %d of %d questions were asked beside a write; %d writes", listed, moved, questions,
		all.closed)
	if !t.Failed() && (listed < questions || all.closed < questions/1000) {
		t.Errorf("got %d accounts and %d writes beside %d questions, want more", listed, all.closed, questions)
	}
}

// question is one about known followers, or whether the viewer follows a target.
type question struct {
	follows bool // whether the viewer follows the target
	viewer  string
	targets []string
	limit   int // -1: none is asked for
	count   bool
}

// draw draws a question.
func draw(rng *rand.Rand, name func() string) question {
	q := question{follows: rng.IntN(8) == 0, viewer: name(), limit: -1}
	for range 1 + rng.IntN(25) {
		q.targets = append(q.targets, name())
		if q.follows {
			break
		}
	}
	if rng.IntN(4) == 0 {
		q.limit, q.count = rng.IntN(4), rng.IntN(2) == 0
	}
	return q
}

// answer returns what the SQL answers in one state, as JSON.
func (q question) answer(s table) string {
	if q.follows {
		return fmt.Sprintf(`{"following":%t}`, s.follows[q.viewer][q.targets[0]])
	}
	type result struct {
		Count     *int     `json:"count,omitempty"`
		Dids      []string `json:"dids"`
		TargetDid string   `json:"targetDid"`
	}
	var all struct {
		Results []result `json:"results"`
	}
	for _, target := range q.targets {
		known := s.known(q.viewer, target)
		r := result{Dids: known, TargetDid: target}
		if q.count {
			n := len(known)
			r.Count = &n
		}
		if q.limit >= 0 {
			r.Dids = known[:min(q.limit, len(known))]
		}
		all.Results = append(all.Results, r)
	}
	text, _ := json.Marshal(all) // it never fails
	return string(text)
}

// ask asks a question as a call does.
func ask(t *testing.T, h *Handlers, q question) string {
	t.Helper()
	v := url.Values{"viewer": {q.viewer}, "targets": {strings.Join(q.targets, ",")}}
	handle := h.followsFollowing
	switch {
	case q.follows:
		v, handle = url.Values{"actor": {q.viewer}, "target": {q.targets[0]}}, h.isFollowing
	case q.limit >= 0:
		v.Set("limit", fmt.Sprint(q.limit))
		v.Set("count", fmt.Sprint(q.count))
	}
	reply, err := handle(t.Context(), call.Request{Method: "GET", Query: v.Encode()})
	if err != nil {
		t.Fatalf("%+v: %v", q, err)
	}
	source, ok := reply.(call.Source)
	if !ok {
		return string(reply.AppendJSON(nil))
	}
	text, err := source.Append(nil)
	if err != nil {
		t.Fatalf("%+v: %v", q, err)
	}
	return string(text)
}
