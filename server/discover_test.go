// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/server"
	"github.com/uproar-db/uproar/store/memstore"
)

// write sends changes of "set blocks alice dan; delete bob".
func (s *site) write(text string, more string) {
	s.t.Helper()
	var list []string
	for change := range strings.SplitSeq(text, "; ") {
		w := append(strings.Fields(change), "", "", "")
		if w[0] == "delete" {
			list = append(list, fmt.Sprintf(`{"op":"delete","account":%q}`, w[1]))
			continue
		}
		list = append(list, fmt.Sprintf(`{"op":%q,"relation":%q,"account":%q,"target":%q}`, w[0], w[1], w[2], w[3]))
	}
	if resp, body := s.do("POST", "/v1/graph/write", `{"changes":[`+strings.Join(list,
		",")+`]`+more+`}`); resp.StatusCode != 200 {
		s.t.Fatalf("%s: got %d %s", text, resp.StatusCode, body)
	}
}

func TestRelations(t *testing.T) {
	s := newSite(t, nil)
	s.follow(seed)
	s.write("set blocks alice dan; set blocks erin alice; set mutes alice bob; set members friends dan; set members "+
		"friends bob; clear blocks alice zoe", "")
	for _, c := range []struct{ path, want string }{
		{"blocks?account=alice", `{"accounts":["dan"]}`},
		{"blockers?account=alice", `{"accounts":["erin"]}`},
		{"blockers?account=alice&count=true", `{"count":1}`},
		{"mutes?account=alice", `{"accounts":["bob"]}`},
		{"muters?account=bob", `{"accounts":["alice"]}`},
		{"members?account=friends&count=true", `{"count":2}`},
		{"lists?account=dan", `{"accounts":["friends"]}`},
		{"following?account=alice", `{"accounts":["bob","carol","dan"]}`},
		{"following?account=alice&viewer=alice", `{"accounts":["carol"]}`},
		{"followers?account=bob&viewer=alice&count=true", `{"count":2}`}, // without dan and erin
		{"intersect-followers?account=bob&viewer=alice", `{"accounts":["alice","carol"]}`},
		{"reach?account=carol", `{"accounts":["alice","bob"]}`},
		{"reach?account=carol&count=true&viewer=erin", `{"count":1}`},
		{"mutuals-following?account=bob&target=carol", `{"accounts":["alice"]}`},
		{"suggestions?account=carol", `{"accounts":[{"account":"alice","common":1,"score":1}],"count":1}`},
		{"suggestions?account=alice&count=true", `{"count":0}`}, // only itself and whom it follows or is not shown
		{"similar?account=carol&by=cosine&limit=1",
			`{"accounts":[{"account":"dan","common":1,"score":0.7071067811865475}],"count":3}`},
		{"similar?account=carol&by=count&count=true", `{"count":3}`},
	} {
		s.check("GET", "/v1/graph/"+c.path, "", 200, c.want)
	}
	// A deleted account is in no answer from then on, and is not there.
	s.write("delete bob", "")
	s.check("GET", "/v1/graph/following?account=alice", "", 200, `{"accounts":["carol","dan"]}`)
	s.check("GET", "/v1/graph/members?account=friends", "", 200, `{"accounts":["dan"]}`)
	s.check("GET", "/v1/graph/followers?account=bob", "", 404,
		`{"error":{"code":"unknown_account","message":"unknown account \"bob\""}}`)
	s.check("POST", "/v1/graph/lookup", `{"accounts":["bob","dan"]}`, 200,
		`{"accounts":[{"account":"bob","id":null},{"account":"dan","id":3}]}`)
	s.check("POST", "/v1/graph/lookup", `{"ids":[1,3]}`, 200,
		`{"accounts":[{"account":null,"id":1},{"account":"dan","id":3}]}`)

	for _, c := range []struct {
		method, path, body string
		code               api.Code
	}{
		{"GET", "/v1/graph/followers?account=alice&viewer=", "", "invalid_request"},
		{"GET", "/v1/graph/followers?account=alice&viewer=zoe", "", "unknown_account"},
		{"GET", "/v1/graph/followers?account=alice&cursor=", "", "invalid_cursor"},
		{"GET", "/v1/query?index=accounts&q=all&cursor=", "", "invalid_cursor"},
		{"POST", "/v1/query", `{"index":"accounts","q":"all","limit":0}`, "invalid_request"},
		{"POST", "/v1/query", `{"index":"accounts","q":"all","cursor":""}`, "invalid_cursor"},
		{"GET", "/v1/graph/suggestions?account=alice&limit=0", "", "invalid_request"},
		{"GET", "/v1/graph/suggestions?account=alice&limit=1001", "", "invalid_request"},
		{"GET", "/v1/graph/suggestions?account=alice&limit=5&count=true", "", "invalid_request"},
		{"GET", "/v1/graph/suggestions?account=zoe", "", "unknown_account"},
		{"GET", "/v1/graph/suggestions?account=alice&by=count", "", "invalid_request"},
		{"GET", "/v1/graph/similar?account=alice&by=", "", "invalid_request"},
		{"GET", "/v1/graph/similar?account=alice&by=age", "", "invalid_request"},
		{"POST", "/v1/graph/lookup", `{}`, "invalid_request"},
		{"POST", "/v1/graph/lookup", `{"accounts":[],"ids":[]}`, "invalid_request"},
		{"POST", "/v1/graph/write", `{}`, "invalid_request"},
		{"POST", "/v1/graph/write", `{"changes":[],"stream":"x"}`, "invalid_request"},
		{"POST", "/v1/graph/write", `{"changes":[],"position":1}`, "invalid_request"},
		{"POST", "/v1/graph/write", `{"changes":[{"op":"put","account":"a"}]}`, "invalid_request"},
		{"POST", "/v1/graph/write", `{"changes":[{"op":"set","relation":"likes","account":"a","target":"b"}]}`,
			"invalid_request"},
		{"POST", "/v1/graph/write", `{"changes":[{"op":"set","relation":"blocks","account":"a","target":""}]}`,
			"invalid_account"},
		{"POST", "/v1/batch", `{}`, "invalid_request"},
		{"POST", "/v1/batch", `{"calls":[` + strings.Repeat(`"",`, 1000) + `""]}`, "invalid_request"},
		{"GET", "/v1/changes?index=accounts&after=x", "", "invalid_request"},
		{"GET", "/v1/changes?index=accounts&after=99", "", "invalid_request"},
		{"GET", "/v1/changes?index=accounts&after=0&wait=2h", "", "invalid_request"},
		{"GET", "/v1/changes?index=nowhere&after=0", "", "unknown_index"},
	} {
		if resp, body := s.do(c.method, c.path, c.body); resp.StatusCode != c.code.Status() ||
			!strings.Contains(body, `"code":"`+string(c.code)+`"`) {
			t.Errorf("%s %s %.80s: got %d %s, want %s", c.method, c.path, c.body, resp.StatusCode, body, c.code)
		}
	}
}

// A cursor is good for the question that it was given for, and for no other.
func TestCursorOfAnotherQuestion(t *testing.T) {
	s := newSite(t, nil)
	s.follow("a>x b>x c>x a>y b>y c>y")
	cursor := func(path string) string {
		t.Helper()
		_, body := s.do("GET", path, "")
		_, rest, ok := strings.Cut(body, `"cursor":"`)
		if !ok {
			t.Fatalf("%s: got %s, want a cursor", path, body)
		}
		return strings.TrimSuffix(rest, "\"}\n")
	}
	x := cursor("/v1/graph/followers?account=x&limit=1")
	s.check("GET", "/v1/graph/followers?account=x&limit=5&cursor="+x, "", 200, `{"accounts":["b","c"]}`)
	refused := fmt.Sprintf(
		`{"error":{"code":"invalid_cursor","message":"cursor \"%s\" is one of another question: want that of an earlier reply to this one"}}`, x)
	s.check("GET", "/v1/graph/followers?account=y&cursor="+x, "", 400, refused)
	s.check("GET", "/v1/graph/followers?account=x&viewer=a&cursor="+x, "", 400, refused)
	s.check("GET", "/v1/graph/following?account=x&cursor="+x, "", 400, refused)
	q := cursor("/v1/query?index=accounts&q=followers(x)&limit=1")
	s.check("POST", "/v1/query", `{"index":"accounts","q":"followers( x )","cursor":"`+q+`"}`, 200,
		`{"keys":["b","c"]}`)
	if resp, _ := s.do("GET", "/v1/query?index=accounts&q=followers(y)&cursor="+q, ""); resp.StatusCode != 400 {
		t.Errorf("a query's cursor with another query: got %d", resp.StatusCode)
	}
}

// The calls of a batch are answered each as alone.
func TestBatch(t *testing.T) {
	s := newSite(t, nil)
	s.follow(seed)
	calls := []string{"/v1/graph/followers?account=bob", "/v1/graph/followers?account=zoe",
		"/v1/graph/following?account=alice&limit=0", "/v1/query?index=accounts&q=all&answer=count",
		"/v1/graph/suggestions?account=carol", "/v1/nowhere", "/v1/graph/follow"}
	var want []string
	for _, path := range calls {
		_, body := s.do("GET", path, "")
		want = append(want, strings.TrimSuffix(body, "\n"))
	}
	body, _ := json.Marshal(api.BatchRequest{Calls: calls})
	s.check("POST", "/v1/batch", string(body), 200, `{"answers":[`+strings.Join(want, ",")+`]}`)
	s.check("POST", "/v1/batch", `{"calls":[]}`, 200, `{"answers":[]}`)
	for _, path := range []string{"/v1/changes?index=accounts&after=0", "/v1/backup", "/healthz", "/metrics", "",
		"x?y"} {
		_, got := s.do("POST", "/v1/batch", fmt.Sprintf(`{"calls":[%q]}`, path))
		if !json.Valid([]byte(got)) || !strings.HasPrefix(got, `{"answers":[{"error":{"code":"`) {
			t.Errorf("%s in a batch: got %s, want an error", path, got)
		}
	}
	// A list that is longer than any buffer that is used again.
	many := make([]string, 5000)
	for i := range many {
		many[i] = fmt.Sprintf("m%0100d>hub", i)
	}
	s.follow(strings.Join(many, " "))
	call := "/v1/graph/followers?account=hub&limit=10000"
	_, long := s.do("GET", call, "")
	long = strings.TrimSuffix(long, "\n")
	s.check("POST", "/v1/batch", fmt.Sprintf(`{"calls":[%q,%q]}`, call, call), 200, `{"answers":[`+long+","+long+`]}`)
	body, _ = json.Marshal(api.BatchRequest{Calls: strings.Split(strings.TrimSuffix(strings.Repeat(call+" ", 60), " "),
		" ")})
	if _, got := s.do("POST", "/v1/batch", string(body)); !json.Valid([]byte(got)) ||
		strings.Count(got, "ask again, in another batch") == 0 || len(got) > 18<<20 {
		t.Errorf("a batch of too much: got %d bytes with %d refusals", len(got), strings.Count(got, "ask again"))
	}
}

// The position of a stream is there with the changes that it covers, and not without.
func TestStreamPosition(t *testing.T) {
	s := newSite(t, nil)
	s.check("GET", "/v1/graph/position?stream=firehose", "", 200, `{"position":null}`)
	s.write("set follows alice bob", `,"stream":"firehose","position":9007199254740993`)
	s.check("GET", "/v1/graph/position?stream=firehose", "", 200, `{"position":9007199254740993}`)
	s.do("POST", "/v1/graph/write",
		`{"changes":[{"op":"set","relation":"follows","account":"a","target":""}],"stream":"firehose","position":1}`)
	s.check("GET", "/v1/graph/position?stream=firehose", "", 200, `{"position":9007199254740993}`)
	s.check("POST", "/v1/graph/write", `{"stream":"firehose","position":-5}`, 200, `{"sequence":2}`)
	s.check("GET", "/v1/graph/position?stream=firehose", "", 200, `{"position":-5}`)
}

// followChanges reads changes until a commit, and gives every sequence number that it saw.
func (s *site) followChanges(after, until uint64, limit int) (seen []uint64) {
	for after < until {
		_, body := s.do("GET", fmt.Sprintf("/v1/changes?index=accounts&after=%d&limit=%d&wait=5s", after, limit), "")
		var r api.ChangesReply
		if err := json.Unmarshal([]byte(body), &r); err != nil {
			s.t.Errorf("got %s: %v", body, err)
			return seen
		}
		for _, c := range r.Commits {
			seen = append(seen, c.Sequence)
		}
		if len(r.Commits) > limit {
			s.t.Errorf("got %d commits, want at most %d", len(r.Commits), limit)
		}
		if len(r.Commits) > 0 && r.Last != seen[len(seen)-1] {
			s.t.Errorf("got last %d after commit %d", r.Last, seen[len(seen)-1])
		}
		after = r.Last
	}
	return seen
}

// Who follows the changes misses none and sees none twice, while writers write.
func TestChanges(t *testing.T) {
	s := newSite(t, nil)
	const writers, each = 4, 25
	var all sync.WaitGroup
	for _, limit := range []int{1, 7, 1000} {
		all.Go(func() {
			for i, sequence := range s.followChanges(0, writers*each, limit) {
				if sequence != uint64(i)+1 {
					t.Errorf("limit %d: got commit %d as number %d", limit, sequence, i+1)
					return
				}
			}
		})
	}
	for w := range writers {
		all.Go(func() {
			for i := range each {
				if _, err := s.graph.Follow(t.Context(), graph.Follow{Account: fmt.Sprint("w", w),
					Target: fmt.Sprint("t", w, "-", i)}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	s.write("delete w0", "")
	_, body := s.do("GET", fmt.Sprintf("/v1/changes?index=accounts&after=%d", writers*each), "")
	if !strings.Contains(body, `"kind":"deleteRecord","record":"w0"`) || !strings.HasSuffix(body, `"last":101}`+"\n") {
		t.Errorf("a deletion: got %s", body)
	}
	// Without anything new an answer comes when the wait is over.
	s.check("GET", "/v1/changes?index=accounts&after=101&wait=10ms", "", 200, `{"commits":[],"last":101}`)
	s.check("GET", "/v1/changes?index=accounts&after=101", "", 200, `{"commits":[],"last":101}`)
}

// TestFollowersWaitWithoutMemory checks that calls waiting for commits take no memory of large
// answers.
func TestFollowersWaitWithoutMemory(t *testing.T) {
	s := newSite(t, &server.Options{AnswerBytes: 1 << 20, MaxWait: time.Millisecond})
	s.write("set follows alice bob", "")
	var followers sync.WaitGroup
	for range 4 {
		followers.Go(func() { s.do("GET", "/v1/changes?index=accounts&after=1&wait=1m", "") })
	}
	for until := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		_, body := s.do("GET", "/metrics", "")
		if strings.Contains(body, "uproar_http_requests_in_flight{endpoint=\"changes\"} 4") {
			break
		}
		if time.Now().After(until) {
			t.Fatal("not all of them wait")
		}
	}
	time.Sleep(20 * time.Millisecond) // one more look at the log ends within it
	if resp, body := s.do("GET", "/v1/changes?index=accounts&after=0", ""); resp.StatusCode != 200 {
		t.Errorf("beside them: got %d %s, want 200", resp.StatusCode, body)
	}
	s.write("set follows alice carol", "")
	followers.Wait()
}

// A server that is told to stop does not wait for commits.
func TestChangesDoNotHoldUpAStop(t *testing.T) {
	s := newSite(t, &server.Options{Timeout: time.Minute, DrainTimeout: time.Minute})
	addr, stop, done := serve(t, s)
	answered := make(chan string, 1)
	go func() {
		other := *s
		other.url = "http://" + addr
		_, body := other.do("GET", "/v1/changes?index=accounts&after=0&wait=1m", "")
		answered <- body
	}()
	for wait := time.Now().Add(time.Minute); time.Now().Before(wait); time.Sleep(time.Millisecond) {
		if _, body := s.do("GET", "/metrics", ""); strings.Contains(body,
			"uproar_http_requests_in_flight{endpoint=\"changes\"} 1") {
			break
		}
	}
	stop()
	select {
	case err := <-done:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(30 * time.Second):
		t.Fatal("the server waits for one who waits")
	}
	<-answered
}

// Commits that are no longer kept are an error that names the oldest that is.
func TestTrimmedChanges(t *testing.T) {
	db, err := uproar.Open(t.Context(), memstore.New(), &uproar.Options{LogEntries: 5})
	if err != nil {
		t.Fatal(err)
	}
	g, err := graph.Open(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	s := newSiteOf(t, nil, db, g)
	for i := range 3000 {
		s.follow(fmt.Sprintf("a>b%d", i))
	}
	for range 2 {
		if err := g.Index().Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		s.follow("a>c a>d")
	}
	resp, body := s.do("GET", "/v1/changes?index=accounts&after=0", "")
	var r struct{ Error api.Error }
	if err := json.Unmarshal([]byte(body), &r); err != nil || resp.StatusCode != 410 ||
		r.Error.Code != api.CodeSequenceTrimmed || r.Error.Oldest == nil {
		t.Fatalf("got %d %s, want sequence_trimmed and the oldest", resp.StatusCode, body)
	}
	oldest := *r.Error.Oldest
	if seen := s.followChanges(oldest-1, 3002, 500); len(seen) == 0 || seen[0] != oldest || oldest < 100 {
		t.Errorf("from the oldest, %d: got %d commits", oldest, len(seen))
	}
}
