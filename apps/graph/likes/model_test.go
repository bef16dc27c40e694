// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package likes_test

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/apps/graph/likes"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
)

// killable is a store whose database can be killed: nothing that it does from then on comes to be
// there, and another database goes on with what is.
type killable struct {
	*memstore.Store
	killed *atomic.Bool
}

var errKilled = errors.New("killed")

func (s killable) Apply(b *store.Batch, sync bool) error {
	if s.killed.Load() {
		return errKilled
	}
	return s.Store.Apply(b, sync)
}

func (s killable) Close() error { return nil }

// record names a record of an actor.
type record struct{ actor, key string }

// model is what likes what, as plain maps.
type model struct {
	likes   map[record]string
	follows map[string]map[string]bool
	hidden  map[string]bool
}

// delete deletes an account: its likes, and those of its posts.
func (m *model) delete(account string) {
	for r, subject := range m.likes {
		if r.actor == account || strings.HasPrefix(subject, "at://"+account+"/") {
			delete(m.likes, r)
		}
	}
	delete(m.follows, account)
	for _, targets := range m.follows {
		delete(targets, account)
	}
	delete(m.hidden, account)
}

// of returns the records of a subject: TIDs, the newest first, of one time the account of the
// greatest ID; behind them other keys, in the order of their texts.
func (m *model) of(subject string, ids map[string]uint64) (list []likes.Like) {
	for r, liked := range m.likes {
		if liked == subject {
			list = append(list, likes.Like{Account: r.actor, Key: r.key})
		}
	}
	sortLikes(list, ids)
	return list
}

// isTimed reports whether a key of a history has a time.
func isTimed(key string) bool { return len(key) == 13 && key[0] == '3' }

func sortLikes(list []likes.Like, ids map[string]uint64) {
	slices.SortFunc(list, func(a, b likes.Like) int {
		if isTimed(a.Key) != isTimed(b.Key) {
			if isTimed(a.Key) {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(b.Key, a.Key), cmp.Compare(ids[b.Account], ids[a.Account]))
	})
}

const modelAccounts = 12

func account(i int) string { return fmt.Sprintf("did:plc:%024d", i) }

// tidOf returns a TID of a time in microseconds since 1970.
func tidOf(micros int64, clock int) string {
	const digits = "234567abcdefghijklmnopqrstuvwxyz"
	var text [13]byte
	for i, x := 12, uint64(micros)<<10|uint64(clock); i >= 0; i, x = i-1, x>>5 {
		text[i] = digits[x&31]
	}
	return string(text[:])
}

// history draws changes as a network sends them.
type history struct {
	*rand.Rand
	subjects, keys []string
}

func newHistory(seed uint64) *history {
	h := &history{Rand: rand.New(rand.NewPCG(seed, 1))}
	for i := range 30 {
		did := account(i % 15) // some of whom like nothing
		h.subjects = append(h.subjects, fmt.Sprintf("at://%s/app.bsky.feed.post/%s", did, tidOf(1.7e15, i)))
		if i%6 == 0 {
			h.subjects = append(h.subjects, "at://"+did+"/app.bsky.feed.generator/x"+strconv.Itoa(i),
				"at://"+did+"/app.bsky.feed.post/text", "https://example.com/"+strconv.Itoa(i))
		}
	}
	for i := range 60 { // several within a second
		h.keys = append(h.keys, tidOf(1.7e15+int64(i/5)*250_000, i%3), "text"+strconv.Itoa(i%9))
	}
	h.keys = append(h.keys, "2222222222222", "jzzzzzzzzzzzz", strings.Repeat("k", graph.MaxKey))
	return h
}

func (h *history) change() likes.Change {
	c := likes.Change{Account: account(h.IntN(modelAccounts)), Key: h.keys[h.IntN(len(h.keys))]}
	if h.IntN(10) < 7 {
		c.Subject = h.subjects[h.IntN(len(h.subjects))]
	}
	return c
}

// histories returns how many changes a test of random histories makes: UPROAR_HISTORIES says how
// many for a long run.
func histories(t *testing.T) int {
	if n, err := strconv.Atoi(os.Getenv("UPROAR_HISTORIES")); err == nil {
		return n
	}
	if testing.Short() {
		return 3000
	}
	return 20_000
}

// TestHistories makes random histories of likes in a graph, flushes, closes and kills it, and
// compares every answer with plain maps.
func TestHistories(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	h, mem := newHistory(seed), memstore.New()
	m := &model{map[record]string{}, map[string]map[string]bool{}, map[string]bool{}}
	var killed *atomic.Bool
	var db *uproar.DB
	var g *graph.Graph
	var l *likes.Likes
	reopen := func() {
		killed = new(atomic.Bool)
		var err error
		if db, err = uproar.Open(t.Context(), killable{mem, killed}, nil); err != nil {
			t.Fatal(err)
		}
		if g, err = graph.OpenWith(t.Context(), db, graph.Options{Keyed: []graph.Relation{graph.Follows}}); err != nil {
			t.Fatal(err)
		}
		if l, err = likes.Open(t.Context(), db, g); err != nil {
			t.Fatal(err)
		}
	}
	reopen()
	position := int64(0)
	for made, most := 0, histories(t); made < most; {
		made += m.write(t, h, g, l, &position)
		switch n := h.IntN(100); {
		case n < 6:
			if err := g.Index().Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
		case n < 8:
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			reopen()
		case n < 10:
			killed.Store(true)
			old := db
			reopen()
			_ = old.Close() // which is told that nothing can be written
		case n < 16:
		default:
			continue
		}
		m.compare(t, h, g, l)
		if got, _, err := g.Position("stream"); got != position || err != nil {
			t.Fatalf("got position %d, %v, want %d", got, err, position)
		}
	}
	if err := g.Index().Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	m.compare(t, h, g, l)
	if err := db.Verify(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

// write writes the next changes of a history, and returns how many they are.
func (m *model) write(t *testing.T, h *history, g *graph.Graph, l *likes.Likes, position *int64) int {
	t.Helper()
	if n := h.IntN(40); n < 6 {
		viewer, target := account(h.IntN(modelAccounts)), account(h.IntN(modelAccounts))
		c := graph.Change{Op: graph.Set, Relation: graph.Follows, Account: viewer, Target: target}
		switch n {
		case 0:
			c = graph.Change{Op: graph.Delete, Account: viewer}
			m.delete(viewer)
		case 1:
			c = graph.Change{Op: graph.Hide, Account: viewer}
			m.hidden[viewer] = true
		case 2:
			c = graph.Change{Op: graph.Show, Account: viewer}
			delete(m.hidden, viewer)
		default:
			if m.follows[viewer] == nil {
				m.follows[viewer] = map[string]bool{}
			}
			m.follows[viewer][target] = true
		}
		if _, err := g.Write(t.Context(), graph.Changes{List: []graph.Change{c}}); err != nil {
			t.Fatalf("%+v: %v", c, err)
		}
		return 1
	}
	var list []likes.Change
	for range 1 + h.IntN(6) {
		c := h.change()
		if list = append(list, c); h.IntN(8) == 0 {
			list = append(list, c) // redelivered
		}
	}
	if h.IntN(20) == 0 { // many of one account
		for range 12 {
			c := h.change()
			c.Account = list[0].Account
			list = append(list, c)
		}
	}
	*position++
	if _, err := l.Write(t.Context(), likes.Changes{List: list, Stream: "stream", Position: *position}); err != nil {
		t.Fatalf("%+v: %v", list, err)
	}
	for _, c := range list {
		if r := (record{c.Account, c.Key}); c.Subject == "" {
			delete(m.likes, r)
		} else {
			m.likes[r] = c.Subject
		}
	}
	return len(list)
}

// compare compares every answer.
func (m *model) compare(t *testing.T, h *history, g *graph.Graph, l *likes.Likes) {
	t.Helper()
	accounts, ids := make([]string, modelAccounts), make(map[string]uint64)
	for i := range accounts {
		accounts[i] = account(i)
	}
	numbers, _, err := g.Lookup(t.Context(), accounts...)
	if err != nil {
		t.Fatal(err)
	}
	for i, a := range accounts {
		ids[a] = numbers[i]
	}
	counts, err := l.Ask(t.Context(), likes.Question{Records: true}, h.subjects...)
	if err != nil {
		t.Fatal(err)
	}
	for i, subject := range h.subjects {
		want := m.of(subject, ids)
		edges := make(map[string]bool)
		for _, x := range want {
			edges[x.Account] = true
		}
		if got := counts[i]; got.Accounts != uint64(len(edges)) || got.Records != uint64(len(want)) {
			t.Fatalf("%s: got %+v, want %d accounts, %v", subject, got, len(edges), want)
		}
		for _, hidden := range []bool{false, true} {
			want := slices.Clone(want)
			if !hidden {
				want = slices.DeleteFunc(want, func(x likes.Like) bool { return m.hidden[x.Account] })
			}
			got := all(t, l, subject, likes.Page{Limit: 1 + h.IntN(4), Hidden: hidden})
			texts := slices.IndexFunc(got, func(x likes.Like) bool { return !isTimed(x.Key) })
			if texts >= 0 {
				sortLikes(got[texts:], ids) // these are in the order in which they appeared
			}
			sortLikes(want, ids)
			if !slices.Equal(got, want) {
				t.Fatalf("%s, hidden %v: got %v, want %v", subject, hidden, got, want)
			}
		}
	}
	viewer := accounts[h.IntN(len(accounts))]
	m.compareOf(t, h, l, viewer, ids)
}

// all returns the likes of a subject, page by page.
func all(t *testing.T, l *likes.Likes, subject string, p likes.Page) (list []likes.Like) {
	t.Helper()
	for {
		part, cursor, err := l.Likers(t.Context(), subject, p)
		if err != nil || len(part) > p.Limit || cursor != "" && len(part) < p.Limit || strings.Contains(cursor, "::") {
			t.Fatalf("%s: got %d of %d likes, cursor %q, %v", subject, len(part), p.Limit, cursor, err)
		}
		if list = append(list, part...); cursor == "" {
			return list
		}
		p.Cursor = cursor
	}
}

// compareOf compares what is answered about an account.
func (m *model) compareOf(t *testing.T, h *history, l *likes.Likes, viewer string, ids map[string]uint64) {
	t.Helper()
	limit := h.IntN(4)
	answers, err := l.Ask(t.Context(), likes.Question{Liker: viewer, Viewer: viewer, Limit: limit}, h.subjects...)
	if err != nil {
		t.Fatal(err)
	}
	var liked []string
	for i, subject := range h.subjects {
		list, has := m.of(subject, ids), false
		for _, x := range list {
			has = has || x.Account == viewer && x.Key == answers[i].Key
		}
		any := slices.ContainsFunc(list, func(x likes.Like) bool { return x.Account == viewer })
		if any != has || !any && answers[i].Key != "" {
			t.Fatalf("%s likes %s: got key %q, want one of %v", viewer, subject, answers[i].Key, list)
		}
		if has {
			liked = append(liked, subject)
		}
		var want []string
		texts := 0
		for _, x := range list {
			if m.follows[viewer][x.Account] && !m.hidden[x.Account] && !slices.Contains(want, x.Account) {
				if want = append(want, x.Account); !isTimed(x.Key) {
					texts++
				}
			}
		}
		if limit == 0 {
			want = nil
		}
		got := answers[i]
		if int(got.Known) != len(want) || len(got.Likers) != min(limit, len(want)) {
			t.Fatalf("%s, limit %d: got %+v, want %v", subject, limit, got, want)
		}
		if n := min(len(got.Likers), max(0, len(want)-texts)); !slices.Equal(got.Likers[:n], want[:n]) {
			t.Fatalf("%s: got %+v, want %v", subject, got, want)
		}
	}
	var got []string
	for p := (uproar.Page{Limit: 1 + h.IntN(5)}); ; {
		part, next, err := l.Subjects(t.Context(), viewer, p)
		if errors.Is(err, uproar.ErrUnknownRecord) && len(liked) == 0 {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if got = append(got, part...); next == 0 {
			break
		}
		p.From = next
	}
	slices.Sort(got)
	slices.Sort(liked)
	if !slices.Equal(got, liked) {
		t.Fatalf("%s likes %v, want %v", viewer, got, liked)
	}
}
