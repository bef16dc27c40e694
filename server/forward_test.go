// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/client"
	"github.com/uproar-db/uproar/server"
	"github.com/uproar-db/uproar/server/replica"
	"github.com/uproar-db/uproar/store/ship"
)

// steady has the first copy lead from its start, and go on for longer than a test takes.
func steady(i int, _ *server.Options, s *ship.Options) {
	s.Heartbeat = time.Minute
	if i > 0 {
		s.Role = ship.Reader
	}
}

// forwards has copies do so with writes.
func forwards(f replica.Forward) func(int, *server.Options, *ship.Options) {
	return func(_ int, o *server.Options, _ *ship.Options) { o.Forward = f }
}

// sendTo sends a request to a server, and follows it nowhere.
func sendTo(t *testing.T, method, url string, body io.Reader, fields ...string) (status int, reply string,
	h http.Header) {
	t.Helper()
	return sendBy(t, http.DefaultTransport.RoundTrip, method, url, body, fields...)
}

// sendBy sends a request, and returns the answer.
func sendBy(t *testing.T, send func(*http.Request) (*http.Response, error), method, url string, body io.Reader,
	fields ...string) (status int, reply string, h http.Header) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, body)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(fields); i += 2 {
		r.Header.Set(fields[i], fields[i+1])
	}
	answer, err := send(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, strings.TrimSpace(string(text)), answer.Header
}

const newPeople = `{"index":"people","fields":[{"name":"likes","type":"set"}]}`

// TestForward: what a copy that follows does with a write, as it was told.
func TestForward(t *testing.T) {
	for _, c := range []struct {
		forward replica.Forward
		status  int
		text    string // of the reply
	}{
		{"", 307, "{}"}, {replica.Redirect, 307, "{}"}, {replica.Refuse, 503, `"reason":"follows"`},
		{replica.Proxy, 200, `"index":"people"`},
	} {
		t.Run(string(c.forward), func(t *testing.T) {
			copies := serveCopies(t, 2, steady, forwards(c.forward))
			status, reply, h := sendTo(t, "POST", copies[1].url+"/v1/indexes/create", strings.NewReader(newPeople))
			if status != c.status || !strings.Contains(reply, c.text) {
				t.Errorf("got %d %s, want %d and %s", status, reply, c.status, c.text)
			}
			if at := h.Get("Location"); (at != "") != (status == 307) ||
				at != "" && at != copies[0].url+"/v1/indexes/create" {
				t.Errorf("got the location %q", at)
			}
			if status == 503 && !strings.Contains(reply, copies[0].url) {
				t.Errorf("got %s, want it to name %s", reply, copies[0].url)
			}
			_, reply, _ = sendTo(t, "GET", copies[0].url+"/v1/indexes", nil)
			if made := strings.Contains(reply, "people"); made != (status == 200) {
				t.Errorf("after %d the copy that leads has %s", status, reply)
			}
		})
	}
	if _, err := server.New(newSite(t, nil).db, &server.Options{Replica: aCopy{}, Forward: "somewhere"}); err == nil {
		t.Error("Forward somewhere: got no error")
	}
}

// TestProxy: a copy that passes writes on passes on their fields and bodies, also of compressed
// ones and imports of any length, and answers with status, body and position of the one that leads.
func TestProxy(t *testing.T) {
	copies := serveCopies(t, 2, steady, forwards(replica.Proxy),
		func(_ int, o *server.Options, _ *ship.Options) { o.Tokens = tokens(t); o.Paths.GraphD = true })
	at, writer := copies[1].url, []string{"Authorization", "Bearer " + writes}
	post := func(path, body string, status int, want string, fields ...string) (position string) {
		t.Helper()
		got, reply, h := sendTo(t, "POST", at+path, strings.NewReader(body), fields...)
		if got != status || !strings.Contains(reply, want) {
			t.Fatalf("%s: got %d %s, want %d and %s", path, got, reply, status, want)
		}
		return h.Get(replica.Position)
	}
	post("/v1/indexes/create", newPeople, 401, "unauthorized")
	post("/v1/indexes/create", newPeople, 403, "forbidden", "Authorization", "Bearer "+reads)
	position := post("/v1/indexes/create", newPeople, 200, "likes", writer...)
	if has := fmt.Sprint(copies[0].store.Status().Object); position != has {
		t.Errorf("got the position %q, want %s, that of the copy that leads", position, has)
	}
	post("/v1/records/write", `{"index":"nobody","deletes":["a"]}`, 404, "unknown_index", writer...)
	post("/v1/records/write", gzipped(`{"index":"people","puts":[{"key":"a","values":{"likes":["tea"]}}]}`), 200,
		"sequence", append(writer, "Content-Encoding", "gzip")...)
	post("/follow", `{"actor_did":"`+did("a")+`","target_did":"`+did("b")+`"}`, 200, `"ok"`, writer...)

	var table strings.Builder
	table.WriteString("id,likes\n")
	for n := 0; table.Len() < 6<<20; n++ { // above what another call may send
		fmt.Fprintf(&table, "k%07d,%s\n", n, strings.Repeat("x", 90))
	}
	asked, err := client.New(at, &client.Options{Token: writes})
	if err != nil {
		t.Fatal(err)
	}
	defer asked.Close()
	reply, err := asked.Import(t.Context(), "large", strings.NewReader(table.String()), client.TableImportOptions{})
	if err != nil || reply.Records < 60_000 {
		t.Fatalf("an import in parts: got %+v, %v", reply, err)
	}
	position = post("/v1/import?index=plain", table.String(), 200, `"records":`,
		append(writer, "Content-Type", "text/csv")...)
	status, text, _ := sendTo(t, "GET", at+"/v1/query?index=plain&q=all&answer=count", nil, "Uproar-At-Least", position,
		"Authorization", "Bearer "+reads)
	if want := fmt.Sprintf(`{"count":%d}`, reply.Records); status != 200 || text != want {
		t.Errorf("after an import with a length: got %d %s, want %s", status, text, want)
	}
	post("/v1/import?index=bad", "\n\n", 400, `"error"`, append(writer, "Content-Type", "text/csv")...)
	breakOff(t, at, table.String()[:1<<20])
	if _, text, _ = sendTo(t, "GET", copies[0].url+"/v1/indexes", nil, writer...); strings.Contains(text, "broken") {
		t.Errorf("after a body that broke off: got %s, want no index of it", text)
	}
	if _, text, _ = sendTo(t, "GET", at+"/metrics", nil, writer...); !strings.Contains(text,
		"\nuproar_copy_writes_passed_on 8\n") {
		t.Errorf("got %s", grep(text, "passed_on"))
	}
}

// breakOff begins an import, and ends the connection before the body has ended.
func breakOff(t *testing.T, url, part string) {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(conn, "POST /v1/import?index=broken HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n"+
		"Content-Type: text/csv\r\nContent-Length: %d\r\n\r\n%s", writes, 2*len(part), part)
	_ = conn.(*net.TCPConn).CloseWrite()
	reply, _ := io.ReadAll(conn)
	if text := string(reply); !strings.Contains(text, "400") || !strings.Contains(text, "nothing was imported") {
		t.Errorf("an import that breaks off: got %s, want 400", text)
	}
	_ = conn.Close()
}

// told is a copy that is what a test says.
type told struct {
	aCopy
	mu     sync.Mutex
	status ship.Status
	wait   error
}

// be has the copy be so from now on.
func (c *told) be(st ship.Status, wait error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.status, c.wait = st, wait
}

func (c *told) Status() ship.Status {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.status
}

func (c *told) Wait(context.Context, uint64) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.wait
}

// TestForwardNowhere: two copies that each take the other for the one that leads pass a write on
// once, and no copy sends a write to itself. Each says why it was not done.
func TestForwardNowhere(t *testing.T) {
	a, b := new(told), new(told)
	passing := &server.Options{Forward: replica.Proxy, Replica: a}
	first := newSiteOf(t, passing, newSite(t, nil).db, nil)
	second := newSiteOf(t, &server.Options{Forward: replica.Proxy, Replica: b}, newSite(t, nil).db, nil)
	nodes := []ship.Node{{ID: "a", URL: first.url}, {ID: "b", URL: second.url + "/"}}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody := "http://" + free.Addr().String()
	_ = free.Close()
	for _, c := range []struct {
		name       string
		a, b       ship.Status
		text       string
		hasWritten bool
	}{
		{"in a circle", ship.Status{Node: nodes[0], Writer: nodes[1]}, ship.Status{Node: nodes[1], Writer: nodes[0]},
			`copy \"a\" passed this write on`, false},
		{"to itself", ship.Status{Node: nodes[0], Writer: nodes[0]}, ship.Status{}, "no copy takes writes now", false},
		{"to nobody", ship.Status{Node: nodes[0]}, ship.Status{}, "no copy takes writes now", false},
		{"to its own address", ship.Status{Node: nodes[0], Writer: ship.Node{ID: "c", URL: strings.ToUpper(first.url)}},
			ship.Status{}, "--advertise", false},
		{"to one that is not there", ship.Status{Node: nodes[0], Writer: ship.Node{ID: "c", URL: nobody}},
			ship.Status{}, "cannot be reached", false},
		{"to no address", ship.Status{Node: nodes[0], Writer: ship.Node{ID: "c", URL: "http://a b"}}, ship.Status{},
			"no address", false},
		{"a token in the clear", ship.Status{Node: ship.Node{ID: "a", URL: "https://a"}, Writer: nodes[1]},
			ship.Status{}, "gets no token", false},
		{"to one that leads", ship.Status{Node: nodes[0], Writer: nodes[1]}, ship.Status{Node: nodes[1], Leads: true},
			`"sequence"`, true},
	} {
		a.be(c.a, nil)
		b.be(c.b, nil)
		status, reply, _ := sendTo(t, "POST", first.url+"/v1/graph/follow",
			strings.NewReader(`{"account":"a","target":"b"}`), "Authorization", "Bearer x")
		if c.hasWritten != (status == 200) || !strings.Contains(reply, c.text) ||
			!c.hasWritten && (status != 503 || !strings.Contains(reply, `"reason":"no_writer"`)) {
			t.Errorf("%s: got %d %s, want it written %v, and %s", c.name, status, reply, c.hasWritten, c.text)
		}
	}
}

// TestForwardDoubtful: the copy that leads ends the connection instead of answering. The error says
// that the write may have been done, and the client does not do it again.
func TestForwardDoubtful(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	asked := make(chan struct{}, 100)
	go func() {
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			_, _ = conn.Read(make([]byte, 10))
			asked <- struct{}{}
			_ = conn.Close()
		}
	}()
	from := &told{status: ship.Status{Node: ship.Node{ID: "a"},
		Writer: ship.Node{ID: "b", URL: "http://" + ln.Addr().String()}}}
	s := newSiteOf(t, &server.Options{Forward: replica.Proxy, Replica: from}, newSite(t, nil).db, nil)
	c, err := client.New(s.url, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_, err = c.Graph().Follow(t.Context(), api.Follow{Account: "a", Target: "b"})
	failed, ok := errors.AsType[*client.Error](err)
	if !ok || failed.Status != 503 || failed.Reason != "" || !strings.Contains(failed.Message, "may have been done") {
		t.Errorf("got %v, want 503 that leaves it open", err)
	}
	if n := len(asked); n != 1 {
		t.Errorf("the copy that leads was asked %d times, want once", n)
	}
}

// TestStoppedCopy: a copy that follows no more is not called old: its server must be started again.
func TestStoppedCopy(t *testing.T) {
	damaged := errors.New("object 12 is damaged")
	from := &told{status: ship.Status{Node: ship.Node{ID: "a"}, Failure: damaged}, wait: damaged}
	s := newSiteOf(t, &server.Options{Replica: from, Timeout: 200 * time.Millisecond}, newSite(t, nil).db, nil)
	for path, want := range map[string]int{"/readyz": 503, "/healthz": 200, "/v1/indexes": 503} {
		status, reply, _ := sendTo(t, "GET", s.url+path, nil, "Uproar-At-Least", "9")
		if status != want || want == 503 && !strings.Contains(reply, `"reason":"stopped"`) {
			t.Errorf("%s: got %d %s, want %d, stopped", path, status, reply, want)
		}
	}
	from.be(ship.Status{Node: ship.Node{ID: "a"}}, context.DeadlineExceeded)
	if status, reply, _ := sendTo(t, "GET", s.url+"/v1/indexes", nil, "Uproar-At-Least", "9"); status != 503 ||
		!strings.Contains(reply, `"reason":"stale"`) {
		t.Errorf("one that is behind: got %d %s, want 503, stale", status, reply)
	}
}
