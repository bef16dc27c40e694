// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server_test

import (
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/server"
)

// did returns an identifier of the PLC method for a letter.
func did(letter string) string { return "did:plc:" + strings.Repeat(letter, 24) }

// dids replaces @a by the identifier of a.
func dids(text string) string {
	var out strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '@' {
			i++
			out.WriteString(did(text[i : i+1]))
			continue
		}
		out.WriteByte(text[i])
	}
	return out.String()
}

func newGraphD(t *testing.T) *site {
	t.Helper()
	return newSite(t, &server.Options{Paths: server.Paths{GraphD: true}, MaxBody: 64 << 10,
		Logger: slog.New(slog.DiscardHandler)})
}

// graphd sends a request, and wants an answer byte by byte.
func (s *site) graphd(method, path, body string, status int, want string, header ...string) {
	s.t.Helper()
	path, body, want = dids(path), dids(body), dids(want)
	resp, got := s.do(method, path, body, header...)
	if resp.StatusCode != status || got != want+"\n" {
		s.t.Errorf("%s %s %.200s\ngot  %d %.300swant %d %.300s", method, path, body, resp.StatusCode, got, status, want)
	}
	if got := resp.Header.Get("Content-Type"); got != "application/json; charset=UTF-8" {
		s.t.Errorf("%s %s: got content type %q", method, path, got)
	}
}

const (
	badDID     = `DID syntax didn't validate via regex`
	needBoth   = `"actor_did and target_did query params are required"`
	eofBody    = `"invalid body: code=400, message=unexpected EOF, internal=unexpected EOF"`
	otherMedia = `"invalid body: code=415, message=Unsupported Media Type"`
)

// Every row of GraphD's contract, on a graph that a client of its own has written.
func TestGraphD(t *testing.T) {
	s := newGraphD(t)
	s.graphd("GET", "/_health", "", 200, `{"status":"ok","version":"0.0.1"}`)
	s.graphd("POST", "/follow", `{"actor_did":"@a","target_did":"@b"}`, 200, `"ok"`)
	s.graphd("POST", "/follows",
		`{"follows":[{"actor_did":"@b","target_did":"@a"},{"actor_did":"@c","target_did":"@b"},{"actor_did":"@a","target_did":"@c"},{"actor_did":"@d","target_did":"@b"},{"actor_did":"@e","target_did":"@e"},{"actor_did":"@c","target_did":"@a"}]}`, 200, `"ok"`)
	s.graphd("POST", "/follows", `{}`, 200, `"ok"`)
	s.graphd("POST", "/follows", `{"follows":[]}`, 200, `"ok"`)
	s.graphd("POST", "/unfollows", `{"unfollows":[]}`, 200, `"ok"`)
	s.graphd("POST", "/unfollows", `{}`, 200, `"ok"`)
	for _, flushed := range []bool{false, true} {
		if flushed {
			if err := s.graph.Index().Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		for _, c := range []struct {
			path   string
			status int
			want   string
		}{
			{"/followers?did=@b", 200, `["@a","@c","@d"]`},
			{"/followers?did=@d", 200, `[]`},
			{"/followers?did=@b&limit=1&cursor=x", 200, `["@a","@c","@d"]`}, // there are no such parameters
			{"/followers?did=@b&did=@a", 200, `["@a","@c","@d"]`},           // the first counts
			{"/followers?did=did%3Aplc%3A" + strings.Repeat("b", 24), 200, `["@a","@c","@d"]`},
			{"/followers?did=@e", 200, `["@e"]`},
			{"/following?did=@a", 200, `["@b","@c"]`},
			{"/moots?did=@a", 200, `["@b","@c"]`},
			{"/moots?did=@d", 200, `[]`},
			{"/followers_not_following?did=@b", 200, `{"dids":["@c","@d"]}`},
			{"/followers_not_following?did=@d", 200, `{"dids":[]}`},
			{"/does_follow?actor_did=@a&target_did=@b", 200, `true`},
			{"/does_follow?actor_did=@b&target_did=@c", 200, `false`},
			{"/are_moots?actor_did=@a&target_did=@b", 200, `true`},
			{"/are_moots?actor_did=@c&target_did=@b", 200, `false`},
			{"/are_moots?actor_did=@b&target_did=@c", 200, `false`},
			{"/follows_following?actor_did=@a&target_did=@b", 200, `["@c"]`},
			{"/follows_following?actor_did=@b&target_did=@d", 200, `[]`},
			{"/intersect_followers?did=@a&did=@b", 200, `["@c"]`},
			{"/intersect_followers?did=@b", 200, `["@a","@c","@d"]`},
			{"/intersect_following?did=@c&did=@d", 200, `["@b"]`},
			{"/intersect_following?did=@a", 200, `["@b","@c"]`},

			{"/followers?did=@z", 404, `"uid not found"`},
			{"/followers", 404, `"uid not found"`},
			{"/followers?did=", 404, `"uid not found"`},
			{"/followers?did=foo", 404, `"uid not found"`},
			{"/followers?did=%zz", 404, `"uid not found"`},
			{"/followers?did=%00", 404, `"uid not found"`},
			{"/following?did=@z", 404, `"uid not found"`},
			{"/following", 404, `"uid not found"`},
			{"/moots?did=@z", 404, `"uid not found"`},
			{"/moots", 404, `"uid not found"`},
			{"/followers_not_following?did=@z", 404, `"uid not found"`},
			{"/followers_not_following", 404, `"uid not found"`},
			{"/does_follow", 400, needBoth},
			{"/does_follow?actor_did=@a", 400, needBoth},
			{"/does_follow?target_did=@a", 400, needBoth},
			{"/does_follow?actor_did=@z&target_did=@b", 404, `"actor uid not found"`},
			{"/does_follow?actor_did=@a&target_did=@z", 404, `"target uid not found"`},
			{"/does_follow?actor_did=@z&target_did=@y", 404, `"actor uid not found"`},
			{"/does_follow?actor_did=&target_did=@a", 404, `"actor uid not found"`},
			{"/does_follow?actor_did=@a&target_did=foo", 404, `"target uid not found"`},
			{"/are_moots", 400, needBoth},
			{"/are_moots?actor_did=@z&target_did=@b", 404, `"actor uid not found"`},
			{"/are_moots?actor_did=@a&target_did=@z", 404, `"target uid not found"`},
			{"/follows_following", 400, needBoth},
			{"/follows_following?actor_did=@z&target_did=@b", 404, `"actor uid not found"`},
			{"/follows_following?actor_did=@a&target_did=@z", 404, `"target uid not found"`},
			{"/follows_following?actor_did=@z&target_did=@y", 404, `"actor uid not found"`},
			{"/intersect_followers", 400, `"did query param is required"`},
			{"/intersect_followers?did=@a&did=@z", 404, `"uid not found for did @z"`},
			{"/intersect_followers?did=%3Cz%3E", 404, `"uid not found for did \u003cz\u003e"`},
			{"/intersect_followers?did=", 404, `"uid not found for did "`},
			{"/intersect_following", 400, `"did query param is required"`},
			{"/intersect_following?did=@z&did=@a", 404, `"uid not found for did @z"`},
			{"/nowhere", 404, `{"message":"Not Found"}`},
			{"/index.html", 404, `{"message":"Not Found"}`},
			{"/follow", 405, `{"message":"Method Not Allowed"}`},
		} {
			s.graphd("GET", c.path, "", c.status, c.want)
		}
	}
	s.graphd("POST", "/followers?did=@b", "{}", 405, `{"message":"Method Not Allowed"}`)
	s.graphd("DELETE", "/follow", "", 405, `{"message":"Method Not Allowed"}`)
	s.graphd("POST", "/unfollow", `{"actor_did":"@d","target_did":"@b"}`, 200, `"ok"`)
	s.graphd("POST", "/unfollow", `{"actor_did":"@d","target_did":"@b"}`, 200, `"ok"`)
	s.graphd("POST", "/unfollows",
		`{"unfollows":[{"actor_did":"@c","target_did":"@b"},{"actor_did":"@x","target_did":"@y"}]}`, 200, `"ok"`)
	s.graphd("GET", "/followers?did=@b", "", 200, `["@a"]`)

	// Uproar's own paths are where they always are.
	s.check("GET", dids("/v1/graph/followers?account=@b"), "", 200, dids(`{"accounts":["@a"]}`))
	s.check("GET", "/v1/nowhere", "", 404, `{"error":{"code":"unknown_path","message":"unknown path \"/v1/nowhere\""}}`)
	s.check("GET", "/healthz", "", 200, `{"status":"ok"}`)
	if resp, _ := s.do("GET", "/metrics", ""); resp.StatusCode != 200 {
		t.Errorf("metrics: got %d", resp.StatusCode)
	}
	// Without the option there is none of GraphD's.
	newSite(t, nil).check("GET", "/followers?did=x", "", 404,
		`{"error":{"code":"unknown_path","message":"unknown path \"/followers\""}}`)
}

// What GraphD says to bodies that are wrong.
func TestGraphDRefusesBodies(t *testing.T) {
	s := newGraphD(t)
	for _, c := range []struct {
		path, body string
		want       string
	}{
		{"/follow", `{"actor_did":"foo","target_did":"@b"}`, `"invalid actor did \"foo\": ` + badDID + `"`},
		{"/follow", `{"actor_did":"@a","target_did":"foo"}`, `"invalid target did \"foo\": ` + badDID + `"`},
		{"/follow", `{"actor_did":"@a"}`, `"invalid target did \"\": expected DID, got empty string"`},
		{"/follow", `{}`, `"invalid actor did \"\": expected DID, got empty string"`},
		{"/follow", ``, `"invalid actor did \"\": expected DID, got empty string"`},
		{"/follow", `{"actor_did":"did:plc:` + strings.Repeat("a", 2048) + `"}`, `"invalid actor did \"did:plc:` +
			strings.Repeat("a", 2048) + `\": DID is too long (2048 chars max)"`},
		{"/follow", `{"actor_did":"did:plc:","target_did":"@b"}`, `"invalid actor did \"did:plc:\": ` + badDID + `"`},
		{"/follow", `{"actor_did":"did:PLC:abc","target_did":"@b"}`, `"invalid actor did \"did:PLC:abc\": ` + badDID +
			`"`},
		{"/follow", `{"actor_did":"did:web:a.b:","target_did":"@b"}`, `"invalid actor did \"did:web:a.b:\": ` + badDID +
			`"`},
		{"/follow", `{"actor_did":"did:web:a b","target_did":"@b"}`, `"invalid actor did \"did:web:a b\": ` + badDID +
			`"`},
		{"/follow", `{`, eofBody},
		{"/follows", `{`, eofBody},
		{"/unfollow", `{`, eofBody},
		{"/unfollows", `{`, eofBody},
		{"/follow", `x`,
			`"invalid body: code=400, message=Syntax error: offset=1, error=invalid character 'x' looking for beginning of value, internal=invalid character 'x' looking for beginning of value"`},
		{"/follows", `{"follows":[{"actor_did":"@a","target_did":"@b"},{"actor_did":"foo","target_did":"@b"}]}`,
			`"invalid actor did[1]: ` + badDID + `"`},
		{"/follows", `{"follows":[{"actor_did":"@a","target_did":"foo"}]}`, `"invalid target did[0]: ` + badDID + `"`},
		{"/unfollow", `{"actor_did":"foo","target_did":"@b"}`, `"invalid actor did: ` + badDID + `"`},
		{"/unfollow", `{"actor_did":"@a","target_did":"foo"}`, `"invalid target did: ` + badDID + `"`},
		{"/unfollows", `{"unfollows":[{"actor_did":"foo","target_did":"@b"}]}`, `"invalid actor did[0]: ` + badDID +
			`"`},
		{"/unfollows", `{"unfollows":[{"actor_did":"@a","target_did":"@b"},{"actor_did":"@a","target_did":"foo"}]}`,
			`"invalid target did[1]: ` + badDID + `"`},
	} {
		s.graphd("POST", c.path, c.body, 400, c.want)
	}
	for _, path := range []string{"/follow", "/follows", "/unfollow", "/unfollows"} {
		s.graphd("POST", path, `{"actor_did":"@a","target_did":"@b"}`, 400, otherMedia, "Content-Type", "text/plain")
	}
	s.graphd("POST", "/follow", `{"actor_did":"did:web:example.com","target_did":"did:web:localhost%3A80"} and more`,
		200, `"ok"`, "Content-Type", "application/json; charset=UTF-8")
	s.graphd("GET", "/followers?did=did:web:localhost%253A80", "", 200, `["did:web:example.com"]`)
	s.graphd("POST", "/follows", `{"follows":[`+strings.Repeat(" ", 64<<10)+`]}`, 413,
		fmt.Sprintf(`"body has more than %d bytes"`, 64<<10))
	// Nothing of what was refused is there, not even its accounts.
	s.check("GET", "/v1/query?index=accounts&q=all&answer=count", "", 200, `{"count":2}`)
}

// Each of GraphD's defects, in a test of ours.
func TestGraphDDefects(t *testing.T) {
	t.Run("a fresh start is ready, and keeps what it is told", func(t *testing.T) {
		s := newGraphD(t)
		s.graphd("GET", "/followers?did=@a", "", 404, `"uid not found"`)
		s.graphd("POST", "/follow", `{"actor_did":"@a","target_did":"@b"}`, 200, `"ok"`)
		s.graphd("GET", "/followers?did=@b", "", 200, `["@a"]`)
	})
	t.Run("follows between neighbours survive every flush", func(t *testing.T) {
		s := newGraphD(t)
		for i := range 20 {
			s.graphd("POST", "/follow", fmt.Sprintf(`{"actor_did":"did:web:n%d","target_did":"did:web:n%d"}`, i, i+1),
				200, `"ok"`)
			if err := s.graph.Index().Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
			s.graphd("GET", fmt.Sprintf("/does_follow?actor_did=did:web:n%d&target_did=did:web:n%d", i, i+1), "", 200,
				`true`)
		}
	})
	t.Run("repeated follows count once", func(t *testing.T) {
		s := newGraphD(t)
		for range 3 {
			s.graphd("POST", "/follows",
				`{"follows":[{"actor_did":"@a","target_did":"@b"},{"actor_did":"@a","target_did":"@b"}]}`, 200, `"ok"`)
		}
		s.graphd("GET", "/following?did=@a", "", 200, `["@b"]`)
		s.check("GET", dids("/v1/graph/following?account=@a&count=true"), "", 200, `{"count":1}`)
	})
	t.Run("a list of follows is done whole or not at all", func(t *testing.T) {
		s := newGraphD(t)
		s.graphd("POST", "/follows",
			`{"follows":[{"actor_did":"@a","target_did":"@b"},{"actor_did":"@a","target_did":"x"}]}`, 400,
			`"invalid target did[1]: `+badDID+`"`)
		s.graphd("GET", "/followers?did=@b", "", 404, `"uid not found"`)
	})
	t.Run("undoing a follow makes no account exist", func(t *testing.T) {
		s := newGraphD(t)
		s.graphd("POST", "/unfollow", `{"actor_did":"@a","target_did":"@b"}`, 200, `"ok"`)
		s.graphd("GET", "/followers?did=@b", "", 404, `"uid not found"`)
	})
	t.Run("a failing database is told of", func(t *testing.T) {
		s := newGraphD(t)
		s.graphd("POST", "/follow", `{"actor_did":"@a","target_did":"@b"}`, 200, `"ok"`)
		if err := s.db.Close(); err != nil {
			t.Fatal(err)
		}
		s.graphd("POST", "/follow", `{"actor_did":"@a","target_did":"@c"}`, 503, `"the database is closed"`)
		s.graphd("GET", "/followers?did=@b", "", 503, `"the database is closed"`)
		s.graphd("GET", "/_health", "", 503, `"the database is closed"`)
	})
	t.Run("an unknown account has an answer, whatever it is", func(t *testing.T) {
		s := newGraphD(t)
		s.graphd("GET", "/followers?did="+url.QueryEscape(strings.Repeat("\xff", 600)), "", 404, `"uid not found"`)
	})
	t.Run("a long list is whole, and has counts and pages elsewhere", func(t *testing.T) {
		s := newGraphD(t)
		var follows []graph.Follow
		var want []string
		for i := range 30_000 {
			name := fmt.Sprintf("did:plc:%024d", i)
			follows = append(follows, graph.Follow{Account: name, Target: did("b")})
			want = append(want, `"`+name+`"`)
		}
		if _, err := s.graph.Follow(t.Context(), follows...); err != nil {
			t.Fatal(err)
		}
		// The target was named with the first follow, and so is second.
		s.graphd("GET", "/followers?did=@b", "", 200, "["+strings.Join(want, ",")+"]")
		s.check("GET", dids("/v1/graph/followers?account=@b&count=true"), "", 200, `{"count":30000}`)
	})
}
