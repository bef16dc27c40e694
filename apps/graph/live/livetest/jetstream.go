// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package livetest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"
)

// Jetstream is a server that tells of a network in both forms of Jetstream.
type Jetstream struct {
	network *Network
	http    *httptest.Server
	stop    chan struct{}
	running sync.WaitGroup

	mu       sync.Mutex
	rand     *rand.Rand
	requests []string

	Break   int   // about every so many events the connection breaks off; 0: never
	Floor   int64 // the first position that it still has
	Shift   int64 // is added to positions: its numbers began anew
	Times   bool  // positions of the first form are times, as the older server has them
	Refuse  int   // so many connections are refused with 503
	TooSlow bool  // in place of breaking off, the second form says that the client is too slow
	Silent  bool  // it accepts connections, and says nothing
}

// NewJetstream starts a server. Its fields may be set before the first connection.
func NewJetstream(n *Network, seed uint64) *Jetstream {
	s := &Jetstream{network: n, stop: make(chan struct{}), rand: rand.New(rand.NewPCG(seed, 38))}
	mux := http.NewServeMux()
	mux.HandleFunc("/subscribe", func(w http.ResponseWriter, r *http.Request) { s.serve(w, r, 1) })
	mux.HandleFunc("/xrpc/network.bsky.jetstream.subscribeEvents",
		func(w http.ResponseWriter, r *http.Request) { s.serve(w, r, 2) })
	s.http = httptest.NewServer(mux)
	return s
}

// URL returns the address of the server as a source, for a form of Jetstream.
func (s *Jetstream) URL(form int) string {
	return map[int]string{1: "jetstream", 2: "jetstream2"}[form] + "://" + strings.TrimPrefix(s.http.URL, "http://") +
		"?tls=no"
}

// Requests returns the parameters of all connections so far.
func (s *Jetstream) Requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Close ends the server.
func (s *Jetstream) Close() {
	close(s.stop)
	s.http.CloseClientConnections()
	s.running.Wait()
	s.http.Close()
}

// problem returns what is wrong with parameters.
func problem(query url.Values, form int) string {
	known := []string{"wantedCollections", "cursor"}
	if form == 2 {
		known = []string{"kinds", "collections", "cursor"}
	}
	for key := range query {
		if !slices.Contains(known, key) {
			return "InvalidRequest"
		}
	}
	return ""
}

func (s *Jetstream) serve(w http.ResponseWriter, r *http.Request, form int) {
	s.running.Add(1)
	defer s.running.Done()
	query := r.URL.Query()
	s.mu.Lock()
	s.requests = append(s.requests, r.URL.RawQuery)
	refuse := s.Refuse > 0
	s.Refuse--
	ends := 1 << 40
	if s.Break > 0 {
		ends = 1 + s.rand.IntN(2*s.Break)
	}
	s.mu.Unlock()
	code := problem(query, form)
	position, resumed := s.network.Last()+1, query.Has("cursor")
	if resumed {
		cursor, _ := strconv.ParseInt(query.Get("cursor"), 10, 64)
		if s.Times && form == 1 {
			cursor -= timeOf(0)
		}
		switch position = max(1, cursor-s.Shift); {
		case position < s.Floor && form == 2:
			code = "CursorTooOld"
		case position > s.network.Last() || position < s.Floor:
			position = max(s.Floor, min(position, s.network.Last()+1))
		}
	}
	switch {
	case refuse:
		http.Error(w, "building", http.StatusServiceUnavailable)
		return
	case code != "":
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprintf(w, `{"error":%q,"message":"made up"}`, code)
		return
	}
	socket, err := websocket.Accept(w, r, &websocket.AcceptOptions{CompressionMode: websocket.CompressionDisabled})
	if err != nil {
		return
	}
	defer socket.CloseNow()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), time.Minute)
	defer cancel()
	if s.Silent {
		<-s.stop
		return
	}
	done := socket.CloseRead(ctx).Done() // a frame of the client ends the connection, too
	stop := make(chan struct{})
	go func() {
		defer close(stop)
		select {
		case <-s.stop:
		case <-done:
		}
	}()
	s.send(ctx, socket, position, ends, form, stop)
}

// send sends events from a position on, as many as the connection has.
func (s *Jetstream) send(ctx context.Context, socket *websocket.Conn, position int64, ends, form int,
	stop <-chan struct{}) {
	for {
		events := s.network.from(position, stop)
		if events == nil {
			return
		}
		for _, e := range events {
			position++
			frame := s.frame(&e, form)
			if frame == "" {
				continue
			}
			if ends--; ends < 0 {
				if s.TooSlow && form == 2 {
					_ = socket.Write(ctx, websocket.MessageText,
						[]byte(`{"$type":"error","error":"ConsumerTooSlow","message":"made up"}`))
				}
				return
			}
			if socket.Write(ctx, websocket.MessageText, []byte(frame)) != nil {
				return
			}
		}
	}
}

// timeOf returns the time of a position, in microseconds. Two events have one time.
func timeOf(position int64) int64 { return 1764100801250123 + position }

// frame returns an event as a form of Jetstream sends it; "" if it does not.
func (s *Jetstream) frame(e *Entry, form int) string {
	record := e.record()
	if form == 2 {
		head := fmt.Sprintf(`{"$type":"message","payload":{"$type":"network.bsky.jetstream.subscribeEvents#%s",`+
			`"seq":%d,"did":%q,"time":%q,`, e.Kind, e.Position+s.Shift, e.Account,
			time.UnixMicro(timeOf(e.Position)).UTC().Format("2006-01-02T15:04:05.000000Z"))
		switch e.Kind {
		case "commit":
			if e.Record.Collection == Like {
				return ""
			}
			return head + fmt.Sprintf(`"rev":%q,"operation":%q,"collection":%q,"rkey":%q%s}}`, e.Rev, e.Action,
				e.Record.Collection, e.Record.Key, record)
		case "account":
			return head + fmt.Sprintf(`"account":{%s}}}`, e.state("active"))
		case "sync":
			return head + fmt.Sprintf(`"sync":{"did":%q,"rev":%q,"seq":1,"blocks":{"$bytes":"AA"}}}}`, e.Account, e.Rev)
		}
		return ""
	}
	head := fmt.Sprintf(`{"did":%q,"time_us":%d,`, e.Account, timeOf(e.Position))
	if !s.Times {
		head += fmt.Sprintf(`"cursor":%d,`, e.Position+s.Shift)
	}
	switch {
	case e.Kind == "commit" && !e.Again && e.Record.Collection != Like:
		return head + fmt.Sprintf(`"kind":"commit","commit":{"rev":%q,"operation":%q,"collection":%q,"rkey":%q%s}}`,
			e.Rev, e.Action, e.Record.Collection, e.Record.Key, record)
	case e.Kind == "account":
		return head + fmt.Sprintf(`"kind":"account","account":{%s,"did":%q,"seq":1}}`, e.state("active"), e.Account)
	case e.Kind == "identity":
		return head + fmt.Sprintf(`"kind":"identity","identity":{"did":%q,"handle":"handle.invalid"}}`, e.Account)
	}
	return ""
}

// record returns the record of an event, as all servers send it.
func (e *Entry) record() string {
	if e.Action == "delete" || e.Kind != "commit" {
		return ""
	}
	list := ""
	if e.Content.List != "" {
		list = fmt.Sprintf(`,"list":%q`, e.Content.List)
	}
	if e.Content.Subject == "" { // it could not be decoded
		return `,"cid":"bafymadeup"`
	}
	return fmt.Sprintf(`,"record":{"$type":%q,"subject":%q%s},"cid":"bafymadeup"`, e.Record.Collection, e.Content.Subject,
		list)
}

// state returns the state of an account; active is the name of the member that says whether it is.
func (e *Entry) state(active string) string {
	if e.Status == "" {
		return fmt.Sprintf("%q:true", active)
	}
	return fmt.Sprintf(`%q:false,"status":%q`, active, e.Status)
}
