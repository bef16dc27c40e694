// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server_test

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/server"
	"github.com/uproar-db/uproar/store/memstore"
)

func constellationOptions() *server.Options {
	return &server.Options{Paths: server.Paths{Constellation: true}, Logger: slog.New(slog.DiscardHandler)}
}

// newConstellation returns a site with a graph whose relations keep keys.
func newConstellation(t *testing.T, keyed ...graph.Relation) *site {
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
	return newSiteOf(t, constellationOptions(), db, g)
}

// changes writes changes such as "set follows @a 3m6i4wtqkuf2l @b" and "hide @a".
func (s *site) changes(text string) {
	s.t.Helper()
	var list []graph.Change
	for line := range strings.SplitSeq(text, "; ") {
		w := append(strings.Fields(line), "", "", "", "")
		c := graph.Change{Op: graph.Op(w[0]), Relation: graph.Relation(w[1]), Account: dids(w[2]), Key: w[3],
			Target: dids(w[4])}
		if c.Op == graph.Hide || c.Op == graph.Show || c.Op == graph.Delete {
			c = graph.Change{Op: c.Op, Account: dids(w[1])}
		}
		if c.Key == "-" {
			c.Key = ""
		}
		list = append(list, c)
	}
	if _, err := s.graph.Write(s.t.Context(), graph.Changes{List: list}); err != nil {
		s.t.Fatal(err)
	}
}

// link asks a call of constellation, and wants an answer byte by byte.
func (s *site) link(path string, status int, want string) {
	s.t.Helper()
	path, want = dids(path), dids(want)
	resp, got := s.fetch("GET", s.url+path)
	media := "text/plain; charset=utf-8"
	if status == 200 {
		media = "application/json"
	}
	if resp.StatusCode != status || strings.TrimSuffix(got, "\n") != want ||
		resp.Header.Get("Content-Type") != media {
		s.t.Errorf("GET %s\ngot  %d %s %s\nwant %d %s %s", path, resp.StatusCode, resp.Header.Get("Content-Type"), got,
			status, media, want)
	}
}

const (
	xrpcLinks = "/xrpc/blue.microcosm.links."
	ofFollow  = "&source=app.bsky.graph.follow:subject"
	ofItem    = "&source=app.bsky.graph.listitem:subject"
	ofList    = "&source=app.bsky.graph.listitem:list"
	oldFollow = "&collection=app.bsky.graph.follow&path=.subject"
	oneList   = "at://@a/app.bsky.graph.list/one"
)

// follow returns a record as callers read it.
func linkRecord(did, collection, key string) string {
	return `{"did":"@` + did + `","collection":"app.bsky.graph.` + collection + `","rkey":"` + key + `"}`
}

// TestConstellation has every line of constellation's contract (CONTRACTS, 3), by the line's number
// in the table of calls: 1 backlinks, 2 their number, 3 DIDs, 4 and 5 many to many, 6 and 7 the
// older calls; E errors, P order and paging.
func TestConstellation(t *testing.T) {
	s := newConstellation(t, graph.Follows, graph.Blocks, graph.Members)
	// c follows t with two records. The records' times order them, not the time of writing.
	s.changes("set follows @b 3m6i4wtqkuf4l @t; set follows @a 3m6i4wtqkuf3l @t; set follows @c 3m6i4wtqkuf2l @t; " +
		"set follows @c 3m6i4wtqkuf5l @t; set follows @t 3m6i4wtqkuf2l @a; set blocks @b 3m6i4wtqkuf2l @t")
	s.changes("set members " + oneList + " 3m6i4wtqkuf2l @t; set members " + oneList + " 3m6i4wtqkuf3l @b; " +
		"set members at://@a/app.bsky.graph.listitem 3m6i4wtqkuf2l " + oneList +
		"; set members at://@a/app.bsky.graph.list/two 3m6i4wtqkuf4l @t; " +
		"set members at://@b/app.bsky.graph.list/one 3m6i4wtqkuf2l @t; set members reconcile - @t")
	a, b := linkRecord("a", "follow", "3m6i4wtqkuf3l"), linkRecord("b", "follow", "3m6i4wtqkuf4l")
	c2, c5 := linkRecord("c", "follow", "3m6i4wtqkuf2l"), linkRecord("c", "follow", "3m6i4wtqkuf5l")
	page := func(total, list string) string {
		return `{"total":` + total + `,"records":[` + list + `],"cursor":null}`
	}
	old := func(total, list string) string {
		return `{"total":` + total + `,"linking_records":[` + list + `],"cursor":null}`
	}
	nothing := page("0", "")
	const (
		missing = "Failed to deserialize query string: missing field `"
		other   = "&pathToOther="
		list1   = `at://@a/app.bsky.graph.list/one`
		list2   = `at://@a/app.bsky.graph.list/two`
		list3   = `at://@b/app.bsky.graph.list/one`
		indexed = ` is not indexed here, want one of app.bsky.graph.block:subject, app.bsky.graph.follow:subject, ` +
			`app.bsky.graph.listitem:list, app.bsky.graph.listitem:subject`
	)
	linking := func(did, key, other string) string {
		return `{"linkRecord":` + linkRecord(did, "listitem", key) + `,"otherSubject":"` + other + `"}`
	}
	for _, c := range []struct {
		line, path string
		status     int
		want       string
	}{
		{"1", "getBacklinks?subject=@t" + ofFollow, 200, page("4", c5+","+b+","+a+","+c2)},
		{"1 did", "getBacklinks?subject=@t" + ofFollow + "&did=@c&did=@a&did=@y", 200, page("3", c5+","+a+","+c2)},
		{"1 did: empty ones are none", "getBacklinks?subject=@a" + ofFollow + "&did=&did=+", 200,
			page("1", linkRecord("t", "follow", "3m6i4wtqkuf2l"))},
		{"1 did: nobody known", "getBacklinks?subject=@t" + ofFollow + "&did=@y", 200, nothing},
		{"1 limit", "getBacklinks?subject=@t" + ofFollow + "&limit=4", 200, page("4", c5+","+b+","+a+","+c2)},
		{"1 limit 0", "getBacklinks?subject=@t" + ofFollow + "&limit=0", 200, page("4", "")},
		{"1 reverse", "getBacklinks?subject=@t" + ofFollow + "&reverse=true", 200, page("4", c2+","+a+","+b+","+c5)},
		{"1 reverse=false", "getBacklinks?subject=@a" + ofFollow + "&reverse=false", 200,
			page("1", linkRecord("t", "follow", "3m6i4wtqkuf2l"))},
		{"1 blocks", "getBacklinks?subject=@t&source=app.bsky.graph.block:subject", 200,
			page("1", linkRecord("b", "block", "3m6i4wtqkuf2l"))},
		{"1 items of a member", "getBacklinks?subject=@t" + ofItem, 200, page("3",
			linkRecord("a", "listitem", "3m6i4wtqkuf4l")+","+linkRecord("b", "listitem", "3m6i4wtqkuf2l")+","+
				linkRecord("a", "listitem", "3m6i4wtqkuf2l"))},
		{"1 items of a list", "getBacklinks?subject=" + oneList + ofList, 200, page("2",
			linkRecord("a", "listitem", "3m6i4wtqkuf3l")+","+linkRecord("a", "listitem", "3m6i4wtqkuf2l"))},
		{"1 a list is no member", "getBacklinks?subject=" + oneList + ofItem, 200, nothing},
		{"1 unknown subject", "getBacklinks?subject=@y" + ofFollow, 200, nothing},
		{"1 a subject of another kind", "getBacklinks?subject=https://example.com/%00" + ofFollow, 200, nothing},
		{"2", "getBacklinksCount?subject=@t" + ofFollow, 200, `{"total":4}`},
		{"2 unknown", "getBacklinksCount?subject=@y" + ofFollow, 200, `{"total":0}`},
		{"3 each at its first link", "getBacklinkDids?subject=@t" + ofFollow, 200,
			`{"total":3,"linking_dids":["@b","@a","@c"],"cursor":null}`},
		{"3 items", "getBacklinkDids?subject=@t" + ofItem, 200,
			`{"total":2,"linking_dids":["@b","@a"],"cursor":null}`},
		{"4 oldest first", "getManyToMany?subject=@t" + ofItem + other + "list", 200, `{"items":[` +
			linking("a", "3m6i4wtqkuf2l", list1) + "," + linking("b", "3m6i4wtqkuf2l", list3) + "," +
			linking("a", "3m6i4wtqkuf4l", list2) + `],"cursor":null}`},
		{"4 filters", "getManyToMany?subject=@t" + ofItem + other + "list&linkDid=@a&otherSubject=" + list1, 200,
			`{"items":[` + linking("a", "3m6i4wtqkuf2l", list1) + `],"cursor":null}`},
		{"4 of a list", "getManyToMany?subject=" + oneList + ofList + other + "subject&otherSubject=@b", 200,
			`{"items":[` + linking("a", "3m6i4wtqkuf3l", "@b") + `],"cursor":null}`},
		{"4 unknown", "getManyToMany?subject=@y" + ofItem + other + "list", 200, `{"items":[],"cursor":null}`},
		{"5", "getManyToManyCounts?subject=@t" + ofItem + other + "list", 200,
			`{"counts_by_other_subject":[{"subject":"` + list1 + `","total":1,"distinct":1},{"subject":"` + list2 +
				`","total":1,"distinct":1},{"subject":"` + list3 + `","total":1,"distinct":1}],"cursor":null}`},
		{"5 the same path", "getManyToManyCounts?subject=@t" + ofFollow + other + "subject", 200,
			`{"counts_by_other_subject":[{"subject":"@t","total":4,"distinct":3}],"cursor":null}`},
		{"5 filters", "getManyToManyCounts?subject=@t" + ofItem + other + "list&did=@b&otherSubject=" + list1, 200,
			`{"counts_by_other_subject":[],"cursor":null}`},
		{"6 links", "/links?target=@t" + oldFollow, 200, old("4", c5+","+b+","+a+","+c2)},
		{"6 links, did", "/links?target=@t" + oldFollow + "&did=@a", 200, old("1", a)},
		{"6 links, from_dids", "/links?target=@t" + oldFollow + "&from_dids=@a,@c", 200, old("3", c5+","+a+","+c2)},
		{"6 both", "/links?target=@t" + oldFollow + "&from_dids=@a&did=@b", 400, ""},
		{"6 count", "/links/count?target=@t" + oldFollow, 200, `{"total":4}`},
		{"6 distinct-dids", "/links/distinct-dids?target=@t" + oldFollow, 200,
			`{"total":3,"linking_dids":["@b","@a","@c"],"cursor":null}`},
		{"6 count/distinct-dids", "/links/count/distinct-dids?target=@t" + oldFollow, 200, `{"total":3}`},
		{"7 all", "/links/all?target=@t", 200, `{"links":{"app.bsky.graph.block":{".subject":{"records":1,` +
			`"distinct_dids":1}},"app.bsky.graph.follow":{".subject":{"records":4,"distinct_dids":3}},` +
			`"app.bsky.graph.listitem":{".subject":{"records":3,"distinct_dids":2}}}}`},
		{"7 all/count", "/links/all/count?target=@t", 200, `{"links":{"app.bsky.graph.block":{".subject":1},` +
			`"app.bsky.graph.follow":{".subject":4},"app.bsky.graph.listitem":{".subject":3}}}`},
		{"7 of a list", "/links/all/count?target=" + oneList, 200,
			`{"links":{"app.bsky.graph.listitem":{".list":2}}}`},
		{"7 unknown", "/links/all?target=@y", 200, `{"links":{}}`},

		{"E limit", "getBacklinks?subject=@t" + ofFollow + "&limit=1001", 400, ""},
		{"E limit of the older", "/links?target=@t" + oldFollow + "&limit=1001", 400, ""},
		{"E limit of counts", "getManyToManyCounts?subject=@t" + ofItem + other + "list&limit=1001", 400, ""},
		{"E no number", "getBacklinks?subject=@t" + ofFollow + "&limit=-1", 400,
			`Failed to deserialize query string: limit: got "-1", want a number from 0 to 1000`},
		{"E reverse", "getBacklinks?subject=@t" + ofFollow + "&reverse=1", 400,
			`Failed to deserialize query string: reverse: got "1", want true or false`},
		{"E cursor", "getBacklinks?subject=@t" + ofFollow + "&cursor=zz", 400, ""},
		{"E cursor of another form", "getBacklinkDids?subject=@t" + ofFollow + "&cursor=0a1b", 400, ""},
		{"E empty cursor", "/links/distinct-dids?target=@t" + oldFollow + "&cursor=", 400, ""},
		{"E cursor of a list for counts", "getManyToManyCounts?subject=@t" + ofItem + other + "list&cursor=" +
			strings.Repeat("0", 32), 400, ""},
		{"E source", "getBacklinks?subject=@t&source=app.bsky.graph.follow", 400, ""},
		{"E source of a count", "getBacklinksCount?subject=@t&source=x", 400, ""},
		{"E missing subject", "getBacklinks?source=a:b", 400, missing + "subject`"},
		{"E missing source", "getBacklinksCount?subject=@t", 400, missing + "source`"},
		{"E missing target", "/links/all", 400, missing + "target`"},
		{"E missing path", "/links/count?target=@t&collection=x", 400, missing + "path`"},
		{"E missing pathToOther", "getManyToMany?subject=@t" + ofItem, 400, missing + "pathToOther`"},
		{"E twice", "getBacklinks?subject=@t&subject=@u" + ofFollow, 400,
			"Failed to deserialize query string: duplicate field `subject`"},
		{"E others are passed over", "getBacklinksCount?subject=@t" + ofFollow + "&x=y", 200, `{"total":4}`},
		{"never a wrong 0", "getBacklinksCount?subject=@t&source=app.bsky.feed.like:subject.uri", 501,
			`source "app.bsky.feed.like:subject.uri"` + indexed},
		{"never a wrong 0, older", "/links/count?target=@t&collection=app.bsky.graph.follow&path=subject.x", 501,
			`source "app.bsky.graph.follow:subject.x"` + indexed},
		{"never a wrong 0, other", "getManyToMany?subject=@t" + ofFollow + other + "via.uri", 501,
			`source "app.bsky.graph.follow:via.uri"` + indexed},
	} {
		t.Run(c.line+" "+c.path, func(t *testing.T) {
			at := *s
			at.t = t
			if c.path[0] != '/' {
				c.path = xrpcLinks + c.path
			}
			at.link(c.path, c.status, c.want)
		})
	}
	if resp, body := s.fetch("POST", s.url+dids("/links/all?target=@t")); resp.StatusCode != 405 {
		t.Errorf("POST: got %d %s, want 405", resp.StatusCode, body)
	}
	if resp, body := s.fetch("GET", s.url+"/nothing"); resp.StatusCode != 404 ||
		!strings.HasPrefix(body, `{"error":"NotFound",`) {
		t.Errorf("/nothing: got %d %s", resp.StatusCode, body)
	}
}

// TestConstellationAccounts: totals count records of hidden accounts, lists leave them out; those
// of deleted accounts are in neither. An edge without a record counts as one that is in no list.
func TestConstellationAccounts(t *testing.T) {
	s := newConstellation(t, graph.Follows, graph.Members)
	s.changes("set follows @a 3m6i4wtqkuf2l @t; set follows @b 3m6i4wtqkuf3l @t; set follows @c - @t; " +
		"set members " + oneList + " 3m6i4wtqkuf2l @t; hide @a")
	b := linkRecord("b", "follow", "3m6i4wtqkuf3l")
	const backlinks, dids = xrpcLinks + "getBacklinks?subject=@t", xrpcLinks + "getBacklinkDids?subject=@t"
	s.link(backlinks+ofFollow, 200, `{"total":3,"records":[`+b+`],"cursor":null}`)
	s.link(dids+ofFollow, 200, `{"total":3,"linking_dids":["@b","@c"],"cursor":null}`)
	s.link(backlinks+ofItem, 200, `{"total":1,"records":[],"cursor":null}`)
	s.link(xrpcLinks+"getManyToManyCounts?subject=@t"+ofItem+"&pathToOther=list", 200,
		`{"counts_by_other_subject":[],"cursor":null}`)
	s.changes("show @a; clear follows @b 3m6i4wtqkuf3l")
	s.link(backlinks+ofFollow, 200, `{"total":2,"records":[`+linkRecord("a", "follow", "3m6i4wtqkuf2l")+
		`],"cursor":null}`)
	if _, err := s.graph.Write(t.Context(), graph.Changes{List: []graph.Change{{Op: graph.Delete,
		Account: did("a")}}}); err != nil {
		t.Fatal(err)
	}
	s.link(backlinks+ofFollow, 200, `{"total":1,"records":[],"cursor":null}`)
	s.link(dids+ofFollow, 200, `{"total":1,"linking_dids":["@c"],"cursor":null}`)
	s.link(xrpcLinks+"getBacklinksCount?subject=@t&source=app.bsky.graph.block:subject", 501,
		`source "app.bsky.graph.block:subject" is not indexed here, want one of app.bsky.graph.follow:subject, `+
			`app.bsky.graph.listitem:list, app.bsky.graph.listitem:subject`)
}

// TestConstellationUnkeyed: every call counts an edge without a record as one.
func TestConstellationUnkeyed(t *testing.T) {
	s := newConstellation(t, graph.Follows, graph.Members)
	s.changes("set follows @a - @t; set members " + oneList + " - @t; set members " + oneList + " - @b; " +
		"set members " + oneList + " 3m6i4wtqkuf2l @c; set members " + oneList + " 3m6i4wtqkuf3l @c; " +
		"set members " + oneList + " 3m6i4wtqkuf4l @d; hide @z")
	const list = `"app.bsky.graph.listitem":{`
	for _, c := range []struct {
		subject, source, path string
		n                     int
	}{{"@t", ofFollow, oldFollow, 1}, {"@t", ofItem, "&collection=app.bsky.graph.listitem&path=.subject", 1},
		{oneList, ofList, "&collection=app.bsky.graph.listitem&path=.list", 5},
		{"@c", ofItem, "&collection=app.bsky.graph.listitem&path=.subject", 2}} {
		total := fmt.Sprintf(`{"total":%d`, c.n)
		s.link(xrpcLinks+"getBacklinksCount?subject="+c.subject+c.source, 200, total+"}")
		s.link("/links/count?target="+c.subject+c.path, 200, total+"}")
		s.link("/links/count/distinct-dids?target="+c.subject+c.path, 200, `{"total":1}`)
		for path, member := range map[string]string{
			xrpcLinks + "getBacklinks?subject=" + c.subject + c.source: "records",
			"/links?target=" + c.subject + c.path:                      "linking_records",
		} {
			if c.n == 1 {
				s.link(path, 200, total+`,"`+member+`":[],"cursor":null}`)
			} else {
				s.link(path+"&limit=0", 200, total+`,"`+member+`":[],"cursor":null}`)
			}
		}
		for _, path := range []string{xrpcLinks + "getBacklinkDids?subject=" + c.subject + c.source,
			"/links/distinct-dids?target=" + c.subject + c.path} {
			s.link(path, 200, `{"total":1,"linking_dids":["@a"],"cursor":null}`)
		}
	}
	s.link("/links/all?target=@t", 200, `{"links":{`+
		`"app.bsky.graph.follow":{".subject":{"records":1,"distinct_dids":1}},`+list+`".subject":{"records":1,"distinct_dids":1}}}}`)
	s.link("/links/all/count?target=@t", 200, `{"links":{"app.bsky.graph.follow":{".subject":1},`+list+
		`".subject":1}}}`)
	s.link("/links/all/count?target="+oneList, 200, `{"links":{`+list+`".list":5}}}`)
	s.link(xrpcLinks+"getManyToManyCounts?subject=@t"+ofItem+"&pathToOther=list", 200,
		`{"counts_by_other_subject":[{"subject":"`+oneList+`","total":1,"distinct":1}],"cursor":null}`)
	s.link(xrpcLinks+"getManyToMany?subject=@t"+ofItem+"&pathToOther=list", 200, `{"items":[],"cursor":null}`)
	s.link(xrpcLinks+"getManyToManyCounts?subject="+oneList+ofList+"&pathToOther=subject&otherSubject=@b", 200,
		`{"counts_by_other_subject":[{"subject":"@b","total":1,"distinct":1}],"cursor":null}`)
}

// TestConstellationPages: a page that is full has a cursor if there is more (0.7), without "::"
// (0.2), and reverse leaves nothing out at the border (0.8).
func TestConstellationPages(t *testing.T) {
	s := newConstellation(t, graph.Follows)
	const keys = "234567"
	for _, key := range keys {
		s.changes("set follows @" + string('a'+key-'2') + " 3m6i4wtqkuf" + string(key) + "l @t")
	}
	for _, reverse := range []string{"", "&reverse=true"} {
		seen, cursor := "", ""
		for {
			path := dids(xrpcLinks + "getBacklinks?subject=@t" + ofFollow + "&limit=2" + reverse)
			_, body := s.fetch("GET", s.url+path+cursor)
			for part := range strings.SplitSeq(body, "3m6i4wtqkuf") {
				if strings.HasPrefix(part[1:], `l"}`) {
					seen += part[:1]
				}
			}
			if strings.Contains(body, `"cursor":null`) {
				break
			}
			_, text, _ := strings.Cut(body, `"cursor":"`)
			text, _, ok := strings.Cut(text, `"`)
			if !ok || strings.Contains(text, "::") {
				t.Fatalf("got %s, want a cursor", body)
			}
			cursor = "&cursor=" + text
		}
		want := "765432"
		if reverse != "" {
			want = keys
		}
		if seen != want {
			t.Errorf("%s: got %s, want %s", reverse, seen, want)
		}
	}
}

// TestConstellationLoading: what is not loaded is 503, never nothing; a graph without keys has no
// records to tell.
func TestConstellationLoading(t *testing.T) {
	s := newConstellation(t, graph.Follows)
	s.link(xrpcLinks+"getBacklinksCount?subject=@t"+ofFollow, 503, "not loaded yet")
	s.link("/links/all?target=@t", 503, "not loaded yet")
	s.changes("set follows @a 3m6i4wtqkuf2l @t")
	s.link(xrpcLinks+"getBacklinksCount?subject=@t"+ofFollow, 200, `{"total":1}`)
	plain := newSite(t, constellationOptions())
	plain.follow(dids("@a>@t"))
	const unkeyed = "no source is indexed here: want a graph that keeps the keys of records; this one was made without"
	plain.link(xrpcLinks+"getBacklinksCount?subject=@t"+ofFollow, 501, unkeyed)
	plain.link("/links/all?target=@t", 501, unkeyed)
}

// TestConstellationWalls: what the server itself refuses has XRPC's names.
func TestConstellationWalls(t *testing.T) {
	s := newConstellation(t, graph.Follows)
	s.changes("set follows @a 3m6i4wtqkuf2l @t")
	o := constellationOptions()
	o.Tokens = tokens(t)
	guarded := newSiteOf(t, o, s.db, s.graph)
	o = constellationOptions()
	o.Origins = []string{"https://app.example"}
	shared := newSiteOf(t, o, s.db, s.graph)
	for _, c := range []struct {
		at     *site
		method string
		fields []string
		status int
		name   string
	}{
		{guarded, "GET", nil, 401, "AuthenticationRequired"},
		{shared, "OPTIONS", []string{"Origin", "https://other.example", "Access-Control-Request-Method", "GET"}, 403,
			"Forbidden"},
		{shared, "DELETE", nil, 405, "MethodNotAllowed"},
	} {
		resp, body := s.fetch(c.method, c.at.url+dids(xrpcLinks+"getBacklinks?subject=@t"+ofFollow), c.fields...)
		if resp.StatusCode != c.status || !strings.HasPrefix(body, `{"error":"`+c.name+`","message":"`) {
			t.Errorf("%s %v: got %d %s, want %d %s", c.method, c.fields, resp.StatusCode, body, c.status, c.name)
		}
	}
}

// TestConstellationRoot: the path "/" tells programs what there is, and shows people the console;
// with tokens it is the console's alone.
func TestConstellationRoot(t *testing.T) {
	s := newConstellation(t, graph.Follows)
	s.changes("set follows @a 3m6i4wtqkuf2l @t; set follows @b 3m6i4wtqkuf2l @t")
	if err := s.graph.Index().Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.link("/", 200, `{"help":"open this address in a browser for the console; docs/graph.md has the calls",`+
		`"days_indexed":null,"stats":{"dids":3,"targetables":1,"linking_records":2,"started_at":null,`+
		`"other_data":{"unflushed":0}}}`)
	for accept, page := range map[string]bool{"text/html,application/xhtml+xml,*/*;q=0.8": true, "*/*": false,
		"application/json": false, "text/html;q=0.5, application/json": false,
		"text/html, application/json;q=0.9": true} {
		resp, body := s.fetch("GET", s.url+"/", "Accept", accept)
		got := strings.HasPrefix(resp.Header.Get("Content-Type"), "text/html")
		if got != page || resp.StatusCode != 200 {
			t.Errorf("Accept %s: got %d %.60s, want a page: %t", accept, resp.StatusCode, body, page)
		}
	}
	o := constellationOptions()
	o.Tokens = tokens(t)
	o.Origins = []string{"*"}
	guarded := newSiteOf(t, o, s.db, s.graph)
	resp, _ := guarded.fetch("GET", guarded.url+"/links/all?target=x", "Origin", "https://app.example")
	if got := resp.Header.Get("Access-Control-Allow-Origin"); got != "*" || resp.StatusCode != 401 {
		t.Errorf("CORS: got %d, %q, want what a page may read", resp.StatusCode, got)
	}
	resp, body := guarded.fetch("GET", guarded.url+"/", "Accept", "application/json")
	if resp.StatusCode != 200 || !strings.HasPrefix(body, "<!") {
		t.Errorf("with tokens: got %d %.60s, want the console", resp.StatusCode, body)
	}
}
