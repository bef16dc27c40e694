// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server_test

import (
	"context"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestCatalogImportWhileSearching replaces a catalog again and again while it is asked in every
// way: each answer is about one set of records and no mixture of two, and none fails.
func TestCatalogImportWhileSearching(t *testing.T) {
	s := newSite(t, nil)
	s.contract = nil // which is not made for many at a time
	keys := make([]string, 500)
	for i := range keys {
		keys[i] = fmt.Sprint("k", i)
	}
	sets := []string{"red", "green", "blue"}
	s.addColours(sets[0], keys...)
	stop := make(chan struct{})
	var wg sync.WaitGroup
	seen := make(map[string]int)
	var mu sync.Mutex
	ask := func(path, body string, read func(text string) string) {
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				resp, text := s.do("POST", path, body)
				got := read(text)
				mu.Lock()
				seen[got]++
				mu.Unlock()
				if resp.StatusCode != 200 || !slices.Contains(sets, got) {
					t.Errorf("%s: got %d %s, %.300s, want records of one of the sets", path, resp.StatusCode, got, text)
					return
				}
			}
		})
	}
	// one returns the only of the colours that a text speaks of.
	one := func(text string) (colour string) {
		for _, c := range sets {
			if strings.Contains(text, c) {
				colour += c
			}
		}
		return colour
	}
	ask("/v1/catalog/search", `{"catalog":"c","searches":[{},{},{}],"limit":500,"show":["colour"],"brief":true}`, one)
	ask("/v1/catalog/sorted", `{"catalog":"c","by":"colour","limit":500,"show":["colour"]}`, one)
	ask("/v1/catalog/facets", `{"catalog":"c"}`, func(text string) string {
		if colour := one(text); strings.Contains(text,
			fmt.Sprintf(`{"count":500,"facets":[{"attribute":"colour","values":[{"value":%q,"count":500}]}`, colour)) {
			return colour
		}
		return "no set"
	})
	ask("/v1/query", `{"index":"c","q":"colour = red or colour = green or colour = blue","answer":"count"}`,
		func(text string) string {
			if text == `{"count":500}`+"\n" {
				return sets[0]
			}
			return "no set"
		})
	for i := range 30 {
		set := sets[i%len(sets)]
		if i%3 == 0 {
			s.addColours(set, keys...) // with a schema
		} else if resp, got := s.do("POST", catalogImportPath+"?catalog=c", colours(set, keys...), "Content-Type",
			"text/csv"); resp.StatusCode != 200 {
			t.Errorf("got %d %s", resp.StatusCode, got)
		}
		for i < len(sets) && !t.Failed() { // until somebody has met them
			mu.Lock()
			met := seen[set] > 0
			mu.Unlock()
			if met {
				break
			}
			time.Sleep(time.Millisecond)
		}
	}
	close(stop)
	wg.Wait()
	if len(seen) != len(sets) {
		t.Errorf("got answers about %v, want all sets seen", seen)
	}
}

// TestCatalogImportBesideOthers holds an import up in its midst: searches and writes go on with the
// records that there are, another import is refused, and a client who goes leaves nothing.
func TestCatalogImportBesideOthers(t *testing.T) {
	s := newSite(t, nil)
	s.addColours("red", "a")
	for _, whole := range []bool{false, true} {
		part, end := s.beginImport(catalogImportPath + "?catalog=c&bad=99.9%25")
		_, _ = io.WriteString(part, "id,colour\nb,blue\n")
		for range 400 { // more than the connection holds: the import has begun
			_, _ = io.WriteString(part, strings.Repeat("x", 60_000)+"\n")
		}
		for _, path := range []string{catalogImportPath + "?catalog=c", catalogImportPath + "?catalog=d", importPath} {
			if resp, got := s.do("POST", path, colours("green", "c"), "Content-Type",
				"text/csv"); resp.StatusCode != 503 || !strings.Contains(got, "another import is under way") {
				t.Errorf("%s beside an import: got %d %s, want 503", path, resp.StatusCode, got)
			}
		}
		if resp, got := s.do("POST", "/v1/catalog/write",
			`{"catalog":"c","put":[{"key":"w","has":{"colour":"white"}}]}`); resp.StatusCode != 200 {
			t.Errorf("beside an import: got %d %s, want 200", resp.StatusCode, got)
		}
		s.records("c", `"colour"`, "a:red w:white")
		if whole {
			if got := end(true); got != 200 {
				t.Errorf("got status %d, want 200", got)
			}
			s.records("c", `"colour"`, "b:blue") // what was written meanwhile is replaced too
			continue
		}
		end(false)
		for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(10 * time.Millisecond) {
			if resp, _ := s.do("POST", catalogImportPath+"?catalog=d", "", "Content-Type",
				"text/csv"); resp.StatusCode == 404 {
				break // another import is taken, to find that there is no such catalog
			}
			if time.Now().After(deadline) {
				t.Fatal("got 503 after an import whose client went")
			}
		}
		s.records("c", `"colour"`, "a:red w:white")
	}
	if indexes := s.db.Indexes(); len(indexes) != 2 {
		t.Errorf("got the indexes %v, want nothing left of the import that was given up", indexes)
	}
}

// TestCatalogImportStopped stops a server in the midst of an import: newSite fails the test when it
// waits for it.
func TestCatalogImportStopped(t *testing.T) {
	s := newSite(t, nil)
	s.addColours("red", "a")
	part, _ := s.beginImport(catalogImportPath + "?catalog=c")
	_, _ = io.WriteString(part, "id,colour\nb,blue\n")
	for range 400 {
		_, _ = io.WriteString(part, strings.Repeat("x", 60_000)+"\n")
	}
}

// beginImport begins to send an import of one part. end ends it as it should be, or goes away, and
// returns the status of the answer; 0: there is none.
func (s *site) beginImport(path string) (part io.Writer, end func(whole bool) int) {
	s.t.Helper()
	in, out := io.Pipe()
	ctx, leave := context.WithCancel(s.t.Context())
	req, err := http.NewRequestWithContext(ctx, "POST", s.url+path, in)
	if err != nil {
		s.t.Fatal(err)
	}
	w := multipart.NewWriter(out)
	req.Header.Set("Content-Type", "multipart/mixed; boundary="+w.Boundary())
	status := make(chan int, 1)
	go func() {
		resp, err := http.DefaultTransport.RoundTrip(req)
		if err != nil {
			status <- 0
			return
		}
		_ = resp.Body.Close()
		status <- resp.StatusCode
	}()
	s.t.Cleanup(func() { _ = out.Close() })
	if part, err = w.CreatePart(nil); err != nil {
		s.t.Fatal(err)
	}
	return part, func(whole bool) int {
		defer leave()
		if whole {
			_ = w.Close()
			_ = out.Close()
		} else {
			leave()
			_ = out.CloseWithError(context.Canceled)
		}
		return <-status
	}
}
