// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package cql

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	gocql "github.com/apache/cassandra-gocql-driver/v2"

	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/ship"
	"github.com/uproar-db/uproar/store/ship/shiptest"
)

// double is the tables in memory. Calls are lost, or their replies, at random.
type double struct {
	mu      sync.Mutex
	rng     *rand.Rand
	lost    float64 // the share of requests, and as many replies
	age     time.Duration
	chunks  map[string][]byte
	heads   map[string]head
	entryOf map[string]map[string]entry // by bucket, then name and ID
	dead    map[string]bool             // entries and chunks that were deleted
	bucket  map[string]time.Time

	afterHead func(name string) // called between a read of a head and its use
}

func newDouble(lost float64) *double {
	return &double{rng: rand.New(rand.NewPCG(rand.Uint64(), 1)), lost: lost, chunks: make(map[string][]byte),
		heads: make(map[string]head), entryOf: make(map[string]map[string]entry), dead: make(map[string]bool),
		bucket: make(map[string]time.Time)}
}

func (d *double) call(ctx context.Context, work func()) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	draw := d.rng.Float64()
	if draw >= d.lost {
		work()
	}
	if draw < 2*d.lost {
		return fmt.Errorf("%w: the double lost it", store.ErrUnavailable)
	}
	return nil
}

func (d *double) now() time.Time { return time.Now().Add(-d.age) }

func chunkKey(of id, n int) string { return fmt.Sprintf("%x/%d", of, n) }

func (d *double) putChunk(ctx context.Context, of id, n int, data []byte) error {
	return d.call(ctx, func() {
		if key := chunkKey(of, n); !d.dead[key] {
			d.chunks[key] = bytes.Clone(data)
		}
	})
}

func (d *double) chunk(ctx context.Context, of id, n int) (data []byte, err error) {
	found := false
	if err := d.call(ctx, func() { data, found = d.chunks[chunkKey(of, n)] }); err != nil {
		return nil, err
	}
	if !found {
		return nil, store.ErrNotFound
	}
	return bytes.Clone(data), nil
}

func (d *double) deleteChunk(ctx context.Context, of id, n int) error {
	return d.call(ctx, func() {
		delete(d.chunks, chunkKey(of, n))
		d.dead[chunkKey(of, n)] = true
	})
}

func (d *double) createHead(ctx context.Context, name string, h head) (winner head, err error) {
	err = d.call(ctx, func() {
		if _, found := d.heads[name]; !found {
			d.heads[name] = h
		}
		winner = d.heads[name]
	})
	return winner, err
}

func (d *double) head(ctx context.Context, name string, _ bool) (h head, err error) {
	found := false
	err = d.call(ctx, func() { h, found = d.heads[name] })
	if d.afterHead != nil {
		d.afterHead(name)
	}
	if err == nil && !found {
		err = store.ErrNotFound
	}
	return h, err
}

func (d *double) deleteHead(ctx context.Context, name string, of id) error {
	return d.call(ctx, func() {
		if d.heads[name].id == of {
			delete(d.heads, name)
		}
	})
}

func entryKey(e entry) string { return fmt.Sprintf("%s %x", e.name, e.id) }

func (d *double) putEntry(ctx context.Context, bucket string, e entry) error {
	return d.call(ctx, func() {
		if d.dead[entryKey(e)] {
			return
		}
		if d.entryOf[bucket] == nil {
			d.entryOf[bucket] = make(map[string]entry)
		}
		e.at = d.now()
		d.entryOf[bucket][entryKey(e)] = e
	})
}

func (d *double) entries(ctx context.Context, bucket, from string, fn func(entry) error) error {
	var found []entry
	err := d.call(ctx, func() {
		for _, e := range d.entryOf[bucket] {
			if e.name >= from {
				found = append(found, e)
			}
		}
	})
	slices.SortFunc(found, func(a, b entry) int {
		if c := strings.Compare(a.name, b.name); c != 0 {
			return c
		}
		return bytes.Compare(a.id[:], b.id[:])
	})
	for _, e := range found {
		if err := fn(e); err != nil {
			return err
		}
	}
	return err
}

func (d *double) deleteEntry(ctx context.Context, bucket string, e entry) error {
	return d.call(ctx, func() {
		delete(d.entryOf[bucket], entryKey(e))
		d.dead[entryKey(e)] = true
	})
}

func (d *double) putBucket(ctx context.Context, name string) error {
	return d.call(ctx, func() { d.bucket[name] = d.now() })
}

func (d *double) buckets(ctx context.Context) (list []bucket, err error) {
	err = d.call(ctx, func() {
		for name, at := range d.bucket {
			list = append(list, bucket{name, at})
		}
	})
	return list, err
}

func (d *double) deleteBucket(ctx context.Context, b bucket) error {
	return d.call(ctx, func() {
		if !d.bucket[b.name].After(b.at) {
			delete(d.bucket, b.name)
		}
	})
}

func (d *double) close() {}

// counts says how many rows of each kind there are.
func (d *double) counts() string {
	entries := 0
	for _, of := range d.entryOf {
		entries += len(of)
	}
	return fmt.Sprintf("%d heads, %d entries, %d chunks", len(d.heads), entries, len(d.chunks))
}

func TestConformance(t *testing.T) {
	shiptest.RunEngine(t, func(*testing.T) ship.Engine { return newEngine(newDouble(0), "double") })
}

func TestFaulty(t *testing.T) {
	shiptest.RunEngine(t, func(*testing.T) ship.Engine { return newEngine(newDouble(0.01), "double") })
}

// TestCassandra runs the suite against Cassandra: UPROAR_CQL=cql://host/keyspace/prefix?… has its
// URL. scripts/cassandra starts one.
func TestCassandra(t *testing.T) {
	at := os.Getenv("UPROAR_CQL")
	if at == "" {
		t.Skip("UPROAR_CQL is not set: the URL of Cassandra that this test fills and empties")
	}
	place, query, _ := strings.Cut(at, "?")
	shiptest.RunEngine(t, func(t *testing.T) ship.Engine {
		e, err := Open(t.Context(), fmt.Sprintf("%s/%d?%s", place, time.Now().UnixNano(), query))
		if err != nil {
			t.Fatal(err)
		}
		return e
	})
}

func names(t *testing.T, e ship.Engine, prefix string) (names []string) {
	t.Helper()
	for name, err := range e.List(t.Context(), prefix, "") {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	return names
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestLostRace: who loses leaves nothing, and a deleted object neither.
func TestLostRace(t *testing.T) {
	d := newDouble(0)
	e := newEngine(d, "double")
	data := make([]byte, 3*chunkBytes+1)
	must(t, e.Create(t.Context(), "a", data))
	if err := e.Create(t.Context(), "a", data[1:]); !errors.Is(err, ship.ErrExists) {
		t.Fatalf("Create again: got %v, want ship.ErrExists", err)
	}
	if got, want := d.counts(), "1 heads, 1 entries, 4 chunks"; got != want {
		t.Errorf("after a lost race: got %s, want %s", got, want)
	}
	must(t, e.Delete(t.Context(), "a"))
	if got, want := d.counts(), "0 heads, 0 entries, 0 chunks"; got != want {
		t.Errorf("after Delete: got %s, want %s", got, want)
	}
}

// TestAttempts: what a Create leaves that has not come to its end is not listed, and removed when
// it is old; an object whose Create has no outcome is listed.
func TestAttempts(t *testing.T) {
	for _, age := range []time.Duration{0, attemptOld - time.Hour, 2 * attemptOld} { // clocks may differ by a day
		d := newDouble(0)
		d.age = age
		e := newEngine(d, "double")
		dead := entry{name: "log/1", id: id{1}, chunks: 1}
		must(t, d.putEntry(t.Context(), "log/", dead))
		must(t, d.putChunk(t.Context(), dead.id, 0, []byte("dead")))
		must(t, e.Create(t.Context(), "log/1", []byte("lives")))
		if got := names(t, e, "log/"); !slices.Equal(got, []string{"log/1"}) {
			t.Errorf("List: got %q, want the object once", got)
		}
		want := "1 heads, 2 entries, 2 chunks"
		if age > attemptOld {
			want = "1 heads, 1 entries, 1 chunks"
		}
		if got := d.counts(); got != want {
			t.Errorf("attempts of %v before: got %s, want %s", age, got, want)
		}
		for _, found := range d.entryOf["log/"] {
			if found.marked != (found.id != dead.id) {
				t.Errorf("entry %+v: want the object's marked, and no other", found)
			}
		}
		if got, err := e.Get(t.Context(), "log/1"); err != nil || string(got) != "lives" {
			t.Errorf("Get: got %q, %v", got, err)
		}
	}
}

// TestDeletedWhileListed: a List that saw an object does not bring its entry back.
func TestDeletedWhileListed(t *testing.T) {
	d := newDouble(0)
	e := newEngine(d, "double")
	must(t, e.Create(t.Context(), "a", nil))
	d.afterHead = func(string) {
		d.afterHead = nil
		must(t, e.Delete(t.Context(), "a"))
	}
	names(t, e, "")
	if got := names(t, e, ""); len(got) > 0 {
		t.Errorf("List after Delete: got %q", got)
	}
}

// TestDeleteEndedEarly: a Delete that took the name and no more is finished by the next one.
func TestDeleteEndedEarly(t *testing.T) {
	d := newDouble(0)
	e := newEngine(d, "double")
	must(t, e.Create(t.Context(), "a", []byte("x")))
	names(t, e, "") // marks it
	must(t, d.deleteHead(t.Context(), "a", d.heads["a"].id))
	must(t, e.Delete(t.Context(), "a"))
	if got, want := d.counts(), "0 heads, 0 entries, 0 chunks"; got != want {
		t.Errorf("after Delete: got %s, want %s", got, want)
	}
}

// TestCorrupt: chunks that are not what was written are an error.
func TestCorrupt(t *testing.T) {
	for what, change := range map[string]func(d *double, h head){
		"a bit":       func(d *double, h head) { d.chunks[chunkKey(h.id, 1)][7] ^= 1 },
		"cut":         func(d *double, h head) { d.chunks[chunkKey(h.id, 1)] = d.chunks[chunkKey(h.id, 1)][:5] },
		"gone":        func(d *double, h head) { delete(d.chunks, chunkKey(h.id, 0)) },
		"a huge size": func(d *double, h head) { h.size = ship.MaxObject + 1; d.heads["a"] = h },
		"a size below 0": func(d *double, h head) {
			h.size = -1
			d.heads["a"] = h
		},
	} {
		d := newDouble(0)
		e := newEngine(d, "double")
		must(t, e.Create(t.Context(), "a", make([]byte, chunkBytes+10)))
		change(d, d.heads["a"])
		if got, err := e.Get(t.Context(), "a"); !errors.Is(err, store.ErrCorrupt) || got != nil {
			t.Errorf("%s: got %d bytes, %v; want store.ErrCorrupt", what, len(got), err)
		}
	}
}

// TestBuckets: a partition has a bounded number of names, however long a log becomes. Empty ones go
// when nobody can be writing there.
func TestBuckets(t *testing.T) {
	for name, want := range map[string]string{
		"log/00000000000000012345": "log/0000000000000001", "log/1": "log/", "log/1234": "log/", "log/12345": "log/1",
		"shard": "", "ckpt/7/pages": "ckpt/7/", "ckpt/7/000001": "ckpt/7/00", "12345": "1",
	} {
		if got := bucketOf(name); got != want {
			t.Errorf("bucket of %q: got %q, want %q", name, got, want)
		}
	}
	d := newDouble(0)
	e := newEngine(d, "double")
	for _, old := range []time.Duration{0, 2 * bucketOld} {
		d.age = old
		must(t, newEngine(d, "double").Create(t.Context(), fmt.Sprintf("log/%020d", old), nil))
		must(t, newEngine(d, "double").Create(t.Context(), fmt.Sprintf("keep/%d", old), nil))
	}
	must(t, e.Delete(t.Context(), fmt.Sprintf("log/%020d", 0)))
	must(t, e.Delete(t.Context(), fmt.Sprintf("log/%020d", 2*bucketOld)))
	names(t, e, "")
	want := []string{"keep/", "keep/18000000000", "log/0000000000000000"}
	if got := slices.Sorted(maps.Keys(d.bucket)); !slices.Equal(got, want) {
		t.Errorf("buckets: got %q, want the fresh one, and that with an object", got)
	}
}

func TestParseURL(t *testing.T) {
	o, err := parseURL("cql://me:p%40ss@h1:9042,[::1]:9043,h3/space/a/b?consistency=local_quorum&replication=3&" +
		"datacenter=dc1&timeout=3s&ca=/x&commitlog=unchecked")
	want := options{hosts: []string{"h1:9042", "[::1]:9043", "h3"}, user: "me", password: "p@ss", keyspace: "space",
		prefix: "a/b", plain: gocql.LocalQuorum, serial: gocql.LocalSerial, replication: 3, datacenter: "dc1",
		timeout: 3 * time.Second, secure: true, ca: "/x", unchecked: true}
	if err != nil || fmt.Sprint(o) != fmt.Sprint(want) {
		t.Errorf("got %+v, %v; want %+v", o, err, want)
	}
	for at, want := range map[string]string{
		"s3://b": "no hosts", "cql://": "no hosts", "cql:///space": "no hosts", "cql://h": "keyspace",
		"cql://h/a-b": "keyspace", "cql://h/a/..": "prefix", "cql://h,,i/a": "cannot read",
		"cql://h/a?consistency=one": "quorum or local_quorum", "cql://h/a?replication=0": "copies",
		"cql://h/a?timeout=soon": "duration", "cql://h/a?nonsense=1": `parameter "nonsense"`,
		"cql://h/a?tls=perhaps": "true or false", "cql://h/a?commitlog=periodic": "unchecked",
		"cql://h/%zz": "cannot read",
	} {
		if _, err := parseURL(at); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("parseURL(%q): got %v, want an error with %q", at, err, want)
		}
	}
}

func TestTranslate(t *testing.T) {
	for _, c := range []struct{ err, want error }{
		{nil, nil}, {gocql.ErrNotFound, store.ErrNotFound}, {context.Canceled, context.Canceled},
		{gocql.ErrTimeoutNoResponse, store.ErrUnavailable}, {gocql.ErrNoConnections, store.ErrUnavailable},
		{&gocql.RequestErrUnavailable{}, store.ErrUnavailable}, {&gocql.RequestErrWriteTimeout{}, store.ErrUnavailable},
		{errors.New("connection reset"), store.ErrUnavailable}, {gocql.ErrSessionClosed, store.ErrClosed},
	} {
		got := translate(c.err)
		if !errors.Is(got, c.want) || (got == nil) != (c.want == nil) {
			t.Errorf("translate(%v): got %v, want %v", c.err, got, c.want)
		}
	}
	if err := translate(answer{code: gocql.ErrCodeUnauthorized}); errors.Is(err, store.ErrUnavailable) {
		t.Errorf("translate of a refusal: got %v, want an error for ever", err)
	}
	if err := translate(answer{code: gocql.ErrCodeCASWriteUnknown}); !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("translate of an unknown outcome: got %v, want store.ErrUnavailable", err)
	}
}

// answer is an error of Cassandra.
type answer struct{ code int }

func (a answer) Code() int       { return a.code }
func (a answer) Message() string { return "of the test" }
func (a answer) Error() string   { return "of the test" }

func TestCommitLog(t *testing.T) {
	for mode, ok := range map[string]bool{"group": true, "BATCH": true, "periodic": false, "": false} {
		if err := judgeCommitLog(mode, nil); (err == nil) != ok {
			t.Errorf("commitlog_sync %q: got %v, want ok %v", mode, err, ok)
		}
	}
	err := judgeCommitLog("", gocql.ErrNotFound)
	if err == nil || !strings.Contains(err.Error(), "commitlog=unchecked") {
		t.Errorf("commitlog_sync that cannot be read: got %v, want advice", err)
	}
}
