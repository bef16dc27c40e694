// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/client"
)

// A ledger writes to copies of a database, remembers what was acknowledged, and asks all copies
// meanwhile. What it writes is of two kinds, so that every single answer can be judged:
//
//   - pairs: an account follows north and south, or neither. Both follows are one batch, and an
//     account is followed by one writer, once; some are taken back later.
//   - steps: a counter goes up by one, if it still is what it was, and a record of the number says
//     who did it, in the same batch. Several writers run for each number.
type ledger struct {
	t      *testing.T
	urls   []string
	asker  *http.Client
	closed chan struct{}
	work   sync.WaitGroup

	mu       sync.Mutex
	pairs    map[string]pairState
	order    []string            // accounts whose pair was acknowledged, in that order
	once     map[string]bool     // accounts whose pair was asked for once
	steps    map[uint64]string   // who was told that a number is his
	doubtful map[uint64][]string // who does not know whether it is
	sure     milestone

	acknowledged, unknown int
	lastWrite, lastRead   time.Time     // when one was answered
	noWrites, noReads     time.Duration // the longest times between two
	fine                  []time.Time   // since when nothing befalls each copy; the zero Time: something does
	befallen              []int         // how much befalls each copy
	noWritesWhileFine     time.Duration // likewise, while one copy was fine
	lastBegun             time.Time     // when the latest write began that was acknowledged
	answers, unanswered   []int         // of each copy
	wrong                 int
	takeovers             uint64 // after the first
}

// pairState says which follows of an account there are.
type pairState int

const (
	pairUnknown pairState = iota // all or none
	pairThere
	pairGone
)

// milestone is what a copy has that has come to a position.
type milestone struct {
	position uint64
	step     uint64 // the counter, at least
	pairs    int    // so many of the ledger's order
}

const (
	stepsIndex   = "steps"
	counter      = "counter"
	north, south = "north", "south"
)

// newLedger returns a ledger of the copies at some addresses. It makes the index of the steps.
func newLedger(t *testing.T, urls ...string) *ledger {
	t.Helper()
	now := time.Now()
	l := &ledger{t: t, urls: urls, closed: make(chan struct{}), pairs: make(map[string]pairState),
		once:  make(map[string]bool),
		steps: make(map[uint64]string), doubtful: make(map[uint64][]string), lastWrite: now, lastRead: now,
		answers: make([]int, len(urls)), unanswered: make([]int, len(urls)),
		fine: make([]time.Time, len(urls)), befallen: make([]int, len(urls)),
		asker: &http.Client{Timeout: 3 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 16}}}
	t.Cleanup(l.asker.CloseIdleConnections)
	fields := []api.Field{{Name: "n", Type: "integer"}, {Name: "by", Type: "single"}}
	l.insist("/v1/indexes/create", api.CreateIndexRequest{Index: stepsIndex, Fields: fields}, api.CodeIndexExists)
	l.insist("/v1/graph/follow", api.FollowRequest{Account: "first", Target: "one"}, "none")
	a := l.insist("/v1/records/write", api.RecordsWriteRequest{Index: stepsIndex,
		If: api.Requirements{{Key: counter, Exists: new(bool)}}, Puts: []api.Record{step(counter, 0, "")}},
		api.CodeConditionFailed)
	for i := range urls { // from now on there are the counter and the index of accounts
		for end := now.Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
			if _, ok := l.count(t.Context(), i, a.position); ok {
				break
			}
			if time.Now().After(end) {
				t.Fatalf("%s has not come to position %d in a minute", urls[i], a.position)
			}
		}
	}
	return l
}

// insist writes until it is done, or refused because it was done before.
func (l *ledger) insist(path string, body any, done api.Code) answer {
	l.t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		a := l.ask(l.t.Context(), rand.IntN(len(l.urls)), path, body, 0)
		if a.status == http.StatusOK || a.status != 0 && a.code == done {
			return a
		}
		if time.Now().After(end) {
			l.t.Fatalf("%s: not done in a minute: got %d %s", path, a.status, a.body)
		}
	}
}

// step returns the record of a number.
func step(key string, n uint64, by string) api.Record {
	of := map[string]any{"n": n}
	if by != "" {
		of["by"] = by
	}
	values, err := api.ValuesOf(of)
	if err != nil {
		panic(err)
	}
	return api.Record{Key: key, Values: values}
}

// answer is what a copy answered; its status is 0 if it did not.
type answer struct {
	status   int
	code     api.Code // of an error
	body     []byte
	position uint64
}

// passing reports whether an answer is one that there may be while copies come and go.
func (a answer) passing() bool {
	return a.status == 0 || a.status == http.StatusServiceUnavailable || a.status == http.StatusTemporaryRedirect
}

// ask sends a request to a copy, by GET if it has no body, and follows it to where the writer is.
// The copy is to have come to a position; 0: to any.
func (l *ledger) ask(ctx context.Context, i int, path string, body any, atLeast uint64) (a answer) {
	method, content := http.MethodGet, io.Reader(nil)
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			panic(err)
		}
		method, content = http.MethodPost, bytes.NewReader(text)
	}
	r, err := http.NewRequestWithContext(ctx, method, l.urls[i]+path, content)
	if err != nil {
		panic(err)
	}
	r.Header.Set("Content-Type", "application/json")
	if atLeast > 0 {
		r.Header.Set("Uproar-At-Least", strconv.FormatUint(atLeast, 10))
	}
	resp, err := l.asker.Do(r)
	if err != nil {
		return answer{}
	}
	defer resp.Body.Close()
	if a.body, err = io.ReadAll(resp.Body); err != nil {
		return answer{}
	}
	a.status = resp.StatusCode
	a.position, _ = strconv.ParseUint(resp.Header.Get("Uproar-Position"), 10, 64)
	if a.status != http.StatusOK {
		var failed api.ErrorReply
		_ = json.Unmarshal(a.body, &failed)
		a.code = failed.Error.Code
	} else if a.position < atLeast {
		l.fault("%s: got an answer at position %d, want at least %d", l.urls[i]+path, a.position, atLeast)
	}
	return a
}

// fault fails the test.
func (l *ledger) fault(format string, args ...any) {
	l.mu.Lock()
	l.wrong++
	tell := l.wrong <= 20
	l.mu.Unlock()
	if tell {
		l.t.Errorf(format, args...)
	}
}

// watch has the ledger told of what befalls its copies.
func (l *ledger) watch(copies []*copyServer) {
	for i, s := range copies {
		s.ledger, s.index = l, i
	}
}

// begin starts writers and readers, which go on until end.
func (l *ledger) begin(pairWriters, stepWriters int) {
	ctx, cancel := context.WithCancel(l.t.Context())
	for i := range pairWriters {
		l.work.Go(func() { l.writePairs(ctx, fmt.Sprint("pair", i)) })
	}
	for i := range stepWriters {
		l.work.Go(func() { l.writeSteps(ctx, fmt.Sprint("step", i)) })
	}
	for i := range l.urls {
		l.work.Go(func() { l.read(ctx, i) })
	}
	l.work.Go(func() {
		<-l.closed
		cancel()
	})
}

// end stops writers and readers.
func (l *ledger) end() {
	close(l.closed)
	l.work.Wait()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.noWrites = max(l.noWrites, time.Since(l.lastWrite))
	l.noReads = max(l.noReads, time.Since(l.lastRead))
	for i := range l.fine {
		l.endFine(i, time.Now())
		l.fine[i] = time.Time{} // from now on nobody writes
	}
}

// acknowledge takes note of a write. The caller holds mu.
func (l *ledger) acknowledge(begun time.Time) {
	now := time.Now()
	l.acknowledged++
	l.noWrites = max(l.noWrites, now.Sub(l.lastWrite))
	for i := range l.fine {
		l.endFine(i, now)
	}
	l.lastWrite = now
	if begun.After(l.lastBegun) {
		l.lastBegun = begun
	}
}

// endFine takes note of how long no write was done by now, while a copy was fine. The caller holds
// mu.
func (l *ledger) endFine(i int, now time.Time) {
	if since := l.fine[i]; since.After(l.lastWrite) {
		l.noWritesWhileFine = max(l.noWritesWhileFine, now.Sub(since))
	} else if !since.IsZero() {
		l.noWritesWhileFine = max(l.noWritesWhileFine, now.Sub(l.lastWrite))
	}
}

// befall says that something befalls a copy, until what it returns is called. From its next answer
// on it is fine.
func (l *ledger) befall(i int) (over func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.endFine(i, time.Now())
	l.fine[i] = time.Time{}
	l.befallen[i]++
	return sync.OnceFunc(func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.befallen[i]--
	})
}

// writePairs makes pairs by the Go client, one after the other, each until it is acknowledged, and
// takes some of them back.
func (l *ledger) writePairs(ctx context.Context, name string) {
	clients := make([]*client.Client, len(l.urls))
	for i, url := range l.urls {
		var err error
		if clients[i], err = client.New(url, nil); err != nil {
			panic(err)
		}
		defer clients[i].Close()
	}
	type call func(client.Graph, context.Context, ...api.Follow) (uint64, error)
	write := func(account string, to pairState, write call) (tries int) {
		pair := []api.Follow{{Account: account, Target: north}, {Account: account, Target: south}}
		for ctx.Err() == nil {
			tries++
			begun := time.Now()
			short, cancel := context.WithTimeout(ctx, l.asker.Timeout)
			_, err := write(clients[rand.IntN(len(clients))].Graph(), short, pair...)
			cancel()
			if err == nil {
				l.mu.Lock()
				l.pairs[account] = to
				if to == pairThere {
					l.order = append(l.order, account)
				}
				l.acknowledge(begun)
				l.mu.Unlock()
				return tries
			}
			switch e, answered := errors.AsType[*client.Error](err); {
			case !answered || (answer{status: e.Status}).passing():
			default:
				l.fault("a pair of %s: got %d, %v", account, e.Status, err)
			}
			time.Sleep(10 * time.Millisecond)
		}
		return tries
	}
	var once []string // pairs of which no request is under way any more: they may be taken back
	for n := 0; ctx.Err() == nil; n++ {
		account := fmt.Sprintf("%s-%d", name, n)
		l.mark(account)
		if write(account, pairThere, client.Graph.Follow) == 1 && ctx.Err() == nil {
			once = append(once, account)
			l.mu.Lock()
			l.once[account] = true
			l.mu.Unlock()
		}
		if n%4 == 3 && len(once) > 0 {
			account, once = once[0], once[1:]
			l.mark(account)
			write(account, pairGone, client.Graph.Unfollow)
		}
	}
}

// mark takes note that a pair is being written.
func (l *ledger) mark(account string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.pairs[account] = pairUnknown
}

// writeSteps adds one to the counter, again and again.
func (l *ledger) writeSteps(ctx context.Context, name string) {
	for n := 0; ctx.Err() == nil; n++ {
		at, ok := l.count(ctx, rand.IntN(len(l.urls)), 0)
		if !ok {
			time.Sleep(10 * time.Millisecond)
			continue
		}
		by := fmt.Sprintf("%s-%d", name, n)
		value, _ := json.Marshal(at)
		l.mu.Lock()
		pairs := len(l.order)
		l.mu.Unlock()
		begun := time.Now()
		a := l.ask(ctx, rand.IntN(len(l.urls)), "/v1/records/write", api.RecordsWriteRequest{Index: stepsIndex,
			If: api.Requirements{{Key: counter, Field: "n", Value: value}}, Merges: []api.Record{
				step(counter, at+1, ""), step(fmt.Sprint(at+1), at+1, by)}}, 0)
		switch {
		case a.status == http.StatusOK:
			l.acknowledgeStep(begun, at+1, by, milestone{a.position, at + 1, pairs})
		case a.code == api.CodeConditionFailed: // another was first, or this copy was behind
		case a.passing():
			l.mu.Lock()
			l.unknown++
			l.doubtful[at+1] = append(l.doubtful[at+1], by)
			l.mu.Unlock()
			time.Sleep(10 * time.Millisecond)
		default:
			l.fault("step %d: got %d %s", at+1, a.status, a.body)
		}
	}
}

// acknowledgeStep takes note that a number was made.
func (l *ledger) acknowledgeStep(begun time.Time, n uint64, by string, m milestone) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.acknowledge(begun)
	if other, taken := l.steps[n]; taken {
		l.t.Errorf("double: step %d was acknowledged to %s and to %s", n, other, by)
	}
	l.steps[n] = by
	if m.position > l.sure.position {
		l.sure = m
	}
}
