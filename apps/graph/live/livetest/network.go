// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package livetest

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
)

// Collections of records.
const (
	Follow   = "app.bsky.graph.follow"
	Block    = "app.bsky.graph.block"
	ListItem = "app.bsky.graph.listitem"
	Like     = "app.bsky.feed.like"
)

// Record names a record of an account.
type Record struct{ Collection, Key string }

// Content is what a record says. Broken records have no subject that is an account.
type Content struct{ Subject, List string }

// Entry is one event of the network.
type Entry struct {
	Position int64
	Account  string
	Kind     string // commit, account, identity or sync
	Rev      string
	Action   string // create, update or delete
	Record   Record
	Content  Content
	Status   string // account: "" is active
	Again    bool   // follows a sync: the record was there before
}

// Repo is one account.
type Repo struct {
	Status  string
	Rev     string
	Records map[Record]Content
}

// Network is accounts that follow and block each other, have lists, change their minds, and come
// and go. Safe for concurrent use.
type Network struct {
	mu       sync.Mutex
	rand     *rand.Rand
	accounts []string
	log      []Entry
	repos    map[string]*Repo
	added    chan struct{} // closed when the log grows

	Syncs bool // now and then all records of an account are void
}

// NewNetwork returns a network of some accounts without records.
func NewNetwork(seed uint64, accounts int) *Network {
	n := &Network{rand: rand.New(rand.NewPCG(seed, 37)), repos: make(map[string]*Repo), added: make(chan struct{})}
	for i := range accounts {
		n.accounts = append(n.accounts, fmt.Sprintf("did:plc:%024d", i))
	}
	return n
}

// Accounts are the accounts of the network.
func (n *Network) Accounts() []string { return n.accounts }

// TID returns the key that belongs to a number.
func TID(number int64) string {
	const letters = "234567abcdefghijklmnopqrstuvwxyz"
	x := uint64(1764100801250123+number) << 10
	var b [13]byte
	for i := 12; i >= 0; i-- {
		b[i], x = letters[x&31], x>>5
	}
	return string(b[:])
}

// add adds an event. The caller holds mu.
func (n *Network) add(e Entry) {
	e.Position = int64(len(n.log)) + 1
	if e.Rev == "" {
		e.Rev = TID(e.Position)
	}
	n.log = append(n.log, e)
	apply(n.repos, &e)
	close(n.added)
	n.added = make(chan struct{})
}

// apply does to accounts what an event says.
func apply(repos map[string]*Repo, e *Entry) {
	r := repos[e.Account]
	if r == nil {
		r = &Repo{Records: make(map[Record]Content)}
		repos[e.Account] = r
	}
	switch {
	case e.Kind == "commit" && e.Action == "delete":
		delete(r.Records, e.Record)
		r.Rev = e.Rev
	case e.Kind == "commit":
		r.Records[e.Record] = e.Content
		r.Rev = e.Rev
	case e.Kind == "sync":
		clear(r.Records)
		r.Rev = e.Rev
	case e.Kind == "account" && e.Status == "desynchronized", e.Kind == "identity":
	case e.Kind == "account":
		if r.Status = e.Status; e.Status == "deleted" {
			clear(r.Records)
		}
	}
}

// Add adds an event of a test's own.
func (n *Network) Add(e Entry) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.add(e)
}

// Step has something happen.
func (n *Network) Step() {
	n.mu.Lock()
	defer n.mu.Unlock()
	account := n.accounts[n.rand.IntN(len(n.accounts))]
	e := Entry{Account: account, Kind: "commit"}
	r := n.repos[account]
	if r == nil {
		r = &Repo{}
	}
	records := slices.SortedFunc(maps.Keys(r.Records), func(a, b Record) int {
		return strings.Compare(a.Collection+a.Key, b.Collection+b.Key)
	})
	switch k := n.rand.IntN(100); {
	case r.Status == "deleted": // comes back, and is new
		e.Kind = "account"
	case k < 3:
		e.Kind, e.Status = "account", []string{"", "", "takendown", "suspended", "deactivated", "deleted", "throttled",
			"desynchronized"}[n.rand.IntN(7)]
		if e.Status == "throttled" {
			e.Status = "desynchronized"
		}
	case k < 5:
		e.Kind = "identity"
	case k < 7 && n.Syncs && len(records) > 0:
		n.sync(account, records)
		return
	case k < 32 && len(records) > 0:
		e.Action, e.Record = "delete", records[n.rand.IntN(len(records))]
	case k < 42 && len(records) > 0:
		e.Action, e.Record = "update", records[n.rand.IntN(len(records))]
		e.Content = n.content(account, e.Record.Collection)
	case k < 44: // of a record that nobody knows
		e.Action, e.Record = "delete", Record{Follow, TID(int64(-n.rand.IntN(1000)))}
	default:
		e.Action, e.Record = "create", Record{[]string{Follow, Follow, Block, ListItem, Like}[n.rand.IntN(5)],
			TID(int64(len(n.log)))}
		if n.rand.IntN(20) == 0 {
			e.Record.Key = fmt.Sprintf("self~%d:a.b_c-d", n.rand.IntN(3)) // may be there: then it is an update
		}
		if _, there := r.Records[e.Record]; there {
			e.Action = "update"
		}
		e.Content = n.content(account, e.Record.Collection)
	}
	n.add(e)
}

// content makes what a record says, sometimes nothing that can be taken.
func (n *Network) content(account, collection string) (c Content) {
	c.Subject = n.accounts[n.rand.IntN(len(n.accounts))]
	if n.rand.IntN(15) == 0 {
		c.Subject = []string{"", "did:plc:", "anna.example", "at://did:plc:a", "did:web:x y"}[n.rand.IntN(5)]
	}
	owner := account
	if n.rand.IntN(15) == 0 {
		owner = n.accounts[n.rand.IntN(len(n.accounts))]
	}
	if collection == ListItem {
		c.List = fmt.Sprintf("at://%s/app.bsky.graph.list/%s", owner, TID(int64(n.rand.IntN(3))))
	}
	return c
}

// sync makes all records of an account void, and some of them come again.
func (n *Network) sync(account string, records []Record) {
	old := maps.Clone(n.repos[account].Records)
	rev := TID(int64(len(n.log)) + 1)
	n.add(Entry{Account: account, Kind: "sync", Rev: rev})
	for _, r := range records {
		if n.rand.IntN(4) > 0 {
			n.add(Entry{Account: account, Kind: "commit", Action: "create", Rev: rev, Record: r, Content: old[r],
				Again: true})
		}
	}
}

// from waits for events from a position on, and returns them; nil when stop is closed.
func (n *Network) from(position int64, stop <-chan struct{}) []Entry {
	for {
		n.mu.Lock()
		log, added := n.log, n.added
		n.mu.Unlock()
		if int64(len(log)) >= position {
			return log[position-1:]
		}
		select {
		case <-added:
		case <-stop:
			return nil
		}
	}
}

// Last returns the position of the last event.
func (n *Network) Last() int64 {
	n.mu.Lock()
	defer n.mu.Unlock()
	return int64(len(n.log))
}

// At returns the graph as it is to be after the event at a position.
func (n *Network) At(position int64) map[string]string {
	n.mu.Lock()
	log := n.log[:position]
	n.mu.Unlock()
	repos := make(map[string]*Repo)
	for i := range log {
		apply(repos, &log[i])
	}
	want := make(map[string]string)
	for account, r := range repos {
		r.draw(account, want)
	}
	return want
}

// draw adds what a graph has of an account.
func (r *Repo) draw(account string, want map[string]string) {
	if r.Status != "" {
		want["hidden "+account] = "yes"
	}
	for record, c := range r.Records {
		if !strings.HasPrefix(c.Subject, "did:plc:0") {
			continue
		}
		switch record.Collection {
		case Follow:
			want["follows "+account+" "+record.Key] = c.Subject
		case Block:
			want["blocks "+account+" "+record.Key] = c.Subject
		case ListItem:
			if strings.HasPrefix(c.List, "at://"+account+"/") {
				want["members "+c.List+" "+record.Key] = c.Subject
				want["members at://"+account+"/app.bsky.graph.listitem "+record.Key] = c.List
			}
		}
	}
}

// Follow has one account follow another, or, once in ten times, no longer.
func (n *Network) Follow() {
	n.mu.Lock()
	defer n.mu.Unlock()
	account := n.accounts[n.rand.IntN(len(n.accounts))]
	e := Entry{Account: account, Kind: "commit", Action: "create", Record: Record{Follow, TID(int64(len(n.log)))},
		Content: Content{Subject: n.accounts[n.rand.IntN(len(n.accounts))]}}
	if r := n.repos[account]; r != nil && n.rand.IntN(10) == 0 {
		for record := range r.Records {
			e.Action, e.Record, e.Content = "delete", record, Content{}
			break
		}
	}
	n.add(e)
}
