// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/client"
	"github.com/uproar-db/uproar/server"
	"github.com/uproar-db/uproar/server/replica"
	"github.com/uproar-db/uproar/store/memstore"
	"github.com/uproar-db/uproar/store/ship"
	"github.com/uproar-db/uproar/store/ship/shiptest"
)

// server3 is one of three servers with copies of a database.
type server3 struct {
	url    string
	store  *ship.Store
	db     *uproar.DB
	engine *shiptest.Faulty // between the copy and the log
}

// serveCopies starts servers of copies on one log, over real connections. set changes the options
// of each.
func serveCopies(t *testing.T, n int, set ...func(i int, o *server.Options, s *ship.Options)) (copies []*server3) {
	t.Helper()
	log := new(shiptest.Memory)
	for i := range n {
		copies = append(copies, serveCopy(t, log, i, set...))
	}
	return copies
}

// serveCopy starts the server of one copy.
func serveCopy(t *testing.T, log ship.Engine, i int, set ...func(i int, o *server.Options, s *ship.Options)) *server3 {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := &server3{url: "http://" + ln.Addr().String(),
		engine: shiptest.NewFaulty(log, uint64(i), shiptest.Faults{})}
	o := server.Options{Logger: slog.New(slog.DiscardHandler)}
	so := ship.Options{Unchecked: true, Poll: time.Millisecond, Heartbeat: 100 * time.Millisecond,
		Node: ship.Node{ID: fmt.Sprint("n", i), URL: c.url}}
	for _, set := range set {
		set(i, &o, &so)
	}
	if c.store, err = ship.Open(t.Context(), memstore.New(), c.engine, so); err != nil {
		t.Fatal(err)
	}
	if c.db, err = uproar.Open(t.Context(), c.store, nil); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.db.Close() })
	o.Replica = c.store
	s, err := server.New(c.db, &o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- s.Serve(ctx, ln) }()
	t.Cleanup(func() {
		http.DefaultTransport.(*http.Transport).CloseIdleConnections()
		stop()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return c
}

// ask asks a copy, with fields of the request, and follows it to where the writer is.
func (c *server3) ask(t *testing.T, path, body string, fields ...string) (status int, reply string, h http.Header) {
	t.Helper()
	return sendBy(t, http.DefaultClient.Do, "POST", c.url+path, strings.NewReader(body), fields...)
}

// leading waits until one of the copies leads, and returns it.
func leading(t *testing.T, copies ...*server3) *server3 {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(time.Millisecond) {
		for _, c := range copies {
			if c.store.Status().Leads {
				return c
			}
		}
	}
	t.Fatal("no copy leads after 20 s")
	return nil
}

// write writes a record at whichever copy, again and again until it is done, and returns the
// position of the reply.
func (c *server3) write(t *testing.T, key string) (position string) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		status, reply, h := c.ask(t, "/v1/records/write",
			fmt.Sprintf(`{"index":"people","puts":[{"key":%q,"values":{"likes":["x"]}}]}`, key))
		if status == 200 {
			return h.Get("Uproar-Position")
		}
		if status != 503 || time.Now().After(end) {
			t.Fatalf("writing %s: got %d %s, want 200, or 503 for a while", key, status, reply)
		}
	}
}

// TestCopies writes at any of three copies and reads at any other what was written.
func TestCopies(t *testing.T) {
	copies := serveCopies(t, 3)
	status, reply, _ := copies[2].ask(t, "/v1/indexes/create",
		`{"index":"people","fields":[{"name":"likes","type":"set"}]}`)
	if status != 200 {
		t.Fatalf("a new index, asked of a copy that follows: got %d %s", status, reply)
	}
	for i := range 200 {
		at := copies[i%3].write(t, fmt.Sprint("k", i))
		status, reply, _ := copies[(i+1)%3].ask(t, "/v1/records/get",
			fmt.Sprintf(`{"index":"people","keys":["k%d"]}`, i), "Uproar-At-Least", at)
		if status != 200 || !strings.Contains(reply, `"x"`) {
			t.Fatalf("record %d at another copy: got %d %s", i, status, reply)
		}
	}
	status, reply, _ = copies[1].ask(t, "/v1/records/get", `{"index":"people","keys":["k1"]}`,
		"Uproar-At-Least", "many")
	if status != 400 {
		t.Errorf("a position that is none: got %d %s, want 400", status, reply)
	}
	for _, c := range copies {
		asked, err := client.New(c.url, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := asked.WriteRecords(t.Context(), api.RecordsWriteRequest{Index: "people",
			Deletes: []string{"k7"}}); err != nil {
			t.Errorf("the Go client at %s: %v", c.url, err)
		}
	}
	writer := leading(t, copies...)
	start := time.Now()
	status, reply, _ = writer.ask(t, "/v1/handover", "{}")
	if status != 200 {
		t.Fatalf("handing over: got %d %s", status, reply)
	}
	writer.write(t, "after")
	if took := time.Since(start); took > 5*time.Second || writer.store.Status().Leads {
		t.Errorf("handing over took %v, and the first leads again: %v", took, writer.store.Status().Leads)
	}
	if status, reply, _ = writer.ask(t, "/v1/handover", "{}"); status != 400 {
		t.Errorf("handing over by a copy that follows: got %d %s, want 400", status, reply)
	}
}

// TestCopyCutOff cuts the copy that leads off from the log: it acknowledges nothing, another takes
// over, and the first is refused to those who want it new until it is back.
func TestCopyCutOff(t *testing.T) {
	copies := serveCopies(t, 2)
	first, second := copies[0], copies[1]
	first.ask(t, "/v1/indexes/create", `{"index":"people","fields":[{"name":"likes","type":"set"}]}`)
	first.write(t, "before")
	first.engine.Cut()
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, "POST", first.url+"/v1/records/write",
		strings.NewReader(`{"index":"people","puts":[{"key":"cut","values":{}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	if answer, err := http.DefaultClient.Do(r); err == nil {
		answer.Body.Close()
		if answer.StatusCode == 200 {
			t.Error("a copy that is cut off has acknowledged a write")
		}
	}
	leading(t, second)
	at := second.write(t, "after")
	status, reply, _ := first.ask(t, "/v1/records/get", `{"index":"people","keys":["before"]}`, "Uproar-Max-Age", "50")
	var failed api.ErrorReply
	if err := json.Unmarshal([]byte(reply), &failed); err != nil || status != 503 ||
		failed.Error.Reason != api.ReasonStale {
		t.Errorf("an old copy for who wants a new one: got %d %s, want 503 with the reason stale", status, reply)
	}
	if status, reply, _ = first.ask(t, "/v1/records/get", `{"index":"people","keys":["before"]}`); status != 200 {
		t.Errorf("an old copy for who takes any: got %d %s", status, reply)
	}
	first.engine.Heal()
	status, reply, _ = first.ask(t, "/v1/records/get", `{"index":"people","keys":["after"]}`, "Uproar-At-Least", at)
	if status != 200 || !strings.Contains(reply, `"after"`) {
		t.Errorf("the first copy when it is back: got %d %s", status, reply)
	}
	if err := first.store.Status().Failure; err != nil && !errors.Is(err, context.Canceled) {
		t.Errorf("the first copy: %v", err)
	}
}

// figures returns what a copy shows of itself under /metrics, by name.
func (c *server3) figures(t *testing.T) map[string]float64 {
	t.Helper()
	_, text, _ := sendTo(t, "GET", c.url+"/metrics", nil)
	figures := make(map[string]float64)
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		if name, ok := strings.CutPrefix(name, "uproar_copy_"); ok {
			x, err := strconv.ParseFloat(value, 64)
			if err != nil {
				t.Fatal(err)
			}
			figures[name] = x
		}
	}
	return figures
}

// TestCopyFigures: each figure of a copy moves with what it is of, stands in docs/http.md, and
// /readyz tells a copy that follows and is too old from one that leads.
func TestCopyFigures(t *testing.T) {
	guide, err := os.ReadFile("../docs/http.md")
	if err != nil {
		t.Fatal(err)
	}
	copies := serveCopies(t, 2, forwards(replica.Proxy), func(_ int, o *server.Options, _ *ship.Options) {
		o.MaxAge = 2 * time.Second
	})
	first, second := copies[0], copies[1]
	ready := func(c *server3, status int, text string) {
		t.Helper()
		waitFor(t, fmt.Sprintf("/readyz to be %d %s", status, text), func() bool {
			got, reply, _ := sendTo(t, "GET", c.url+"/readyz", nil)
			return got == status && strings.Contains(reply, text)
		})
	}
	leading(t, first)
	ready(first, 200, `"leads":true`)
	ready(second, 200, `"leads":false`)
	before := first.figures(t)
	for name := range before {
		if text := string(guide); !strings.Contains(text, "`uproar_copy_"+name+"`") &&
			!strings.Contains(text, "`_"+name+"`") {
			t.Errorf("docs/http.md has not the figure %s", name)
		}
	}
	status, reply, _ := sendTo(t, "POST", second.url+"/v1/indexes/create", strings.NewReader(newPeople))
	if status != 200 {
		t.Fatalf("got %d %s", status, reply)
	}
	more := func(c *server3, name string, before map[string]float64, least float64) {
		t.Helper()
		waitFor(t, fmt.Sprintf("%s to grow by %v from %v", name, least, before[name]), func() bool {
			return c.figures(t)[name] >= before[name]+least
		})
	}
	more(first, "objects_made", before, 1)
	more(first, "bytes_made", before, 50)
	more(first, "position", before, 1)
	follows := second.figures(t)
	if follows["leads"] != 0 || before["leads"] != 1 || follows["writes_passed_on"] != 1 || before["takeovers"] != 1 ||
		follows["objects_made"] != 0 {
		t.Errorf("the one that leads has %v, the one that follows %v", before, follows)
	}
	first.engine.Cut()
	more(second, "takeovers", follows, 1)
	more(second, "epoch", follows, 1)
	more(second, "leads", follows, 1)
	more(first, "age_seconds", nil, 2)
	ready(first, 503, "up to date")
	ready(second, 200, `"leads":true`)
	more(first, "engine_failures", before, 1)
	first.engine.Heal()
	more(first, "fenced", before, 1)
	ready(first, 200, `"leads":false`)
	if age := first.figures(t)["age_seconds"]; age > 2 {
		t.Errorf("the copy that is back has an age of %v s", age)
	}
	for _, c := range copies {
		asked := c.patient(t)
		waitFor(t, "the log to know both copies", func() bool {
			reply, err := asked.Cluster().Nodes(t.Context())
			return err == nil && len(reply.Nodes) == 2 && reply.Nodes[0].URL == first.url &&
				reply.Nodes[1].URL == second.url && reply.Log != ""
		})
	}
}

// TestOldWriter has a copy take over at its start from one that does not know it yet. What the old
// one would say by its state is outdated: it says nothing.
func TestOldWriter(t *testing.T) {
	log := new(shiptest.Memory)
	slow := func(_ int, _ *server.Options, s *ship.Options) {
		s.Heartbeat, s.Role = time.Hour, ship.Writer
	}
	old := serveCopy(t, log, 0, slow)
	people := `{"index":"people","fields":[{"name":"likes","type":"set"}]}`
	if status, reply, _ := old.ask(t, "/v1/indexes/create", people); status != 200 {
		t.Fatalf("a new index: got %d %s", status, reply)
	}
	old.write(t, "k")
	calls := []struct {
		path, body string
		status     int
	}{
		{"/v1/indexes/create", people, 409},
		{"/v1/records/write", `{"index":"other","puts":[{"key":"k","values":{}}]}`, 404},
		{"/v1/records/write", `{"index":"people","if":[{"key":"k","exists":false}],"deletes":["k"]}`, 409},
		{"/v1/records/write", `{"index":"people","puts":[{"key":"k","values":{"likes":["x"]}}]}`, 200}, // it has
	}
	for _, c := range calls {
		if status, reply, _ := old.ask(t, c.path, c.body); status != c.status {
			t.Errorf("while it leads, %s %s: got %d %s, want %d", c.path, c.body, status, reply, c.status)
		}
	}
	for i, c := range calls {
		next := serveCopy(t, log, 1+i, slow)
		status, reply, _ := old.ask(t, c.path, c.body)
		if status != 503 || !strings.Contains(reply, string(api.ReasonNoWriter)) {
			t.Errorf("after a takeover, %s %s: got %d %s, want 503 and the reason %s", c.path, c.body, status, reply,
				api.ReasonNoWriter)
		}
		old = next
	}
}
