// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package constellation

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/server/call"
	"github.com/uproar-db/uproar/store/memstore"
)

// network is the records that there are, as a plain map, and a graph that has the same.
type network struct {
	t       testing.TB
	rng     *rand.Rand
	graph   *graph.Graph
	h       *Handlers
	records map[record]subjects
	hidden  map[string]bool
}

// subjects are what a record links to.
type subjects struct{ member, list string }

var (
	people = []string{"did:plc:a", "did:plc:b", "did:plc:c", "did:plc:d", "did:web:e.example", "did:plc:f"}
	rkeys  = []string{"3m6i4wtqkuf2l", "3m6i4wtqkuf3l", "3m6i4wtqkuf4l", "3m6i4wtqkuf5l", "self", "x.y"}
)

func newNetwork(t testing.TB, seed uint64, keyed ...graph.Relation) *network {
	t.Helper()
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	g, err := graph.OpenWith(t.Context(), db, graph.Options{Keyed: keyed})
	if err != nil {
		t.Fatal(err)
	}
	return &network{t: t, rng: rand.New(rand.NewPCG(seed, 0)), graph: g, records: make(map[record]subjects),
		hidden: make(map[string]bool),
		h:      New(Options{Graph: func(context.Context) (*graph.Graph, error) { return g, nil }})}
}

func (n *network) person() string { return people[n.rng.IntN(len(people))] }

// list returns the URI of one of an account's lists.
func (n *network) list(owner string) string {
	return fmt.Sprintf("at://%s/app.bsky.graph.list/%d", owner, n.rng.IntN(2))
}

// step makes some changes, as a follower of the network does.
func (n *network) step() {
	var list []graph.Change
	for range 1 + n.rng.IntN(6) {
		of := record{n.person(), sources[n.rng.IntN(len(sources))].collection, rkeys[n.rng.IntN(len(rkeys))]}
		switch kind := n.rng.IntN(12); kind {
		case 0, 1:
			n.hidden[of.did] = kind == 0
			list = append(list, graph.Change{Op: map[bool]graph.Op{true: graph.Hide, false: graph.Show}[kind == 0],
				Account: of.did})
		case 2, 3, 4:
			list = append(list, n.remove(of)...)
		default:
			list = append(append(list, n.remove(of)...), n.add(of)...)
		}
	}
	if _, err := n.graph.Write(n.t.Context(), graph.Changes{List: list}); err != nil {
		n.t.Fatal(err)
	}
	if n.rng.IntN(8) == 0 {
		if err := n.graph.Index().Flush(n.t.Context()); err != nil {
			n.t.Fatal(err)
		}
	}
}

var relations = map[string]graph.Relation{"app.bsky.graph.follow": graph.Follows, "app.bsky.graph.block": graph.Blocks}

// itemsOf names what else has the records of list items: it is no list.
func itemsOf(did string) string { return "at://" + did + "/app.bsky.graph.listitem" }

// remove takes a record away, if it is there.
func (n *network) remove(of record) []graph.Change {
	old, ok := n.records[of]
	delete(n.records, of)
	switch {
	case of.collection != items:
		return []graph.Change{{Op: graph.Clear, Relation: relations[of.collection], Account: of.did, Key: of.key}}
	case !ok:
		return nil
	}
	return []graph.Change{{Op: graph.Clear, Relation: graph.Members, Account: old.list, Key: of.key},
		{Op: graph.Clear, Relation: graph.Members, Account: itemsOf(of.did), Key: of.key}}
}

// add writes a record.
func (n *network) add(of record) []graph.Change {
	is := subjects{member: n.person()}
	if of.collection != items {
		n.records[of] = is
		return []graph.Change{{Op: graph.Set, Relation: relations[of.collection], Account: of.did, Target: is.member,
			Key: of.key}}
	}
	is.list = n.list(of.did)
	n.records[of] = is
	return []graph.Change{{Op: graph.Set, Relation: graph.Members, Account: is.list, Target: is.member, Key: of.key},
		{Op: graph.Set, Relation: graph.Members, Account: itemsOf(of.did), Target: is.list, Key: of.key}}
}

// at returns what a record has at a path.
func (n *network) at(of record, path string) string {
	if path == ".list" {
		return n.records[of].list
	}
	return n.records[of].member
}

// number returns the number of an account or a list, by which records of one key are ordered.
func (n *network) number(name string) uint64 {
	ids, _, err := n.graph.Lookup(n.t.Context(), name)
	if err != nil {
		n.t.Fatal(err)
	}
	return ids[0]
}

// linking returns the records that link to a subject, the oldest first.
func (n *network) linking(of source, subject string) (list []record) {
	for r := range n.records {
		if r.collection == of.collection && n.at(r, of.path) == subject {
			list = append(list, r)
		}
	}
	s := n.graph.Index().Snapshot()
	defer s.Close()
	keys, err := s.EdgeKeys(string(of.relation))
	if err != nil {
		n.t.Fatal(err)
	}
	place := func(r record) (key, row uint64) {
		if key, _, err = keys.Number(r.key); err != nil {
			n.t.Fatal(err)
		}
		if r.collection == items {
			return key, n.number(n.records[r].list)
		}
		return key, n.number(r.did)
	}
	slices.SortFunc(list, func(a, b record) int {
		ka, ra := place(a)
		kb, rb := place(b)
		return cmp.Or(cmp.Compare(ka, kb), cmp.Compare(ra, rb))
	})
	return list
}

// entry is a record as callers read it.
type entry struct {
	DID        string `json:"did"`
	Collection string `json:"collection"`
	Rkey       string `json:"rkey"`
}

// reply has the members of all replies that have pages.
type reply struct {
	Total   *uint64  `json:"total"`
	Records []entry  `json:"records"`
	Linking []entry  `json:"linking_records"`
	Dids    []string `json:"linking_dids"`
	Items   []struct {
		LinkRecord   entry  `json:"linkRecord"`
		OtherSubject string `json:"otherSubject"`
	} `json:"items"`
	Counts []struct {
		Subject         string
		Total, Distinct int
	} `json:"counts_by_other_subject"`
	Cursor *string `json:"cursor"`
}

// ask asks a call of the handlers.
func (n *network) ask(path string, q url.Values) (status int, body string) {
	n.t.Helper()
	for _, e := range n.h.Endpoints() {
		if e.Path != path {
			continue
		}
		answer, err := e.Handle(n.t.Context(), call.Request{Method: "GET", Query: q.Encode()})
		if err != nil {
			n.t.Fatalf("%s?%s: %v", path, q.Encode(), err)
		}
		if text, ok := answer.(call.Text); ok {
			return text.Status, string(text.Body)
		}
		return 200, string(answer.AppendJSON(nil))
	}
	n.t.Fatalf("no call %s", path)
	return 0, ""
}

// pages reads all pages of a call, of a few entries each, and returns the entries as texts.
func (n *network) pages(path string, q url.Values) (total int, list []string) {
	n.t.Helper()
	limit := 1 + n.rng.IntN(4)
	q.Set("limit", fmt.Sprint(limit))
	for q.Del("cursor"); ; {
		status, body := n.ask(path, q)
		var r reply
		if err := json.Unmarshal([]byte(body), &r); err != nil || status != 200 {
			n.t.Fatalf("%s?%s: got %d %s", path, q.Encode(), status, body)
		}
		var page []string
		for _, e := range append(r.Records, r.Linking...) {
			page = append(page, e.DID+" "+e.Rkey)
		}
		page = append(page, r.Dids...)
		for _, i := range r.Items {
			page = append(page, i.LinkRecord.DID+" "+i.LinkRecord.Rkey+" "+i.OtherSubject)
		}
		for _, c := range r.Counts {
			page = append(page, fmt.Sprintf("%s %d %d", c.Subject, c.Total, c.Distinct))
		}
		if r.Total != nil {
			total = int(*r.Total)
		}
		list = append(list, page...)
		if r.Cursor == nil {
			return total, list
		}
		if len(page) != limit || strings.Contains(*r.Cursor, "::") {
			n.t.Fatalf("%s?%s: got %d entries and cursor %s, want %d", path, q.Encode(), len(page), *r.Cursor, limit)
		}
		q.Set("cursor", *r.Cursor)
	}
}

// check asks every call about one subject and one source.
func (n *network) check(of source, subject string) {
	n.t.Helper()
	linking := n.linking(of, subject)
	dids := map[string]bool{}
	if n.rng.IntN(3) == 0 {
		dids[n.person()], dids["did:plc:nobody"] = true, true
	}
	var filtered, shown, firsts []string
	accounts := map[string]bool{}
	for _, r := range linking {
		if !accounts[r.did] && !n.hidden[r.did] {
			firsts = append(firsts, r.did)
		}
		accounts[r.did] = true
		if len(dids) > 0 && !dids[r.did] {
			continue
		}
		filtered = append(filtered, r.did)
		if !n.hidden[r.did] {
			shown = append(shown, r.did+" "+r.key)
		}
	}
	newest := func(list []string) []string {
		list = slices.Clone(list)
		slices.Reverse(list)
		return list
	}
	const xrpc = "/xrpc/blue.microcosm.links."
	source := url.Values{"subject": {subject}, "source": {of.collection + ":" + of.path[1:]}}
	old := url.Values{"target": {subject}, "collection": {of.collection}, "path": {of.path}}
	want := func(path string, q url.Values, total int, list []string) {
		n.t.Helper()
		gotTotal, got := n.pages(path, q)
		if gotTotal != total || !slices.Equal(got, list) {
			n.t.Errorf("%s?%s\ngot  %d %q\nwant %d %q", path, q.Encode(), gotTotal, got, total, list)
		}
	}
	with := func(q url.Values, name string, values ...string) url.Values {
		q = maps.Clone(q)
		if len(values) > 0 {
			q[name] = values
		}
		return q
	}
	chosen := slices.Sorted(maps.Keys(dids))
	want(xrpc+"getBacklinks", with(source, "did", chosen...), len(filtered), newest(shown))
	want(xrpc+"getBacklinks", with(with(source, "did", chosen...), "reverse", "true"), len(filtered), shown)
	want("/links", with(old, "did", chosen...), len(filtered), newest(shown))
	if len(chosen) > 0 {
		want("/links", with(old, "from_dids", strings.Join(chosen, ",")), len(filtered), newest(shown))
	}
	want(xrpc+"getBacklinkDids", with(source, ""), len(accounts), newest(firsts))
	want("/links/distinct-dids", with(old, ""), len(accounts), newest(firsts))
	for _, c := range []struct {
		path string
		q    url.Values
		want int
	}{
		{xrpc + "getBacklinksCount", source, len(linking)},
		{"/links/count", old, len(linking)},
		{"/links/count/distinct-dids", old, len(accounts)},
	} {
		if status, body := n.ask(c.path, c.q); status != 200 || body != fmt.Sprintf(`{"total":%d}`, c.want) {
			n.t.Errorf("%s?%s: got %d %s, want %d", c.path, c.q.Encode(), status, body, c.want)
		}
	}
	n.checkOthers(of, source, linking, chosen)
}

// checkOthers asks for the other subjects of records.
func (n *network) checkOthers(of source, q url.Values, linking []record, dids []string) {
	n.t.Helper()
	other := source{path: ".subject"}
	if of.collection == items && n.rng.IntN(2) == 0 {
		other.path = ".list"
	}
	q = maps.Clone(q)
	q.Set("pathToOther", other.path[1:])
	wanted := map[string]bool{}
	if n.rng.IntN(3) == 0 {
		wanted[n.person()], wanted[n.list(n.person())], wanted["did:plc:nobody"] = true, true, true
		q["otherSubject"] = slices.Collect(maps.Keys(wanted))
	}
	var list []string
	total, accounts := map[string]int{}, map[string]map[string]bool{}
	for _, r := range linking {
		to := n.at(r, other.path)
		if n.hidden[r.did] || len(wanted) > 0 && !wanted[to] || len(dids) > 0 && !slices.Contains(dids, r.did) {
			continue
		}
		list = append(list, r.did+" "+r.key+" "+to)
		if total[to]++; accounts[to] == nil {
			accounts[to] = map[string]bool{}
		}
		accounts[to][r.did] = true
	}
	var counts []string
	for _, to := range slices.SortedFunc(maps.Keys(total), func(a, b string) int {
		return cmp.Compare(n.number(a), n.number(b))
	}) {
		counts = append(counts, fmt.Sprintf("%s %d %d", to, total[to], len(accounts[to])))
	}
	const xrpc = "/xrpc/blue.microcosm.links."
	for name, c := range map[string]struct {
		filter string
		want   []string
	}{"getManyToMany": {"linkDid", list}, "getManyToManyCounts": {"did", counts}} {
		asked := maps.Clone(q)
		if len(dids) > 0 {
			asked[c.filter] = dids
		}
		if _, got := n.pages(xrpc+name, asked); !slices.Equal(got, c.want) {
			n.t.Errorf("%s?%s\ngot  %q\nwant %q", name, asked.Encode(), got, c.want)
		}
	}
}

// TestAgainstModel: after each of many random writes, every call answers what a plain map of the
// records does, page by page.
func TestAgainstModel(t *testing.T) {
	rounds := 2000
	if testing.Short() {
		rounds = 150
	}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	n := newNetwork(t, seed, graph.Follows, graph.Blocks, graph.Members)
	for range rounds {
		n.step()
		for _, of := range sources {
			subject := n.person()
			if of.path == ".list" {
				subject = n.list(subject)
			}
			n.check(of, subject)
		}
		if t.Failed() {
			return
		}
	}
}

// TestLargePage: a page is right among more links than are held at a time, and while links come
// and go the next one goes on behind it.
func TestLargePage(t *testing.T) {
	n := newNetwork(t, 1, graph.Follows)
	const many = 5000
	var list []graph.Change
	key := func(i int) string { return tid(uint64(i % 1024)) } // several accounts have one
	for i := range many {
		list = append(list, graph.Change{Op: graph.Set, Relation: graph.Follows, Account: account(i),
			Target: "did:plc:a", Key: key(i * 613 % many)})
	}
	write := func(list ...graph.Change) {
		t.Helper()
		if _, err := n.graph.Write(t.Context(), graph.Changes{List: list}); err != nil {
			t.Fatal(err)
		}
	}
	write(list...)
	q := url.Values{"subject": {"did:plc:a"}, "source": {"app.bsky.graph.follow:subject"}}
	q.Set("limit", "700")
	page := func() (keys []string, cursor string) {
		t.Helper()
		_, body := n.ask("/xrpc/blue.microcosm.links.getBacklinks", q)
		var r reply
		if err := json.Unmarshal([]byte(body), &r); err != nil {
			t.Fatal(err)
		}
		for _, e := range r.Records {
			keys = append(keys, e.Rkey+e.DID)
		}
		if r.Cursor != nil {
			cursor = *r.Cursor
		}
		return keys, cursor
	}
	first, cursor := page()
	q.Set("cursor", cursor)
	second, _ := page()
	write(graph.Change{Op: graph.Set, Relation: graph.Follows, Account: "did:plc:new", Target: "did:plc:a",
		Key: "3zzzzzzzzzzzz"})
	write(graph.Change{Op: graph.Clear, Relation: graph.Follows, Account: first[699][13:], Key: first[699][:13]})
	again, _ := page()
	if len(first) != 700 || len(second) != 700 || !slices.Equal(second, again) {
		t.Errorf("got pages of %d and %d, the second the same after writes: %t", len(first), len(second),
			slices.Equal(second, again))
	}
	all := append(first, second...)
	if !slices.IsSortedFunc(all, func(a, b string) int { return strings.Compare(b[:13], a[:13]) }) {
		t.Error("the pages do not descend")
	}
}
