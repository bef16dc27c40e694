// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package livetest

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"
)

// Tap is a server that tells of a network as tap does: each event until it is acknowledged, those
// of one account in order if they are live, and in any if they were fetched with the repository.
type Tap struct {
	network *Network
	http    *httptest.Server
	stop    chan struct{}
	running sync.WaitGroup

	mu        sync.Mutex
	rand      *rand.Rand
	read      int64 // of the network's log
	next      int64 // ID
	outbox    []*outgoing
	kept      []*outgoing       // acknowledged, and not yet deleted
	mirrors   map[string]*Repo  // what it has of the accounts
	states    map[string]string // of accounts
	socket    *websocket.Conn
	refetched int
	frames    int

	Retry    time.Duration // unacknowledged events are sent again after it
	Break    int           // about every so many events the connection breaks off; 0: never
	Password string
	Fails    int // so many repositories cannot be fetched
	Hosts    int // that have the repositories; 0: nobody knows where they are

	// Late has what is fetched of accounts that are added wait in the outbox while it is true.
	// Asked counts how often somebody asked for the state of an account that was fetched.
	Late  atomic.Bool
	Asked atomic.Int64

	fetching map[string]int // repositories by host
	most     int            // at a time, of one host
}

// outgoing is an event that is to be sent.
type outgoing struct {
	id      int64
	account string
	live    bool
	late    bool   // of a repository that was asked for
	body    string // without the ID
	sent    time.Time
}

// NewTap starts a server. Its fields may be set before the first connection.
func NewTap(n *Network, seed uint64) *Tap {
	s := &Tap{network: n, stop: make(chan struct{}), rand: rand.New(rand.NewPCG(seed, 39)), next: 1,
		mirrors: make(map[string]*Repo), states: make(map[string]string), fetching: make(map[string]int),
		Retry: 100 * time.Millisecond}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /channel", s.channel)
	mux.HandleFunc("POST /repos/{verb}", s.change)
	mux.HandleFunc("GET /info/{account}", s.info)
	mux.HandleFunc("GET /resolve/{account}", s.resolve)
	s.http = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		user, password, _ := r.BasicAuth()
		if s.Password != "" && (user != "admin" || password != s.Password) {
			http.Error(w, "unauthorized", http.StatusUnauthorized)
			return
		}
		mux.ServeHTTP(w, r)
	}))
	s.running.Add(1)
	go s.run()
	return s
}

// URL returns the address of the server as a source.
func (s *Tap) URL() string {
	address := strings.TrimPrefix(s.http.URL, "http://")
	if s.Password != "" {
		address = ":" + s.Password + "@" + address
	}
	return "tap://" + address
}

// Close ends the server.
func (s *Tap) Close() {
	close(s.stop)
	s.http.CloseClientConnections()
	s.running.Wait()
	s.http.Close()
}

// run takes events of the network, and sends what may be sent.
func (s *Tap) run() {
	defer s.running.Done()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-s.stop:
			return
		case <-tick.C:
		}
		s.mu.Lock()
		s.take()
		s.send()
		s.mu.Unlock()
	}
}

// take puts new events of the network into the outbox. Of an account that is out of step it takes
// none. The caller holds mu.
func (s *Tap) take() {
	s.network.mu.Lock()
	entries := s.network.log[s.read:]
	s.network.mu.Unlock()
	for i := range entries {
		e := &entries[i]
		s.read++
		if e.Kind == "account" || e.Kind == "identity" {
			s.identity(e)
			continue
		}
		if state := s.states[e.Account]; state != "" && state != "active" || e.Kind == "sync" {
			continue // the repository that is to be fetched has it
		}
		apply(s.mirrors, e)
		s.put(e.Account, true, record(e, true))
	}
}

// identity tells the state of an account. The caller holds mu.
func (s *Tap) identity(e *Entry) {
	if e.Status == "desynchronized" {
		return
	}
	apply(s.mirrors, e)
	status := s.mirrors[e.Account].Status
	state := `"is_active":true,"status":"active"`
	if status != "" {
		state = fmt.Sprintf(`"is_active":false,"status":%q`, status)
	}
	s.put(e.Account, false, fmt.Sprintf(`"type":"identity","identity":{"did":%q,"handle":"a.example",%s}`, e.Account,
		state))
}

// record returns the event of a record, without its ID.
func record(e *Entry, live bool) string {
	return fmt.Sprintf(`"type":"record","record":{"live":%t,"did":%q,"rev":%q,"collection":%q,"rkey":%q,"action":%q%s}`,
		live, e.Account, e.Rev, e.Record.Collection, e.Record.Key, e.Action, e.record())
}

// put puts an event into the outbox. The caller holds mu.
func (s *Tap) put(account string, live bool, body string) {
	s.outbox = append(s.outbox, &outgoing{id: s.next, account: account, live: live, body: body})
	s.next++
}

// send sends what may be sent, in any order of the accounts. The caller holds mu.
func (s *Tap) send() {
	if s.socket == nil {
		return
	}
	before := make(map[string]bool)  // accounts with an event before
	blocked := make(map[string]bool) // by a live one
	var ready []*outgoing
	for _, o := range s.outbox {
		if o.late && s.Late.Load() {
			blocked[o.account] = true
			continue
		}
		if !blocked[o.account] && (!o.live || !before[o.account]) && time.Since(o.sent) >= s.Retry {
			ready = append(ready, o)
		}
		before[o.account] = true
		blocked[o.account] = blocked[o.account] || o.live
	}
	s.rand.Shuffle(len(ready), func(i, j int) {
		if ready[i].account != ready[j].account { // of one account in the order of the outbox
			ready[i], ready[j] = ready[j], ready[i]
		}
	})
	sortWithin(ready)
	for _, o := range ready {
		if s.Break > 0 && s.rand.IntN(s.Break) == 0 {
			_ = s.socket.CloseNow()
			s.socket = nil
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		err := s.socket.Write(ctx, websocket.MessageText, fmt.Appendf(nil, `{"id":%d,%s}`, o.id, o.body))
		cancel()
		if err != nil {
			s.socket = nil
			return
		}
		o.sent = time.Now()
		s.frames++
	}
}

// sortWithin puts the events of each account into the order of their IDs, and leaves the accounts
// where they are.
func sortWithin(ready []*outgoing) {
	places := make(map[string][]int)
	for i, o := range ready {
		places[o.account] = append(places[o.account], i)
	}
	for _, at := range places {
		var own []*outgoing
		for _, i := range at {
			own = append(own, ready[i])
		}
		slices.SortFunc(own, func(a, b *outgoing) int { return int(a.id - b.id) })
		for j, i := range at {
			ready[i] = own[j]
		}
	}
}

// channel is the connection of the one client.
func (s *Tap) channel(w http.ResponseWriter, r *http.Request) {
	socket, err := websocket.Accept(w, r, nil)
	if err != nil {
		return
	}
	s.running.Add(1)
	defer s.running.Done()
	defer socket.CloseNow()
	s.mu.Lock()
	s.socket = socket
	s.mu.Unlock()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		select {
		case <-s.stop:
			cancel()
		case <-ctx.Done():
		}
	}()
	for {
		_, frame, err := socket.Read(ctx)
		var ack struct {
			Type string
			ID   int64
		}
		if err != nil || json.Unmarshal(frame, &ack) != nil {
			return
		}
		if ack.Type == "ack" {
			s.acknowledged(socket, ack.ID)
		}
	}
}

// acknowledged deletes an event, if the connection is still the one that its ID is of.
func (s *Tap) acknowledged(socket *websocket.Conn, id int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.socket != socket {
		return
	}
	if at := slices.IndexFunc(s.outbox, func(o *outgoing) bool { return o.id == id }); at >= 0 {
		s.kept = append(s.kept, s.outbox[at])
		s.kept = s.kept[max(0, len(s.kept)-30):]
		s.outbox = slices.Delete(s.outbox, at, at+1)
	}
}

// Crash ends the connection, and begins as a tap that was killed: the events that were acknowledged
// last come again, and all IDs begin at 1.
func (s *Tap) Crash() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.socket != nil {
		_ = s.socket.CloseNow()
		s.socket = nil
	}
	s.outbox = append(s.kept, s.outbox...)
	s.kept = nil
	slices.SortStableFunc(s.outbox, func(a, b *outgoing) int { return int(a.id - b.id) })
	for i, o := range s.outbox {
		o.id, o.sent = int64(i)+1, time.Time{}
	}
	s.next = int64(len(s.outbox)) + 1
}

// Desynchronize has tap miss what happens to an account, until Resync.
func (s *Tap) Desynchronize(account string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.take()
	s.states[account] = "desynchronized"
}

// Resync has tap fetch the repository of an account that it missed events of. It sends what differs
// from what it has, and no deletions.
func (s *Tap) Resync(account string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.take()
	s.fetch(account)
}

// fetch sends what a repository has and the mirror has not. The caller holds mu.
func (s *Tap) fetch(account string) {
	s.network.mu.Lock()
	repo := s.network.repos[account]
	if repo == nil {
		repo = new(Repo)
	}
	records, rev := maps.Clone(repo.Records), repo.Rev
	s.network.mu.Unlock()
	mirror := s.mirrors[account]
	if mirror == nil {
		mirror = &Repo{Records: make(map[Record]Content)}
		s.mirrors[account] = mirror
	}
	for r, c := range records {
		old, there := mirror.Records[r]
		if there && old == c {
			continue
		}
		e := &Entry{Account: account, Kind: "commit", Rev: rev, Action: "create", Record: r, Content: c}
		if there {
			e.Action = "update"
		}
		mirror.Records[r] = c
		s.put(account, false, record(e, false))
	}
	mirror.Rev = rev
	s.states[account] = "active"
}

// change tracks accounts, or no longer does.
func (s *Tap) change(w http.ResponseWriter, r *http.Request) {
	var body struct{ DIDs []string }
	if json.NewDecoder(r.Body).Decode(&body) != nil || len(body.DIDs) == 0 {
		http.Error(w, "bad request", http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, account := range body.DIDs {
		switch r.PathValue("verb") {
		case "remove":
			s.take()
			s.states[account] = "untracked"
			if m := s.mirrors[account]; m != nil {
				clear(m.Records)
			}
		case "add":
			s.refetched++
			s.states[account] = "pending"
			host := s.hostOf(account)
			s.fetching[host]++
			s.most = max(s.most, s.fetching[host])
			time.AfterFunc(20*time.Millisecond, func() {
				s.mu.Lock()
				defer s.mu.Unlock()
				s.take()
				s.fetching[host]--
				if s.Fails--; s.Fails >= 0 {
					s.states[account] = "error"
					return
				}
				before := len(s.outbox)
				s.fetch(account)
				for _, o := range s.outbox[before:] {
					o.late = true
				}
			})
		}
	}
}

func (s *Tap) info(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	account := r.PathValue("account")
	state := s.states[account]
	if state == "" && s.mirrors[account] == nil {
		http.Error(w, "not found", http.StatusNotFound)
		return
	}
	if state == "" {
		state = "active"
	}
	rev, records := "", 0
	if m := s.mirrors[account]; m != nil {
		rev, records = m.Rev, len(m.Records)
	}
	if state == "active" {
		s.Asked.Add(1)
	}
	fmt.Fprintf(w, `{"did":%q,"handle":"a.example","state":%q,"rev":%q,"error":"made up","retries":0,"records":%d}`,
		account, state, rev, records)
}

// hostOf names the host of an account's repository.
func (s *Tap) hostOf(account string) string {
	if s.Hosts == 0 {
		return ""
	}
	sum := 0
	for _, b := range []byte(account) {
		sum += int(b)
	}
	return fmt.Sprintf("https://%d.example", sum%s.Hosts)
}

func (s *Tap) resolve(w http.ResponseWriter, r *http.Request) {
	host := s.hostOf(r.PathValue("account"))
	if host == "" {
		http.Error(w, "DID not found", http.StatusNotFound)
		return
	}
	fmt.Fprintf(w, `{"id":%q,"service":[{"id":"#other","type":"Other","serviceEndpoint":{"a":"b"}},`+
		`{"id":"#atproto_pds","type":"AtprotoPersonalDataServer","serviceEndpoint":%q}]}`, r.PathValue("account"), host)
}

// MostOfHost returns how many repositories of one host were fetched at a time.
func (s *Tap) MostOfHost() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.most
}

// Idle reports whether all that happened was sent and acknowledged.
func (s *Tap) Idle() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.read == s.network.Last() && len(s.outbox) == 0
}

// Refetched returns how many repositories were fetched anew.
func (s *Tap) Refetched() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.refetched
}
