// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package likes_test

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/apps/graph/likes"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
	"github.com/uproar-db/uproar/store/pebblestore"
)

// network makes likes up, in the order of time: three posts and a quarter of an account for ten
// likes. Power laws say how active accounts are, and how popular posts. Likes come in bursts of
// six, 12 s apart, and are of the last posts.
type network struct {
	*rand.Rand
	all, accounts, posts int
	ids                  []string // of the last posts
}

func newNetwork(all int) *network {
	return &network{Rand: rand.New(rand.NewPCG(1, 2)), all: all, accounts: max(1000, all/40)}
}

func (n *network) did(i int) string {
	x := uint64(i) * 0x9e3779b97f4a7c15 // DIDs have no order
	return fmt.Sprintf("did:plc:%012x%012x", x>>16, x*0x9e3779b97f4a7c15>>16)
}

// account draws an account.
func (n *network) account() string { return n.did(int(math.Pow(n.Float64(), 3) * float64(n.accounts))) }

// write writes all likes as lines.
func (n *network) write(to io.Writer) error {
	w := bufio.NewWriter(to)
	const begin, step = 1_700_000_000_000_000, 700 * 86400e6 / 100e6 // 100 million likes in 700 days
	micros := float64(begin)
	window := max(100, n.all/200)
	for made := 0; made < n.all; {
		actor, at, clock := n.account(), micros, n.IntN(32)
		for range min(6, n.all-made) {
			for n.posts*10 <= made*3 {
				millis := int64(micros) / 1000
				n.ids = append(n.ids, "at://"+n.account()+"/app.bsky.feed.post/"+tidOf(millis*1000, n.IntN(32)))
				if n.posts++; len(n.ids) >= 2*window {
					n.ids = append(n.ids[:0], n.ids[window:]...)
				}
			}
			at += 1 + n.ExpFloat64()*12e6
			post := int(math.Pow(n.Float64(), 4) * float64(min(len(n.ids), window)))
			fmt.Fprintf(w, "%s,%s,%s\n", actor, tidOf(int64(at), clock), n.ids[len(n.ids)-1-post])
			made++
			micros += n.ExpFloat64() * step
		}
	}
	return w.Flush()
}

// inMemory is up to how many likes are loaded into memory; more go to a folder.
const inMemory = 5_000_000

// load loads the likes of a network into a graph.
func load(t testing.TB, all int) (*graph.Graph, *likes.Likes) {
	t.Helper()
	var s store.Store = memstore.New()
	if all > inMemory {
		var err error
		if s, err = pebblestore.Open(t.TempDir(), nil); err != nil {
			t.Fatal(err)
		}
	}
	db, err := uproar.Open(t.Context(), s, nil)
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
	r, w := io.Pipe()
	go func() { _ = w.CloseWithError(newNetwork(all).write(w)) }()
	write := func(list []likes.Change) error {
		_, err := l.Write(t.Context(), likes.Changes{List: list})
		return err
	}
	if n, err := likes.Load(r, write, nil); err != nil || n != int64(all) {
		t.Fatalf("loaded %d of %d likes: %v", n, all, err)
	}
	if err := g.Index().Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	return g, l
}

// TestSizes bounds the bytes of a like and of a post on pages. UPROAR_LIKES says of how many likes.
func TestSizes(t *testing.T) {
	all, err := strconv.Atoi(os.Getenv("UPROAR_LIKES"))
	if err != nil {
		all = 200_000
	}
	begin := time.Now()
	g, _ := load(t, all)
	t.Logf("%d likes in %v", all, time.Since(begin))
	stats, err := g.Index().Stats()
	if err != nil {
		t.Fatal(err)
	}
	each := 0.0
	for _, f := range stats.Fields {
		if f.Bytes > 0 {
			t.Logf("%s %s: %d values, %d pages, %.2f bytes a like", f.Name, f.Type, f.Values, f.Pages,
				float64(f.Bytes)/float64(all))
		}
		switch f.Name {
		case likes.LikersField, likes.LikesField, likes.SlotsField, likes.SlottedField:
			each += float64(f.Bytes) / float64(all)
		}
	}
	if each > 21 || each < 4 {
		t.Errorf("got %.2f bytes a like with both directions and keys, want at most 21", each)
	}
	records := 0.0
	for _, f := range stats.Fields {
		if f.Name == "_keys" || f.Name == "_hashes" {
			records += float64(f.Bytes) / float64(stats.Records)
		}
	}
	if t.Logf("%.2f bytes a post or account", records); records > 17 {
		t.Errorf("got %.2f bytes a post or account, want at most 17", records)
	}
}

// BenchmarkKnown asks for the known likers of 50 popular posts for an account that follows 5 000.
func BenchmarkKnown(b *testing.B) {
	const all, follows = 200_000, 5_000
	g, l := load(b, all)
	n := newNetwork(20 * all)
	var list []graph.Follow
	for range follows {
		list = append(list, graph.Follow{Account: "viewer", Target: n.account()})
	}
	if _, err := g.Follow(b.Context(), list...); err != nil {
		b.Fatal(err)
	}
	var changes []likes.Change
	subjects := make([]string, 50)
	for i := range subjects {
		subjects[i] = "at://" + n.did(i) + "/app.bsky.feed.post/" + tidOf(1.7e15, 3)
		for j := range 1000 {
			changes = append(changes, likes.Change{Account: n.account(), Key: tidOf(1.7e15+int64(i*1000+j)*1e6, 1),
				Subject: subjects[i]})
		}
	}
	if _, err := l.Write(b.Context(), likes.Changes{List: changes}); err != nil {
		b.Fatal(err)
	}
	if err := g.Index().Flush(b.Context()); err != nil {
		b.Fatal(err)
	}
	found := 0
	for b.Loop() {
		known, err := l.Ask(b.Context(), likes.Question{Viewer: "viewer", Limit: 5}, subjects...)
		if err != nil {
			b.Fatal(err)
		}
		for _, k := range known {
			found += int(k.Known)
		}
	}
	if b.ReportMetric(float64(found)/float64(b.N*len(subjects)), "known/subject"); found == 0 {
		b.Error("nobody is known")
	}
}

// BenchmarkLikers reads the 100 newest likes of a post with very many.
func BenchmarkLikers(b *testing.B) {
	g, l := load(b, 1000)
	n := newNetwork(4_000_000)
	subject := "at://" + n.did(1) + "/app.bsky.feed.post/" + tidOf(1.7e15, 3)
	for from := 0; from < 100_000; from += 10_000 {
		var changes []likes.Change
		for i := range 10_000 {
			changes = append(changes, likes.Change{Account: n.did(from + i), Key: tidOf(1.7e15+int64(from+i)*7e5, i%32),
				Subject: subject})
		}
		if _, err := l.Write(b.Context(), likes.Changes{List: changes}); err != nil {
			b.Fatal(err)
		}
	}
	if err := g.Index().Flush(b.Context()); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if list, _, err := l.Likers(b.Context(), subject, likes.Page{Limit: 100}); err != nil || len(list) != 100 {
			b.Fatalf("got %d likes, %v", len(list), err)
		}
	}
}

// BenchmarkWrite likes a post, and takes it back, as an account with 1 000 likes.
func BenchmarkWrite(b *testing.B) {
	_, l := load(b, 1000)
	n := newNetwork(1000)
	var changes []likes.Change
	for i := range 1000 {
		changes = append(changes, likes.Change{Account: "actor", Key: tidOf(1.7e15+int64(i)*1e7, 3),
			Subject: "at://" + n.account() + "/app.bsky.feed.post/" + tidOf(1.7e15, i%1024)})
	}
	if _, err := l.Write(b.Context(), likes.Changes{List: changes}); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		c := changes[n.IntN(len(changes))]
		for _, subject := range []string{"", c.Subject} {
			if _, err := l.Write(b.Context(), likes.Changes{List: []likes.Change{{Account: c.Account, Key: c.Key,
				Subject: subject}}}); err != nil {
				b.Fatal(err)
			}
		}
	}
}
