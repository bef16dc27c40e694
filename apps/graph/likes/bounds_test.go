// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package likes_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/apps/graph/likes"
	"github.com/uproar-db/uproar/store/memstore"
)

// opened returns the likes of a new graph in memory.
func opened(t *testing.T) (*uproar.DB, *graph.Graph, *likes.Likes) {
	t.Helper()
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	g, err := graph.Open(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	l, err := likes.Open(t.Context(), db, g)
	if err != nil {
		t.Fatal(err)
	}
	return db, g, l
}

// write writes changes, which must go well.
func write(t *testing.T, l *likes.Likes, list ...likes.Change) {
	t.Helper()
	if _, err := l.Write(t.Context(), likes.Changes{List: list}); err != nil {
		t.Fatal(err)
	}
}

// TestManyLikes: a subject with many pages of likes, of which many have one and the same key; known
// likers are those of the 500 newest.
func TestManyLikes(t *testing.T) {
	_, g, l := opened(t)
	const subject, many = "at://did:plc:a/app.bsky.feed.post/3m6aaaaaaaa2k", 6000
	var list []likes.Change
	var want []likes.Like
	for i := range many {
		at := int64(i)
		if i >= 1000 && i < 2700 {
			at = 1000
		}
		like := likes.Like{Account: account(i), Key: tidOf(1.7e15+at*1e6, 5)}
		want = append(want, like)
		list = append(list, likes.Change{Account: like.Account, Key: like.Key, Subject: subject})
	}
	slices.Reverse(want) // accounts appear in the order of their likes
	write(t, l, list...)
	if _, err := g.Follow(t.Context(), graph.Follow{Account: "viewer", Target: account(many - 501)},
		graph.Follow{Account: "viewer", Target: account(many - 500)}, graph.Follow{Account: "viewer",
			Target: account(many - 1)}); err != nil {
		t.Fatal(err)
	}
	for _, flushed := range []bool{false, true} {
		if flushed {
			if err := g.Index().Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		for _, limit := range []int{1, 97, 1000, 10_000} {
			if limit == 1 && testing.Short() {
				continue
			}
			if got := all(t, l, subject, likes.Page{Limit: limit}); !slices.Equal(got, want) {
				t.Fatalf("flushed %v, limit %d: got %d likes, want %d, in their order", flushed, limit, len(got), len(want))
			}
		}
		got, err := l.Ask(t.Context(), likes.Question{Viewer: "viewer", Limit: 1, Liker: account(1500), Records: true},
			subject)
		if err != nil {
			t.Fatal(err)
		}
		if a := got[0]; a.Accounts != many || a.Records != many || a.Known != 2 || a.Key != tidOf(1.7e15+1000e6, 5) ||
			!slices.Equal(a.Likers, []string{account(many - 1)}) {
			t.Errorf("flushed %v: got %+v", flushed, a)
		}
	}
}

// TestPagesUnderWrites: pages go on behind the last one, whatever comes and goes.
func TestPagesUnderWrites(t *testing.T) {
	_, _, l := opened(t)
	const subject = "feed"
	for i := range 10 {
		write(t, l, likes.Change{Account: account(i), Key: tidOf(1.7e15+int64(i)*1e6, 5), Subject: subject})
	}
	first, cursor, err := l.Likers(t.Context(), subject, likes.Page{Limit: 3})
	if err != nil || len(first) != 3 || !strings.HasPrefix(cursor, "1700000007000__") {
		t.Fatalf("got %v, %q, %v", first, cursor, err)
	}
	write(t, l, likes.Change{Account: "new", Key: tidOf(1.8e15, 5), Subject: subject},
		likes.Change{Account: account(7), Key: tidOf(1.7e15+7e6, 5)}, // the last of the page goes
		likes.Change{Account: account(5), Key: tidOf(1.7e15+5e6, 5)})
	next, _, err := l.Likers(t.Context(), subject, likes.Page{Limit: 2, Cursor: cursor})
	want := []likes.Like{{Account: account(6), Key: tidOf(1.7e15+6e6, 5)}, {Account: account(4),
		Key: tidOf(1.7e15+4e6, 5)}}
	if err != nil || !slices.Equal(next, want) {
		t.Errorf("got %v, %v, want %v", next, err, want)
	}
}

// TestRefused: what cannot be is refused, and nothing of it is written.
func TestRefused(t *testing.T) {
	_, g, l := opened(t)
	before := g.Index().Snapshot()
	defer before.Close()
	for _, c := range []struct {
		change likes.Change
		want   string
	}{
		{likes.Change{Key: "k", Subject: "s"}, "is empty"},
		{likes.Change{Account: "a", Subject: "s"}, "key"},
		{likes.Change{Account: "a", Key: "k", Subject: strings.Repeat("s", likes.MaxSubject+1)}, "513 bytes"},
		{likes.Change{Account: "a", Key: "k", Subject: "\x01aaaaaaa3m6aaaaaaaa2k"}, "control character"},
		{likes.Change{Account: "\x040", Key: "k", Subject: "s"}, "control character"},
	} {
		good := likes.Change{Account: "a", Key: "k", Subject: "s"}
		_, err := l.Write(t.Context(), likes.Changes{List: []likes.Change{good, c.change}})
		bad, ok := errors.AsType[*likes.ChangeError](err)
		if !ok || bad.Place != 1 || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: got %v, want an error about change 1 with %q", c.change, err, c.want)
		}
	}
	if _, err := l.Write(t.Context(), likes.Changes{Stream: "\n", Position: 1}); !errors.As(err,
		new(*graph.InvalidAccountError)) {
		t.Errorf("a stream that cannot be: got %v", err)
	}
	for _, cursor := range []string{"1", "0__0", "1__1_1", "::", "9__zzzzzzzzzzzzzzzz_1", "0__1_80000000"} {
		if _, _, err := l.Likers(t.Context(), "s", likes.Page{Limit: 1, Cursor: cursor}); !errors.As(err,
			new(*likes.CursorError)) {
			t.Errorf("cursor %q: got %v", cursor, err)
		}
	}
	if _, _, err := l.Likers(t.Context(), "s", likes.Page{}); !errors.Is(err, uproar.ErrInvalid) {
		t.Errorf("no limit: got %v", err)
	}
	if _, err := l.Ask(t.Context(), likes.Question{}, "s", ""); !errors.Is(err, uproar.ErrInvalid) {
		t.Errorf("no subject: got %v", err)
	}
	after := g.Index().Snapshot()
	defer after.Close()
	if before.Sequence() != after.Sequence() {
		t.Errorf("got commit %d after %d", after.Sequence(), before.Sequence())
	}
	done, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := l.Ask(done, likes.Question{}, "s"); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that is done: got %v", err)
	}
}

// TestLoadLines: lines are loaded up to a bad one, and loading again changes nothing.
func TestLoadLines(t *testing.T) {
	_, g, l := opened(t)
	put := func(list []likes.Change) error {
		_, err := l.Write(t.Context(), likes.Changes{List: list})
		return err
	}
	for _, c := range []struct {
		text string
		n    int64
		line int // that is bad; 0: none
	}{
		{"", 0, 0}, {"creator,rkey,subject\n", 0, 0},
		{"creator,rkey,subject\na,k,s\n\"b\",k,\"s,\"\n", 2, 0},
		{"a,k,s\nb,k\n", 1, 2}, {"a,k,s\nb,k,\n", 1, 2}, {"a,k,\"s\n", 0, 1}, {"\n\n,k,s\n", 0, 3},
	} {
		n, err := likes.Load(strings.NewReader(c.text), put, nil)
		line, bad := errors.AsType[*likes.LineError](err)
		if n != c.n || bad != (c.line > 0) || bad && line.Line != c.line || !bad && err != nil {
			t.Errorf("%q: got %d likes, %v, want %d, bad line %d", c.text, n, err, c.n, c.line)
		}
	}
	s := g.Index().Snapshot()
	defer s.Close()
	if _, err := likes.Load(strings.NewReader("a,k,s\n"), put, nil); err != nil {
		t.Fatal(err)
	}
	again := g.Index().Snapshot()
	defer again.Close()
	if s.Sequence() != again.Sequence() {
		t.Errorf("loading again: got commit %d after %d", again.Sequence(), s.Sequence())
	}
}

// TestWritersTogether: writers of one account and of one subject do not lose each other's likes.
func TestWritersTogether(t *testing.T) {
	db, g, l := opened(t)
	const writers, rounds = 4, 60
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			for i := range rounds {
				own := "w" + strconv.Itoa(w)
				keys := [2]string{tidOf(1.7e15+int64(i)*1e5, w), tidOf(1.7e15+int64(i)*1e5, w+10)}
				list := []likes.Change{{Account: "one", Key: keys[0], Subject: fmt.Sprintf("s%d", i%7)},
					{Account: own, Key: keys[0], Subject: "s0"}, {Account: own, Key: keys[1], Subject: "s1"}}
				if _, err := l.Write(t.Context(), likes.Changes{List: list}); err != nil {
					t.Error(err)
				}
				if i%2 == 0 {
					continue
				}
				gone := []likes.Change{{Account: "one", Key: keys[0]}, {Account: own, Key: keys[1]}}
				if _, err := l.Write(t.Context(), likes.Changes{List: gone}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	subjects := []string{"s0", "s1", "s2", "s3", "s4", "s5", "s6"}
	answers, err := l.Ask(t.Context(), likes.Question{Records: true}, subjects...)
	if err != nil {
		t.Fatal(err)
	}
	for i, a := range answers {
		records := uint64(0) // of "one"
		for n := 0; n < rounds; n += 2 {
			if n%7 == i {
				records += writers
			}
		}
		accounts := uint64(1)
		switch i {
		case 0:
			records, accounts = records+writers*rounds, 1+writers
		case 1:
			records, accounts = records+writers*rounds/2, 1+writers
		}
		if a.Records != records || a.Accounts != accounts {
			t.Errorf("%s: got %d records of %d accounts, want %d of %d", subjects[i], a.Records, a.Accounts, records,
				accounts)
		}
	}
	if err := g.Index().Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := db.Verify(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
}
