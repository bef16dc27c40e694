// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"mime/multipart"
	"net"
	"net/textproto"
	"strings"
	"testing"
	"time"
)

const importPath = "/v1/graph/import"

// gzipped returns what gzip makes of a text.
func gzipped(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = io.WriteString(w, text)
	_ = w.Close()
	return b.String()
}

// partsOf returns a body of several lists, "name", "list" each, and its media type.
func partsOf(t *testing.T, lists ...string) (body, media string) {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for i := 0; i < len(lists); i += 2 {
		part, err := w.CreatePart(textproto.MIMEHeader{"Content-Disposition": {fmt.Sprintf("attachment; filename=%q",
			lists[i])}})
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(part, lists[i+1])
	}
	_ = w.Close()
	return b.String(), "multipart/mixed; boundary=" + w.Boundary()
}

func (s *site) follows(want string) {
	s.t.Helper()
	for word := range strings.FieldsSeq(want) {
		account, target, yes := strings.Cut(word, ">")
		if !yes {
			account, target, _ = strings.Cut(word, "|")
		}
		if got, err := s.graph.Follows(s.t.Context(), account, target); err != nil && yes || got != yes {
			s.t.Errorf("%s: got %t, %v", word, got, err)
		}
	}
}

// TestImport imports lists in each form over HTTP.
func TestImport(t *testing.T) {
	s := newSite(t, nil)
	s.follow("alice>bob")
	parts, partsMedia := partsOf(t, "one.csv", "eve,bob\nonly\n", "two.gz", gzipped("fay\tbob\n\tx\ngus\tbob\n"))
	long, longMedia := partsOf(t, strings.Repeat("n", 100_000), "eve,bob\nonly\n")
	for _, c := range []struct{ media, query, body, want string }{
		{"text/csv", "", "alice,carol\nbob,alice\n", `{"follows":2,"lines":2,"bad":0,"bad_lines":[]}`},
		{"application/gzip", "", gzipped("did:a did:b\n"), `{"follows":1,"lines":1,"bad":0,"bad_lines":[]}`},
		{"application/x-ndjson", "?separator=json&cluster=true", `{"actor_did":"x","target_did":"y"}` + "\n",
			`{"follows":1,"lines":1,"bad":0,"bad_lines":[]}`},
		{"text/tab-separated-values; charset=utf-8", "?header=yes", "account\ttarget\nz\ty\n",
			`{"follows":1,"lines":2,"bad":0,"bad_lines":[],"headers":["account\ttarget"]}`},
		{"text/csv", "", "user_id,friend_id\nk,l\n",
			`{"follows":1,"lines":2,"bad":0,"bad_lines":[],"headers":["user_id,friend_id"]}`},
		{partsMedia, "", parts,
			`{"follows":3,"lines":5,"bad":2,"bad_lines":["one.csv: line 2: \"only\": want 2 columns separated by comma, got 1","two.gz: line 2: \"\\tx\": account \"\" is empty"]}`},
		{longMedia, "", long, `{"follows":1,"lines":2,"bad":1,"bad_lines":["` + strings.Repeat("n", 255) +
			`: line 2: \"only\": want 2 columns separated by comma, got 1"]}`},
		{"application/octet-stream", "", "", `{"follows":0,"lines":0,"bad":0,"bad_lines":[]}`},
	} {
		resp, got := s.do("POST", importPath+c.query, c.body, "Content-Type", c.media)
		if resp.StatusCode != 200 || got != c.want+"\n" {
			t.Errorf("%s%s: got %d %s want %s", c.media, c.query, resp.StatusCode, got, c.want)
		}
	}
	s.follows("alice>bob alice>carol bob>alice did:a>did:b x>y z>y eve>bob fay>bob gus>bob account|target k>l " +
		"user_id|friend_id")
}

// TestImportRefused sends what is no import: nothing of it is imported.
func TestImportRefused(t *testing.T) {
	s := newSite(t, nil)
	s.follow("alice>bob")
	bad, partsMedia := partsOf(t, "a.csv", "never,bob\n", "b.csv", "never,carol\n,\n")
	cut := gzipped(strings.Repeat("never,bob\n", 1000))
	for _, c := range []struct {
		media, query, body string
		status             int
		want               string
	}{
		{"application/json", "", "{}", 415, "unsupported_media_type"},
		{"application/x-www-form-urlencoded", "", "never,bob", 415, "unsupported_media_type"},
		{"multipart/mixed", "", bad, 415, "boundary"},
		{"text/csv", "?separator=comm", "never,bob", 400, "separator"},
		{"text/csv", "?header=maybe", "never,bob", 400, "header"},
		{"text/csv", "?stict=true", "never,bob", 400, "stict"},
		{"text/csv", "?strict=true", "never,bob\nbob\n", 400, "line 2"},
		{"text/csv", "", "never\n", 400, "got 1 bad of 1 line, want at most 90%: line 1: \\\"never\\\": want 2 " +
			"columns separated by tab, got 1; nothing was imported"},
		{"text/csv", "?bad=0", "never,bob\nbob\n", 400, "got 1 bad of 2 lines, want at most 0%"},
		{"text/csv", "?bad=5", "never,bob\n", 400, "parameter \\\"bad\\\""},
		{"text/csv", "", "user_id,bob\nnever,bob\n", 400, "the first line may name the columns, or be a follow"},
		{partsMedia, "?strict=true", bad, 400, "b.csv: line 2"},
		{partsMedia, "", bad[:len(bad)-10], 400, "nothing was imported"},
		{partsMedia, "", "never,bob\n", 400, "nothing was imported"},
		{"application/gzip", "", cut[:len(cut)/2], 400, "nothing was imported"},
	} {
		resp, got := s.do("POST", importPath+c.query, c.body, "Content-Type", c.media)
		if resp.StatusCode != c.status || !strings.Contains(got, c.want) {
			t.Errorf("%s%s %.30q: got %d %s want %d %q", c.media, c.query, c.body, resp.StatusCode, got, c.status,
				c.want)
		}
	}
	if resp, got := s.do("POST", importPath, "never,bob", "Content-Type", "text/csv", "Content-Encoding",
		"br"); resp.StatusCode != 415 {
		t.Errorf("Content-Encoding: got %d %s", resp.StatusCode, got)
	}
	// Bodies that break off, also between two chunks, and a text whose end would not show.
	for _, raw := range []string{
		"Content-Type: text/csv\r\nContent-Length: 100\r\n\r\nnever,bob\n",
		"Content-Type: text/csv\r\nTransfer-Encoding: chunked\r\n\r\na\r\nnever,bob\n\r\n0\r\n\r\n",
		"Content-Type: " + partsMedia + "\r\nTransfer-Encoding: chunked\r\n\r\n" +
			fmt.Sprintf("%x\r\n%s\r\n", len(bad)/2, bad[:len(bad)/2]),
	} {
		conn, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(conn, "POST "+importPath+" HTTP/1.1\r\nHost: x\r\n"+raw)
		_ = conn.(*net.TCPConn).CloseWrite()
		answer, _ := io.ReadAll(conn)
		_ = conn.Close()
		if !bytes.HasPrefix(answer, []byte("HTTP/1.1 400")) {
			t.Errorf("%.60q: got %q", raw, answer)
		}
	}
	s.follows("alice>bob never|bob never|carol")
}

// TestImportBesideOthers holds an import up in its midst: reads and writes go on, another import is
// refused, nothing of it is visible until its end, and a client who goes leaves nothing.
func TestImportBesideOthers(t *testing.T) {
	s := newSite(t, nil)
	s.follow("alice>bob")
	for _, whole := range []bool{false, true} {
		part, end := s.beginImport(importPath)
		_, _ = io.WriteString(part, "eve,bob\nfay,bob\n")
		for range 400 { // more than the connection holds: the import has begun
			_, _ = io.WriteString(part, "#"+strings.Repeat(" ", 60_000)+"\n")
		}
		if resp, got := s.do("POST", importPath, "gus,bob\n", "Content-Type", "text/csv"); resp.StatusCode != 503 {
			t.Errorf("beside an import: got %d %s, want 503", resp.StatusCode, got)
		}
		if resp, got := s.do("POST", "/v1/graph/follow",
			`{"follows":[{"account":"hal","target":"bob"}]}`); resp.StatusCode != 200 {
			t.Errorf("beside an import: got %d %s, want 200", resp.StatusCode, got)
		}
		s.follows("alice>bob hal>bob eve|bob")
		if whole {
			if got := end(true); got != 200 {
				t.Errorf("got status %d, want 200", got)
			}
			s.follows("alice>bob hal>bob eve>bob fay>bob")
		} else {
			end(false)
			for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(10 * time.Millisecond) {
				if resp, _ := s.do("POST", importPath, "ida,bob\n", "Content-Type",
					"text/csv"); resp.StatusCode == 200 {
					break
				}
				if time.Now().After(deadline) {
					t.Fatal("got 503 after an import whose client went, want 200")
				}
			}
			s.follows("ida>bob eve|bob fay|bob")
		}
	}
}

// TestImportStopped stops a server in the midst of an import: newSite fails the test when it waits
// for it.
func TestImportStopped(t *testing.T) {
	s := newSite(t, nil)
	part, _ := s.beginImport(importPath)
	for range 400 { // more than the connection holds: the import has begun
		_, _ = io.WriteString(part, "#"+strings.Repeat(" ", 60_000)+"\n")
	}
}
