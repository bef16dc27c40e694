// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server_test

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/uproar-db/uproar/server"
)

// TestSecretsInLog: whatever is logged, no token stands there, wherever a client has put it.
func TestSecretsInLog(t *testing.T) {
	const secret = "SECRETSECRETSECRET"
	log := new(lockedBuffer)
	tokens := new(server.Tokens)
	if err := tokens.Read(strings.NewReader("write w " + secret + "\n")); err != nil {
		t.Fatal(err)
	}
	s := newSite(t, &server.Options{Tokens: tokens, Paths: server.Paths{GraphD: true},
		Requests: server.RequestLog{Every: 1},
		Logger:   slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))})
	for _, query := range []string{"token=" + secret, "%74oken=" + secret, "access_token=" + secret + "&account=a",
		"account=a&Token=" + secret, "api_key=" + secret, secret, secret + "=", "account=a&" + secret, "x&y=" + secret,
		"=" + secret, "tokens=" + strings.Repeat(secret, 100)} {
		for _, path := range []string{"/v1/graph/followers", "/nowhere", "/followers", "/metrics", "/v1/backup"} {
			for _, header := range []string{"Authorization", "X-Token", "Cookie", "Proxy-Authorization"} {
				s.do("GET", path+"?"+query, "", header, "Bearer "+secret)
			}
		}
	}
	for _, path := range []string{"/" + secret, "/v1/graph/followers/" + secret, "/v1/" + secret + "/x",
		"/%53ECRETSECRETSECRET", "//" + secret} {
		s.do("GET", path, "")
		s.do(secret, path, "")
	}
	s.do(secret, "/healthz", "")
	for _, broken := range []string{"GET / HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + secret +
		"\r\nbad line\r\n\r\n", "GET /?token=" + secret + " HTTP/9.9\r\nAuthorization: " + secret + "\r\n\r\n",
		"POST /v1/query HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\nAuthorization: " + secret + "\r\n\r\n",
		"GET /" + strings.Repeat("x", 70<<10) + " HTTP/1.1\r\nAuthorization: " + secret + "\r\n\r\n"} {
		conn, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(conn, broken)
		_ = conn.SetReadDeadline(time.Now().Add(2 * time.Second))
		_, _ = io.ReadAll(conn)
		conn.Close()
	}
	if text := log.String(); strings.Contains(text, secret[1:]) || !strings.Contains(text,
		"path=/v1/graph/followers/*** ") || !strings.Contains(text, "token=***") ||
		!strings.Contains(text, "account=a") {
		for _, line := range grep(text, secret[1:]) {
			t.Errorf("the log has %.300s", line)
		}
		t.Errorf("the log has %d bytes", len(text))
	}
}

// TestLongTexts: of what a client has sent an error repeats little, wherever it stood.
func TestLongTexts(t *testing.T) {
	s := newSite(t, &server.Options{Paths: server.Paths{GraphD: true}, Logger: slog.New(slog.DiscardHandler)})
	s.contract = nil // which would take a while
	s.follow("a>b")
	s.addPeople()
	s.addDiscounts()
	digits, word := strings.Repeat("1", 1<<20), strings.Repeat("x", 1<<20)
	quoted := func(text string) string { b, _ := json.Marshal(text); return string(b) }
	for _, c := range []struct{ path, body string }{
		{"/v1/query", `{"index":"accounts","q":"all","limit":` + digits + `}`},
		{"/v1/query", `{"index":"accounts","q":"all","limit":"` + word + `"}`},
		{"/v1/query", `{"index":"accounts","q":"all","cursor":"` + word + `"}`},
		{"/v1/query", `{"index":"` + word + `","q":"all"}`}, {"/v1/query", `{"index":"people","q":"` + word + ` = 1"}`},
		{"/v1/query", `{"index":"people","q":"follows(` + word + `)"}`},
		{"/v1/query", `{"index":"people","q":"age > ` + digits + `"}`},
		{"/v1/query", `{"index":"people","q":"age = ` + word + `"}`}, {"/v1/query", `{"index":"people","q":"` + word +
			`"}`}, {"/v1/query", `{"index":"people","q":"saved(` + word + `)"}`},
		{"/v1/query", `{"index":"people","q":` + quoted(`"`+word) + `}`},
		{"/v1/query", `{"` + word + `":1}`}, {"/v1/query", `{"index":"accounts","q":"all","answer":"` + word + `"}`},
		{"/v1/query", word}, {"/v1/query", `{"index":` + digits + `}`},
		{"/v1/graph/follow", `{"account":"` + word + `","target":"b"}`},
		{"/v1/graph/unfollow", `{"account":"` + word[:60_000] + `","target":"b"}`},
		{"/v1/graph/lookup", `{"ids":[` + digits + `]}`}, {"/v1/graph/write", `{"changes":[{"op":"` + word + `"}]}`},
		{"/v1/answers", `{"index":"people","q":"all","answers":[{"name":"` + word + `","answer":"no"}]}`},
		{"/v1/answers", `{"index":"people","q":"all","answers":[{"name":"a","answer":"top","field":"` + word + `"}]}`},
		{"/v1/answers", `{"index":"people","q":{"field":"` + word +
			`","value":"a"},"answers":[{"name":"a","answer":"count"}]}`},
		{"/v1/answers", `{"index":"people","q":{"` + word + `":"a"},"answers":[{"name":"a","answer":"count"}]}`},
		{"/v1/fields", `{"index":"people","drop":["` + word + `"]}`}, {"/v1/fields",
			`{"index":"people","add":[{"name":"` + word + `","type":"set"}]}`},
		{"/v1/fields", `{"index":"people","add":[{"name":"a","type":"` + word + `"}]}`},
		{"/v1/save", `{"index":"people","name":"` + word + `","q":"all"}`},
		{"/v1/audience/forget", `{"index":"people","name":"` + word + `"}`},
		{"/v1/batch", `{"calls":["` + word + `"]}`}, {"/v1/batch", `{"calls":["/v1/query?index=people&q=` + word +
			`"]}`},
		{"/v1/catalog/search", `{"catalog":"` + word + `","searches":[{}]}`},
		{"/v1/catalog/search", `{"catalog":"discounts","searches":[{"` + word + `":"1"}]}`},
		{"/v1/catalog/search", `{"catalog":"discounts","searches":[{"quantity":"` + word + `"}]}`},
		{"/v1/catalog/search", `{"catalog":"discounts","searches":[{"day":"` + word + `"}],"show":["` + word + `"]}`},
		{"/v1/catalog/sorted", `{"catalog":"discounts","by":"` + word + `"}`},
		{"/v1/catalog/write", `{"catalog":"discounts","put":[{"key":"` + word + `","has":{"no":"1"}}]}`},
		{"/follow", `{"actorDid":"` + word + `","subjectDid":"` + word + `"}`},
	} {
		start := time.Now()
		resp, text := s.do("POST", c.path, c.body)
		if resp.StatusCode < 400 && !strings.Contains(text, "error") || resp.StatusCode >= 500 || len(text) > 4500 ||
			strings.Contains(text, word[:4200]) {
			t.Errorf("POST %s %.60s: got %d and %d bytes: %.200s", c.path, c.body, resp.StatusCode, len(text), text)
		}
		if took := time.Since(start); took > 10*time.Second {
			t.Errorf("POST %s %.60s took %v", c.path, c.body, took)
		}
	}
	long := word[:40_000]
	for _, path := range []string{"/v1/graph/followers?account=" + long, "/v1/graph/followers?account=a&limit=" +
		digits[:40_000], "/v1/graph/followers?account=a&cursor=" + long, "/v1/graph/followers?" + long + "=1", "/" +
		long, "/v1/" + long,
		"/v1/changes?index=" + long + "&after=1", "/v1/changes?index=accounts&after=" + digits[:40_000],
		"/v1/changes?index=accounts&after=0&wait=" + long, "/v1/audience/size?index=people&q=" + long,
		"/followers?did=" + long, "/v1/graph/similar?account=a&by=" + long} {
		if resp, text := s.do("GET", path, ""); resp.StatusCode >= 500 || len(text) > 4500 {
			t.Errorf("GET %.60s: got %d and %d bytes: %.200s", path, resp.StatusCode, len(text), text)
		}
	}
	for _, header := range []string{"Content-Type", "Content-Encoding", "Origin", "Host", "Authorization",
		"X-Forwarded-For", "Accept-Encoding"} {
		for _, path := range []string{"/v1/query", "/v1/backup", "/v1/graph/import"} {
			if status, _, text := raw(t, s.url, fmt.Sprintf("POST %s HTTP/1.1\r\n%s: %s\r\n%sContent-Length: "+
				"2\r\nConnection: close\r\n\r\n{}", path, header, long,
				map[bool]string{true: "", false: "Host: localhost\r\n"}[header == "Host"])); status >= 500 ||
				len(text) > 4500 {
				t.Errorf("POST %s with a long %s: got %d and %d bytes: %.200s", path, header, status, len(text), text)
			}
		}
	}
}
