// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server_test

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/server"
)

// sscan reads the sequence number of a reply to a write.
func sscan(body string, sequence *uint64) (int, error) {
	return fmt.Sscanf(body, `{"sequence":%d}`, sequence)
}

// What is wrong with a request is said, with its status and code.
func TestRefusals(t *testing.T) {
	s := newSite(t, &server.Options{MaxBody: 1000, Logger: slog.New(slog.DiscardHandler)})
	s.follow(seed)
	big := `{"follows":[` + strings.Repeat(`{"account":"alice","target":"bob"},`, 30) +
		`{"account":"alice","target":"bob"}]}`
	const follow = "/v1/graph/follow"
	for _, c := range []struct {
		method, path, body string
		status             int
		code               api.Code
		message            string // what it begins with
	}{
		{"GET", "/v1/graph/followers", "", 400, "invalid_request", "parameter \"account\" is missing"},
		{"GET", "/v1/graph/followers?account=", "", 400, "invalid_account", "account \"\" is empty"},
		{"GET", "/v1/graph/followers?account=a%00", "", 400, "invalid_account",
			"account \"a\\x00\" has the control character U+0000 at byte 1"},
		{"GET", "/v1/graph/followers?account=a%ff", "", 400, "invalid_account",
			"account \"a\\xff\" is not valid UTF-8 at byte 1"},
		{"GET", "/v1/graph/followers?account=" + strings.Repeat("x", 513), "", 400, "invalid_account", "account \"" +
			strings.Repeat("x", 80) + "\"... has 513 bytes, want at most 512"},
		{"GET", "/v1/graph/followers?account=%zz", "", 400, "invalid_request",
			"parameter \"account\": URL escape \"%zz\" is malformed"},
		{"GET", "/v1/graph/followers?%zz=1", "", 400, "invalid_request", "unknown parameter"},
		{"GET", "/v1/graph/followers?account=zoe", "", 404, "unknown_account", "unknown account \"zoe\""},
		{"GET", "/v1/graph/followers?acount=bob", "", 400, "invalid_request",
			"unknown parameter \"acount\"; known are: account, count, cursor, limit"},
		{"GET", "/v1/graph/followers?account=bob&Limit=1", "", 400, "invalid_request", "unknown parameter \"Limit\""},
		{"GET", "/v1/graph/followers?account=bob&account=alice", "", 400, "invalid_request",
			"parameter \"account\" is given more than once"},
		{"GET", "/v1/graph/followers?account=bob&limit=0", "", 400, "invalid_request",
			"parameter \"limit\" is \"0\", want 1 to 10000"},
		{"GET", "/v1/graph/followers?account=bob&limit=-1", "", 400, "invalid_request",
			"parameter \"limit\" is \"-1\""},
		{"GET", "/v1/graph/followers?account=bob&limit=10001", "", 400, "invalid_request",
			"parameter \"limit\" is \"10001\""},
		{"GET", "/v1/graph/followers?account=bob&limit=ten", "", 400, "invalid_request",
			"parameter \"limit\" is \"ten\""},
		{"GET", "/v1/graph/followers?account=bob&limit=", "", 400, "invalid_request", "parameter \"limit\" is \"\""},
		{"GET", "/v1/graph/followers?account=bob&limit=99999999999999999999", "", 400, "invalid_request",
			"parameter \"limit\" is"},
		{"GET", "/v1/graph/followers?account=bob&cursor=x", "", 400, "invalid_cursor",
			"cursor \"x\" is not one of this server"},
		{"GET", "/v1/graph/followers?account=bob&count=1", "", 400, "invalid_request",
			"parameter \"count\" is \"1\", want true or false"},
		{"GET", "/v1/graph/followers?account=bob&count=true&limit=5", "", 400, "invalid_request",
			"parameter \"count\" is given with"},
		{"GET", "/v1/graph/followers?account=bob&count=true&cursor=x", "", 400, "invalid_request",
			"parameter \"count\" is given with"},
		{"GET", "/v1/graph/following?account=zoe&count=true", "", 404, "unknown_account", "unknown account \"zoe\""},
		{"GET", "/v1/graph/mutuals?account=zoe", "", 404, "unknown_account", "unknown account \"zoe\""},
		{"GET", "/v1/graph/follows?account=alice", "", 400, "invalid_request", "parameter \"target\" is missing"},
		{"GET", "/v1/graph/follows?target=alice", "", 400, "invalid_request", "parameter \"account\" is missing"},
		{"GET", "/v1/graph/follows?account=alice&target=zoe", "", 404, "unknown_account", "unknown account \"zoe\""},
		{"GET", "/v1/graph/follows?account=zoe&target=alice", "", 404, "unknown_account", "unknown account \"zoe\""},
		{"GET", "/v1/graph/follows?account=alice&target=bob&limit=1", "", 400, "invalid_request",
			"unknown parameter \"limit\"; known are: account, target"},
		{"GET", "/v1/graph/follows-following?account=alice", "", 400, "invalid_request",
			"parameter \"target\" is missing"},
		{"GET", "/v1/graph/follows-following?account=alice&target=zoe", "", 404, "unknown_account",
			"unknown account \"zoe\""},
		{"GET", "/v1/graph/intersect-followers", "", 400, "invalid_request",
			"parameter \"account\" is missing, want it once for each account"},
		{"GET", "/v1/graph/intersect-followers?account=alice&account=zoe&account=yan", "", 404, "unknown_account",
			"unknown account \"zoe\""},
		{"GET", "/v1/graph/intersect-following?account=alice&account=", "", 400, "invalid_account",
			"account \"\" is empty"},

		{"POST", follow, "", 400, "invalid_request", "body is empty, want a JSON object"},
		{"POST", follow, "{", 400, "invalid_request", "body at byte 1: the JSON value is not complete"},
		{"POST", follow, `{"account":"alice","target":bob}`, 400, "invalid_request",
			"body at byte 28: malformed JSON: invalid character 'b'"},
		{"POST", follow, `{"account":"alice",}`, 400, "invalid_request", "body at byte 19: malformed JSON"},
		{"POST", follow, `{"account":"alice","target":"bob"} {}`, 400, "invalid_request",
			"body at byte 35: more text after the JSON value"},
		{"POST", follow, `{"account":"alice","target":"bob"}x`, 400, "invalid_request",
			"body at byte 34: more text after the JSON value"},
		{"POST", follow, `{"account":"actor_did","actor_did":"bob"}`, 400, "invalid_request",
			"body at byte 23: unknown member \"actor_did\""},
		{"POST", follow, `{"follows":[{"account":"a","target":"b"},{"account":"a","to":"b"}]}`, 400, "invalid_request",
			"body at byte 56: unknown member \"to\""},
		{"POST", follow, `{"account":7,"target":"bob"}`, 400, "invalid_request",
			"body at byte 11: member \"account\" is of type number, want string"},
		{"POST", follow, `[]`, 400, "invalid_request", "body at byte 0: the value is of type array, want object"},
		{"POST", follow, "{\"account\":\"a\xff\",\"target\":\"b\"}", 400, "invalid_request",
			"body at byte 13: not valid UTF-8"},
		{"POST", follow, `{}`, 400, "invalid_request", "body has neither"},
		{"POST", follow, `null`, 400, "invalid_request", "body has neither"},
		{"POST", follow, `{"account":"alice"}`, 400, "invalid_request", "member \"target\" is missing or empty"},
		{"POST", follow, `{"target":"alice"}`, 400, "invalid_request", "member \"account\" is missing or empty"},
		{"POST", follow, `{"account":"alice","target":"bob","follows":[]}`, 400, "invalid_request", "body has both"},
		{"POST", follow, `{"account":"a\u0000","target":"bob"}`, 400, "invalid_account",
			"account \"a\\x00\" has the control character U+0000 at byte 1 (account of follow 0"},
		{"POST", follow + "?account=alice&target=bob", `{}`, 400, "invalid_request",
			"parameters after the path, want all of them in the body"},
		{"POST", follow, big, 413, "body_too_large", "body has more than 1000 bytes"},
		{"POST", "/v1/graph/unfollow", `{"account":"zoe","target":"bob"}`, 404, "unknown_account",
			"unknown account \"zoe\""},
		{"POST", "/v1/graph/unfollow", `{"account":"alice","target":"zoe"}`, 404, "unknown_account",
			"unknown account \"zoe\""},

		{"GET", "/v1/query?q=all", "", 400, "invalid_request", "parameter \"index\" is missing"},
		{"GET", "/v1/query?index=accounts", "", 400, "invalid_request", "parameter \"q\" is missing"},
		{"GET", "/v1/query?index=accounts&q=", "", 400, "invalid_request", "\"q\" is missing or empty"},
		{"GET", "/v1/query?index=nowhere&q=all", "", 404, "unknown_index", "unknown index \"nowhere\""},
		{"GET", "/v1/query?index=accounts&q=likes(alice)", "", 400, "unknown_field", "unknown field \"likes\""},
		{"GET", "/v1/query?index=accounts&q=follows(alice)+and", "", 400, "invalid_query", "1:19: got "},
		{"GET", "/v1/query?index=accounts&q=all&answer=top", "", 400, "invalid_request",
			"\"answer\" is \"top\", want keys, ids, records, count or explain"},
		{"GET", "/v1/query?index=accounts&q=all&answer=count&limit=5", "", 400, "invalid_request",
			"\"answer\" is count, with"},
		{"GET", "/v1/query?index=accounts&q=all&limit=0", "", 400, "invalid_request", "parameter \"limit\" is \"0\""},
		{"GET", "/v1/query?index=accounts&q=all&cursor=!", "", 400, "invalid_cursor", "cursor \"!\""},
		{"POST", "/v1/query", `{"q":"all"}`, 400, "invalid_request", "\"index\" is missing or empty"},
		{"POST", "/v1/query", `{"index":"accounts"}`, 400, "invalid_request", "\"q\" is missing or empty"},
		{"POST", "/v1/query", `{"index":"accounts","q":"all","limit":10001}`, 400, "invalid_request",
			"\"limit\" is 10001, want 1 to 10000"},
		{"POST", "/v1/query", `{"index":"accounts","q":"all","limit":1.5}`, 400, "invalid_request",
			"body at byte 38: member \"limit\" is of type number 1.5, want integer, written without a point and an exponent"},
		{"POST", "/v1/query", `{"index":"accounts","q":"all","limit":9223372036854775808}`, 400, "invalid_request",
			"body at byte 38: member \"limit\" is of type number 9223372036854775808, want integer from " +
				"-9223372036854775808 to 9223372036854775807"},
		{"POST", "/v1/graph/lookup", `{"ids":[-1]}`, 400, "invalid_request",
			"body at byte 8: member \"ids\" is of type number -1, want integer from 0 to 18446744073709551615"},
		{"POST", "/v1/graph/lookup", `{"ids":[1.5]}`, 400, "invalid_request",
			"body at byte 8: member \"ids\" is of type number 1.5, want integer, written without a point and an exponent"},
		{"POST", "/v1/graph/lookup", `{"ids":["a"]}`, 400, "invalid_request",
			"body at byte 8: member \"ids\" is of type string, want integer from 0 to 18446744073709551615"},

		{"POST", "/v1/audience/save", `{"index":"people","name":"a","q":"all","follows":1}`, 400, "invalid_request",
			"body at byte 49: member \"follows\" is of type number, want boolean"},
		{"POST", "/v1/answers", `{"index":"accounts","q":"all","answers":[{"quantiles":[1e999]}]}`, 400, "invalid_request",
			"body at byte 55: member \"answers.quantiles\" is of type number 1e999, want number of at most 1.7e308"},
		{"POST", "/v1/answers", `{"index":"accounts","q":"all","answers":[{"quantiles":["x"]}]}`, 400, "invalid_request",
			"body at byte 55: member \"answers.quantiles\" is of type string, want number"},

		{"GET", "/healthz?verbose=1", "", 400, "invalid_request", "unknown parameter \"verbose\"; known are: none"},
		{"GET", "/console/none", "", 404, "unknown_path", "unknown path \"/console/none\""},
		{"GET", "/v1/graph/likes?account=a", "", 404, "unknown_path", "unknown path \"/v1/graph/likes\""},
		{"GET", "/v1/graph/followers/", "", 404, "unknown_path", "unknown path"},
		{"GET", "/v1//graph/followers?account=bob", "", 404, "unknown_path", "unknown path"},
		{"GET", "/v1/graph/../graph/followers?account=bob", "", 404, "unknown_path", "unknown path"},
		{"POST", "/v1/graph", "{}", 404, "unknown_path", "unknown path"},
		{"POST", "/v1/graph/followers", "{}", 405, "method_not_allowed", "this path has only the methods GET, HEAD"},
		{"DELETE", "/v1/query", "", 405, "method_not_allowed", "this path has only the methods GET, HEAD, POST"},
		{"GET", follow, "", 405, "method_not_allowed", "this path has only the methods POST"},
		{"PUT", follow, "{}", 405, "method_not_allowed", "this path has only the methods POST"},
		{"POST", "/metrics", "", 405, "method_not_allowed", "this path has only the methods GET, HEAD"},
		{"POST", "/healthz", "", 405, "method_not_allowed", "this path has only the methods GET, HEAD"},
	} {
		resp, body := s.do(c.method, c.path, c.body)
		want := fmt.Sprintf(`{"error":{"code":%q,"message":%s`, c.code,
			strings.TrimSuffix(string(api.AppendString(nil, c.message)), `"`))
		if resp.StatusCode != c.status || !strings.HasPrefix(body, want) || !strings.HasSuffix(body, "}}\n") {
			t.Errorf("%s %.100s %.100s\ngot  %d %swant %d %s", c.method, c.path, c.body, resp.StatusCode, body,
				c.status, want)
		}
		if resp.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%s %s: got content type %q", c.method, c.path, resp.Header.Get("Content-Type"))
		}
		if allow := resp.Header.Get("Allow"); c.status == 405 && !strings.HasSuffix(c.message, "methods "+allow) {
			t.Errorf("%s %s: got Allow %q", c.method, c.path, allow)
		}
	}
	// Nothing of all this was written.
	s.check("GET", "/v1/query?index=accounts&q=all&answer=count", "", 200, `{"count":5}`)
}

func TestOffsets(t *testing.T) {
	s := newSite(t, nil)
	for _, c := range []struct{ method, path, body, want string }{
		{"GET", "/v1/query?index=accounts&q=all+and+)", "", `"offset":8,"reason":"syntax"}}`},
		{"GET", "/v1/query?index=accounts&q=)", "", `"offset":0,"reason":"syntax"}}`},
		{"POST", "/v1/graph/follow", "{x", `"offset":1}}`},
		{"POST", "/v1/graph/follow", "x", `"offset":0}}`},
	} {
		if _, body := s.do(c.method, c.path, c.body); !strings.HasSuffix(body, c.want+"\n") {
			t.Errorf("%s %s %s: got %s, want it to end in %s", c.method, c.path, c.body, body, c.want)
		}
	}
}

func TestOnlyJSONBodies(t *testing.T) {
	s := newSite(t, nil)
	const body = `{"account":"alice","target":"bob"}`
	for _, c := range []struct {
		name, value string
		status      int
	}{
		{"Content-Type", "application/json", 200},
		{"Content-Type", "Application/JSON;charset=utf-8", 200},
		{"Content-Type", "application/x-www-form-urlencoded", 415},
		{"Content-Type", "text/plain", 415},
		{"Content-Type", "application/json; charset=latin1", 415},
		{"Content-Type", "application/json;", 200},
		{"Content-Type", "", 415},
		{"Content-Type", ";;", 415},
		{"Content-Encoding", "br", 415},
		{"Content-Encoding", "identity", 200},
	} {
		resp, got := s.do("POST", "/v1/graph/follow", body, c.name, c.value)
		if resp.StatusCode != c.status || c.status == 415 && !strings.Contains(got, `"code":"unsupported_media_type"`) {
			t.Errorf("%s %q: got %d %s, want %d", c.name, c.value, resp.StatusCode, got, c.status)
		}
	}
}
