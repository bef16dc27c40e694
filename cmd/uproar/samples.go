// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
)

// sample is a question of the demo, with one or more requests that answer it.
type sample struct {
	question string
	requests []request
}

// request is one request to the server.
type request struct {
	path   string
	params []string // name, value, name, value
	body   string   // if not empty it is a POST
	list   bool     // the answer is a part of a list: its length is asked for too
}

func get(path string, params ...string) request { return request{path: path, params: params} }

func list(path string, params ...string) request {
	return request{path: path, params: append(params, "limit", "6"), list: true}
}

func post(path, body string) request { return request{path: path, body: body} }

// newcomer is the account that the demo makes up.
const newcomer = "you"

// samples are the demo's questions. The accounts are chosen so that the answers are neither empty
// nor endless: 18 is the one with the most followers, 645 and 763 follow the most, 34 has the most
// mutuals, and 143 and 737 come after 18.
var samples = []sample{
	{"How many follow account 18, whom most follow?",
		[]request{get("/v1/graph/followers", "account", "18", "count", "true")}},
	{"Whom does 18 follow?",
		[]request{list("/v1/graph/following", "account", "18")}},
	{"Who are the mutuals of 34: followed by it, and following it?",
		[]request{list("/v1/graph/mutuals", "account", "34")}},
	{"Does 645 follow 18?",
		[]request{get("/v1/graph/follows", "account", "645", "target", "18")}},
	{"Of those whom 645 follows, who also follows 18?",
		[]request{list("/v1/graph/follows-following", "account", "645", "target", "18")}},
	{"Who follows all three of 18, 143 and 737?",
		[]request{list("/v1/graph/intersect-followers", "account", "18", "account", "143", "account", "737")}},
	{"Whom do 645 or 763 follow who follows 18, but is not followed back by 18?",
		[]request{get("/v1/query", "index", graph.IndexName, "answer", "count", "q",
			"(follows(645) or follows(763)) and followers(18) and not follows(18)")}},
	{"A follow is written, is on the disk, is seen at once, and is taken back.",
		[]request{
			post("/v1/graph/follow", `{"account":"`+newcomer+`","target":"18"}`),
			get("/v1/graph/followers", "account", "18", "count", "true"),
			get("/v1/graph/follows", "account", newcomer, "target", "18"),
			post("/v1/graph/unfollow", `{"account":"`+newcomer+`","target":"18"}`),
		}},
}

// checkDemo fails when an account that the samples name is not in the graph.
func checkDemo(g *graph.Graph) error {
	s := g.Index().Snapshot()
	defer s.Close()
	for _, sample := range samples {
		for _, r := range sample.requests {
			for i := 0; i < len(r.params); i += 2 {
				if account := r.params[i+1]; (r.params[i] == "account" || r.params[i] == "target") &&
					account != newcomer {
					if _, err := s.ID(account); err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}

// askSamples asks the server all samples, and prints each request as a curl line with its answer.
func askSamples(ctx context.Context, out io.Writer, base string, samples []sample) error {
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	// The first request opens the connection, which the times are not to be about.
	if _, _, err := get("/healthz").do(ctx, client, base); err != nil {
		return err
	}
	for i, sample := range samples {
		fmt.Fprintf(out, "\n%d. %s\n", i+1, sample.question)
		for _, r := range sample.requests {
			answer, took, err := r.do(ctx, client, base)
			if err != nil {
				return fmt.Errorf("sample question %d: %w", i+1, err)
			}
			all := ""
			if r.list {
				n, err := r.count(ctx, client, base)
				if err != nil {
					return fmt.Errorf("sample question %d: counting: %w", i+1, err)
				}
				all = terminal.Count(n) + " in all, "
			}
			fmt.Fprintf(out, "   %s\n   => %s   (%s%s)\n", r.curl(base), shorten(answer), all, terminal.Took(took))
		}
	}
	return nil
}

// do asks the server. An answer with another status than 200 is an error.
func (r request) do(ctx context.Context, client *http.Client, base string) (answer string, took time.Duration,
	err error) {
	method, body := http.MethodGet, io.Reader(nil)
	if r.body != "" {
		method, body = http.MethodPost, strings.NewReader(r.body)
	}
	req, err := http.NewRequestWithContext(ctx, method, base+r.path+r.query(), body)
	if err != nil {
		return "", 0, err
	}
	if r.body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	start := time.Now()
	resp, err := client.Do(req)
	if err != nil {
		return "", 0, err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	took = time.Since(start)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s %s: got %s: %s", method, req.URL, resp.Status, shorten(string(text)))
	}
	return string(bytes.TrimSpace(text)), took, err
}

// count asks how long the list is that the request asks a part of.
func (r request) count(ctx context.Context, client *http.Client, base string) (uint64, error) {
	whole := r
	whole.params = append(append([]string(nil), r.params[:len(r.params)-2]...), "count", "true")
	text, _, err := whole.do(ctx, client, base)
	if err != nil {
		return 0, err
	}
	var n api.CountReply
	err = json.Unmarshal([]byte(text), &n)
	return n.Count, err
}

func (r request) query() string {
	var b strings.Builder
	for i := 0; i < len(r.params); i += 2 {
		b.WriteByte("?&"[min(i, 1)])
		b.WriteString(url.QueryEscape(r.params[i]) + "=" + url.QueryEscape(r.params[i+1]))
	}
	return b.String()
}

// curl returns the request as a command for a shell. Parameters that would have to be escaped are
// left to curl, for people to read.
func (r request) curl(base string) string {
	if r.body != "" {
		return fmt.Sprintf("curl -H 'Content-Type: application/json' -d '%s' '%s%s'", r.body, base, r.path)
	}
	plain := true
	for _, p := range r.params {
		plain = plain && url.QueryEscape(p) == p
	}
	if plain {
		return fmt.Sprintf("curl '%s%s%s'", base, r.path, r.query())
	}
	line := fmt.Sprintf("curl -G '%s%s'", base, r.path)
	for i := 0; i < len(r.params); i += 2 {
		line += fmt.Sprintf(" --data-urlencode '%s=%s'", r.params[i], r.params[i+1])
	}
	return line
}

// shorten cuts an answer that is too long for a line.
func shorten(answer string) string {
	const most = 120
	if len(answer) <= most {
		return answer
	}
	return strings.ToValidUTF8(answer[:most], "") + "..."
}
