// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"time"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/client"
)

// halfPair finds the accounts that have one follow of a pair.
const halfPair = "followers(" + north + ") and not followers(" + south + ") or followers(" + south +
	") and not followers(" + north + ")"

// read asks a copy, again and again, and judges what it answers: nothing is torn, nothing is older
// than what this copy has answered before, or than what it was asked to have.
func (l *ledger) read(ctx context.Context, i int) {
	least := uint64(0)
	for ctx.Err() == nil {
		var m milestone
		var pair string
		if rand.IntN(2) == 0 {
			m, pair = l.surePair()
		}
		before := max(least, m.step)
		n, ok := l.count(ctx, i, m.position)
		if ok && n < before {
			l.fault("%s: lost: got step %d at position %d or later, want at least %d", l.urls[i], n, m.position, before)
		}
		if ok {
			least = n
			l.readHalves(ctx, i)
		}
		if ok && pair != "" {
			l.readPair(ctx, i, m.position, pair)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// surePair returns what a copy has at some position, and a pair of that which was not taken back.
func (l *ledger) surePair() (m milestone, account string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.sure.pairs > 0 {
		if account = l.order[rand.IntN(l.sure.pairs)]; l.pairs[account] != pairThere {
			account = ""
		}
	}
	return l.sure, account
}

// answered takes note of an answer to a reader, or of none, and fails the test if the answer is one
// that there may not be.
func (l *ledger) answered(i int, what string, a answer) bool {
	if a.status != http.StatusOK && !a.passing() {
		l.fault("%s: %s: got %d %s", l.urls[i], what, a.status, a.body)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if a.status != http.StatusOK {
		l.unanswered[i]++
		return false
	}
	l.answers[i]++
	now := time.Now()
	if l.fine[i].IsZero() && l.befallen[i] == 0 {
		l.fine[i] = now
	}
	l.noReads = max(l.noReads, now.Sub(l.lastRead))
	l.lastRead = now
	return true
}

// count asks a copy how far the counter is, and judges that against all steps of the same state.
func (l *ledger) count(ctx context.Context, i int, atLeast uint64) (n uint64, ok bool) {
	a := l.ask(ctx, i, "/v1/answers", api.AnswersRequest{Index: stepsIndex, Query: client.Text("all"),
		Answers: []api.Question{{Name: "n", Answer: api.AnswerNumbers, Field: "n"}}}, atLeast)
	if ctx.Err() != nil || !l.answered(i, "steps", a) {
		return 0, false
	}
	var reply api.AnswersReply
	if err := json.Unmarshal(a.body, &reply); err != nil || len(reply.Answers) != 1 || reply.Answers[0].Count == nil {
		l.fault("%s: got %s, %v", l.urls[i], a.body, err)
		return 0, false
	}
	got := reply.Answers[0]
	if *got.Count == 0 {
		return 0, false // before the counter was made
	}
	n = *got.Count - 1
	want := strconv.FormatUint(n*(n+1)/2+n, 10)
	if string(got.Sum) != want || string(got.Max) != strconv.FormatUint(n, 10) {
		l.fault("%s: torn or double: got %d steps with sum %s and greatest %s, want sum %s and greatest %d, the "+
			"counter's included", l.urls[i], n, got.Sum, got.Max, want, n)
	}
	return n, true
}

// readHalves looks for pairs of which one half is there.
func (l *ledger) readHalves(ctx context.Context, i int) {
	a := l.ask(ctx, i, "/v1/query", api.QueryRequest{Index: graph.IndexName, Query: client.Text(halfPair),
		Answer: api.AnswerCount}, 0)
	if ctx.Err() != nil || !l.answered(i, "halves of pairs", a) {
		return
	}
	var reply api.CountReply
	if err := json.Unmarshal(a.body, &reply); err != nil || reply.Count != 0 {
		l.fault("%s: torn: got %s, %v, want no half of a pair", l.urls[i], a.body, err)
	}
}

// readPair looks whether an account has a follow that was acknowledged, unless it is taken back
// meanwhile.
func (l *ledger) readPair(ctx context.Context, i int, atLeast uint64, account string) {
	target := []string{north, south}[rand.IntN(2)]
	a := l.ask(ctx, i, "/v1/graph/follows?account="+account+"&target="+target, nil, atLeast)
	l.mu.Lock()
	there := l.pairs[account] == pairThere
	l.mu.Unlock()
	if ctx.Err() != nil || !there || !l.answered(i, "a pair", a) {
		return
	}
	var reply api.FollowsReply
	if err := json.Unmarshal(a.body, &reply); err != nil || !reply.Follows {
		l.fault("%s: lost: %s follows %s was acknowledged: got %s, %v, at position %d, want it from position %d on",
			l.urls[i], account, target, a.body, err, a.position, atLeast)
	}
}

// state is all that a copy has of what a ledger wrote.
type state struct {
	Pairs map[string][]string // the accounts that follow north and south, in their order
	Steps []api.Record
}

// atLeast sends all requests with the position that a copy must have come to.
type atLeast uint64

// RoundTrip implements http.RoundTripper.
func (at atLeast) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Uproar-At-Least", strconv.FormatUint(uint64(at), 10))
	return http.DefaultTransport.RoundTrip(r)
}

// stateOf reads all of a copy at a position.
func (l *ledger) stateOf(url string, position uint64) state {
	l.t.Helper()
	ctx, cancel := context.WithTimeout(l.t.Context(), 2*time.Minute)
	defer cancel()
	c, err := client.New(url, &client.Options{HTTP: &http.Client{Transport: atLeast(position)}, Retries: 10})
	if err != nil {
		l.t.Fatal(err)
	}
	s := state{Pairs: make(map[string][]string)}
	for _, target := range []string{north, south} {
		for account, err := range c.AllKeys(ctx, graph.IndexName, "followers("+target+")") {
			if err != nil {
				l.t.Fatalf("%s: %v", url, err)
			}
			s.Pairs[target] = append(s.Pairs[target], account)
		}
	}
	for r, err := range c.AllRecords(ctx, api.RecordsFindRequest{Index: stepsIndex, Query: client.Text("all"),
		Sort: []string{"n", "key"}, Limit: 1000}) {
		if err != nil {
			l.t.Fatalf("%s: %v", url, err)
		}
		s.Steps = append(s.Steps, r)
	}
	return s
}

// judge compares all of some copies, at the same position, with what was acknowledged, and with
// each other. Nobody writes any more.
func (l *ledger) judge(urls ...string) {
	l.t.Helper()
	a := l.insist("/v1/graph/follow", api.FollowRequest{Account: "last", Target: "one"}, "none")
	var first state
	for i, url := range urls {
		s := l.stateOf(url, a.position)
		l.judgePairs(url, s)
		l.judgeSteps(url, s)
		if i == 0 {
			first = s
		} else if !reflect.DeepEqual(s, first) {
			l.fault("%s and %s have other records, or in another order", url, urls[0])
		}
		l.judgeFeed(url, a.position, s)
	}
}

func (l *ledger) judgePairs(url string, s state) {
	has := make(map[string]int)
	for _, target := range []string{north, south} {
		for _, account := range s.Pairs[target] {
			has[account]++
		}
	}
	for account, n := range has {
		if _, known := l.pairs[account]; !known || n != 2 {
			l.fault("%s: got %d follows of %s, which was asked for: %v", url, n, account, known)
		}
	}
	for account, want := range l.pairs {
		switch n := has[account]; {
		case want == pairThere && n == 0:
			l.fault("%s: lost: %s has no follows, which were acknowledged", url, account)
		case want == pairGone && n > 0:
			l.fault("%s: lost: %s has follows, of which the end was acknowledged", url, account)
		}
	}
}

func (l *ledger) judgeSteps(url string, s state) {
	made := make(map[uint64]string)
	for _, r := range s.Steps {
		var n uint64
		var by string
		if err := json.Unmarshal(r.Values["n"], &n); err != nil {
			l.fault("%s: step %s: %v", url, r.Key, err)
		}
		if r.Key == counter {
			if want := uint64(len(s.Steps) - 1); n != want {
				l.fault("%s: the counter: got %d, want %d, as many as steps", url, n, want)
			}
			continue
		}
		_ = json.Unmarshal(r.Values["by"], &by)
		if r.Key != strconv.FormatUint(n, 10) {
			l.fault("%s: step %s has the number %d", url, r.Key, n)
		}
		made[n] = by
	}
	for n, by := range l.steps {
		if made[n] != by {
			l.fault("%s: lost: step %d was acknowledged to %s: got %q", url, n, by, made[n])
		}
	}
	for n, by := range made {
		if l.steps[n] == "" && !slices.Contains(l.doubtful[n], by) {
			l.fault("%s: step %d is there of %q, who never asked for it", url, n, by)
		}
	}
}

// judgeFeed goes through the changes of a copy: none that was asked for once comes twice, and
// together they make its state.
func (l *ledger) judgeFeed(url string, position uint64, s state) {
	l.t.Helper()
	ctx, cancel := context.WithTimeout(l.t.Context(), time.Minute)
	defer cancel()
	c, err := client.New(url, &client.Options{HTTP: &http.Client{Transport: atLeast(position)}, Retries: 10})
	if err != nil {
		l.t.Fatal(err)
	}
	follows := map[string]map[string]bool{north: {}, south: {}}
	last := uint64(0)
	for commit, err := range c.Changes(ctx, graph.IndexName, 0) {
		if err != nil {
			l.fault("%s: the feed after commit %d: %v", url, last, err)
			return
		}
		if commit.Sequence <= last {
			l.fault("%s: double: the feed has commit %d after %d", url, commit.Sequence, last)
		}
		last = commit.Sequence
		for _, x := range commit.Changes {
			of := follows[x.Value]
			if x.Field != graph.FollowsField || of == nil {
				continue
			}
			if _, known := of[x.Record]; known && x.Kind == "set" && l.once[x.Record] {
				l.fault("%s: double: commit %d sets %s of %s once more", url, last, x.Value, x.Record)
			}
			of[x.Record] = x.Kind == "set"
		}
	}
	for target, of := range follows {
		n := 0
		for _, there := range of {
			if there {
				n++
			}
		}
		if want := len(s.Pairs[target]); n != want {
			l.fault("%s: the feed makes %d follows of %s, want %d", url, n, target, want)
		}
	}
}

// String says what has happened.
func (l *ledger) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return fmt.Sprintf("%d writes acknowledged, %d of unknown end, %d takeovers, %d faults; "+
		"longest without a write %v, while nothing befell one of the copies %v, without a read %v; "+
		"answers of each copy %v, refused or none %v", l.acknowledged, l.unknown, l.takeovers, l.wrong,
		l.noWrites.Round(time.Millisecond), l.noWritesWhileFine.Round(time.Millisecond),
		l.noReads.Round(time.Millisecond), l.answers, l.unanswered)
}
