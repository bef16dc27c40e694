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
	"os"
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

	// With keys: creator to the subjects by record key, of which follows is made. nil: without.
	records map[string]map[string]string
}

// after returns the state after some changes.
func (t table) after(changes []graph.Change) table {
	t.follows, t.since = maps.Clone(t.follows), maps.Clone(t.since)
	if t.records != nil {
		return t.afterKeyed(changes)
	}
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

// afterKeyed is after with records. Accounts are not deleted.
func (t table) afterKeyed(changes []graph.Change) table {
	t.records = maps.Clone(t.records)
	for _, c := range changes {
		own := maps.Clone(t.records[c.Account])
		if own == nil {
			own = make(map[string]string)
		}
		switch {
		case c.Op == graph.Set:
			own[c.Key] = c.Target
		case c.Op == graph.Clear && c.Key != "":
			delete(own, c.Key)
		case c.Op == graph.Clear:
			maps.DeleteFunc(own, func(_, subject string) bool { return subject == c.Target })
		case c.Op == graph.Replace:
			clear(own)
			for _, e := range c.Edges {
				own[e.Key] = e.Target
			}
		default: // hidden accounts are followers all the same
			continue
		}
		t.records[c.Account], t.follows[c.Account] = own, make(map[string]bool)
		for _, subject := range own {
			t.follows[c.Account][subject] = true
		}
	}
	return t
}

// place returns where one whom the viewer follows stands in a list.
func (t table) place(viewer, m string) string {
	if t.records == nil {
		return fmt.Sprintf("%09d", t.since[m])
	}
	least := "~"
	for key, subject := range t.records[viewer] {
		if subject == m {
			least = min(least, key)
		}
	}
	return least
}

// known joins: those whom the viewer follows and who follow the target, each once: in the order in
// which they appeared, or with keys in that of the viewer's follows.
func (t table) known(viewer, target string) []string {
	list := []string{}
	for m := range t.follows[viewer] {
		if t.follows[m][target] {
			list = append(list, m)
		}
	}
	slices.SortFunc(list, func(a, b string) int { return cmp.Compare(t.place(viewer, a), t.place(viewer, b)) })
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
func TestAgainstSQL(t *testing.T) { againstSQL(t, drawChanges, nil) }

// TestAgainstSQLInOrder is the same of follows with record keys, whose order the SQL's is. Follows
// have several records, keys get other subjects, lists are replaced, and accounts are hidden.
func TestAgainstSQLInOrder(t *testing.T) { againstSQL(t, drawKeyed, []graph.Relation{graph.Follows}) }

// accountsDrawn is among how many accounts questions and changes are drawn.
const accountsDrawn = 40

func drawAccount(rng *rand.Rand) string { return fmt.Sprintf("did:plc:%d", rng.IntN(accountsDrawn)) }

// drawChanges draws changes of follows without keys.
func drawChanges(rng *rand.Rand) []graph.Change {
	changes := make([]graph.Change, 1+rng.IntN(4))
	for i := range changes {
		changes[i] = graph.Change{Op: graph.Set, Relation: graph.Follows, Account: drawAccount(rng),
			Target: drawAccount(rng)}
		switch n := rng.IntN(40); {
		case n == 0:
			changes[i] = graph.Change{Op: graph.Delete, Account: drawAccount(rng)}
		case n < 14:
			changes[i].Op = graph.Clear
		}
	}
	return changes
}

// drawKeyed draws changes of follows with keys.
func drawKeyed(rng *rand.Rand) []graph.Change {
	key := func() string { return fmt.Sprintf("3m6i4wtqku%c2l", 'a'+rng.IntN(26)) }
	changes := make([]graph.Change, 1+rng.IntN(4))
	for i := range changes {
		c := graph.Change{Op: graph.Set, Relation: graph.Follows, Account: drawAccount(rng), Key: key()}
		switch n := rng.IntN(40); {
		case n == 0:
			c = graph.Change{Op: graph.Replace, Relation: graph.Follows, Account: c.Account}
			for range rng.IntN(10) {
				e := graph.Edge{Target: drawAccount(rng), Key: key()}
				if !slices.ContainsFunc(c.Edges, func(o graph.Edge) bool { return o.Key == e.Key }) {
					c.Edges = append(c.Edges, e)
				}
			}
		case n == 1:
			c = graph.Change{Op: graph.Hide, Account: c.Account}
		case n == 2:
			c = graph.Change{Op: graph.Show, Account: c.Account}
		case n == 3:
			c.Op, c.Key, c.Target = graph.Clear, "", drawAccount(rng)
		case n < 14:
			c.Op = graph.Clear
		default:
			c.Target = drawAccount(rng)
		}
		changes[i] = c
	}
	return changes
}

// againstSQL compares while changes are drawn.
func againstSQL(t *testing.T, draws func(*rand.Rand) []graph.Change, keyed []graph.Relation) {
	questions := 2_000
	if os.Getenv("UPROAR_LONG") == "1" {
		questions = 100_000
	}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	g, err := graph.OpenWith(t.Context(), db, graph.Options{Keyed: keyed})
	if err != nil {
		t.Fatal(err)
	}
	h := New(db, Options{Health: func() error { return nil }, Importing: func() bool { return false },
		Answered: ignored})
	var all states
	now := table{follows: map[string]map[string]bool{}, since: map[string]int{}}
	if keyed != nil {
		now.records = map[string]map[string]string{}
	}
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
	for range 5 * accountsDrawn {
		first = append(first, draws(rng)...)
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
			write(draws(rng))
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
		q := draw(drawn, func() string { return drawAccount(drawn) })
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
