// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
)

// A largeAnswer is a request whose answer is about as large as it may be.
type largeAnswer struct{ name, method, path, body string }

// largeAnswers returns requests for the largest answers of every kind about the database that
// fillLarge makes.
func largeAnswers() []largeAnswer {
	const all = "index=accounts&limit=10000&q="
	query := "/v1/query?" + all + url.QueryEscape("follows(star)")
	calls, questions := make([]string, api.MaxCalls), make([]api.Question, 1)
	for i := range calls {
		calls[i] = "/v1/graph/following?account=star&limit=10000"
	}
	for i := range questions {
		questions[i] = api.Question{Name: fmt.Sprint(i), Answer: api.AnswerSample, Limit: api.MaxLimit}
	}
	batch, _ := json.Marshal(api.BatchRequest{Calls: calls})
	answers, _ := json.Marshal(api.AnswersRequest{Index: "accounts", Query: json.RawMessage(`"follows(star)"`),
		Answers: questions})
	var ids []uint64
	for id := range 10_000 {
		ids = append(ids, uint64(id))
	}
	lookup, _ := json.Marshal(api.LookupRequest{IDs: ids})
	return []largeAnswer{
		{"batch", "POST", "/v1/batch", string(batch)},
		{"keys", "GET", query, ""},
		{"ids", "GET", query + "&answer=ids", ""},
		{"answers", "POST", "/v1/answers", string(answers)},
		{"lookup", "POST", "/v1/graph/lookup", string(lookup)},
		{"changes", "GET", "/v1/changes?index=accounts&after=0&limit=10000", ""},
		{"graphd", "GET", "/following?did=star", ""},
		{"backup", "GET", "/v1/backup", ""},
	}
}

// fillLarge makes accounts with long keys which star follows.
func fillLarge(t *testing.T, url string) {
	t.Helper()
	for from := 0; from < 12_000; from += 1000 {
		var batch api.FollowRequest
		for i := from; i < from+1000; i++ {
			batch.Follows = append(batch.Follows, api.Follow{Account: "star",
				Target: fmt.Sprintf("did:plc:%07d%s", i, strings.Repeat("abcdefgh", 12))})
		}
		body, err := json.Marshal(batch)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := http.Post(url+"/v1/graph/follow", "application/json", strings.NewReader(string(body)))
		if err != nil {
			t.Fatal(err)
		}
		if text, _ := io.ReadAll(resp.Body); resp.StatusCode != 200 {
			t.Fatalf("got %s: %s", resp.Status, text)
		}
		resp.Body.Close()
	}
}

// TestAnswerMemory checks that a server keeps to --memory. Many clients ask for the largest
// answers, and some take them slowly. What cannot be answered now is 503 with Retry-After.
// UPROAR_ANSWERS=20s makes it that long for each of more clients and memory.
func TestAnswerMemory(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector takes several times the memory of the program")
	}
	long, clients, sizes := 3*time.Second, []int{16}, []string{"64MiB"}
	if text := os.Getenv("UPROAR_ANSWERS"); text != "" {
		var err error
		if long, err = time.ParseDuration(text); err != nil {
			t.Fatal(err)
		}
		clients, sizes = []int{16, 256}, []string{"64MiB", "256MiB", "2GiB"}
	}
	for _, size := range sizes {
		for _, n := range clients {
			t.Run(fmt.Sprintf("%s/%d", size, n), func(t *testing.T) { askForLarge(t, size, n, long) })
		}
	}
}

func askForLarge(t *testing.T, size string, clients int, long time.Duration) {
	var limit terminal.ByteSize
	if err := limit.UnmarshalText([]byte(size)); err != nil {
		t.Fatal(err)
	}
	cmd, url := startServer(t, filepath.Join(t.TempDir(), "db"), "--memory", size, "--graphd")
	if _, ok := anonymousMemory(t, cmd.Process.Pid); !ok {
		t.Skip("this system does not say how much memory a process has")
	}
	fillLarge(t, url)
	greatest := new(atomic.Int64)
	done := make(chan struct{})
	var sampler, asking sync.WaitGroup
	sampler.Go(func() {
		for {
			if n, _ := anonymousMemory(t, cmd.Process.Pid); n > greatest.Load() {
				greatest.Store(n)
			}
			select {
			case <-done:
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
	})
	for _, ask := range largeAnswers() {
		if only := os.Getenv("UPROAR_ONLY"); only != "" && only != ask.name { // to find what takes most
			continue
		}
		var answered, refused, bytes atomic.Int64
		until := time.Now().Add(long)
		for w := range clients {
			asking.Go(func() {
				client := &http.Client{Transport: &http.Transport{DisableCompression: true}}
				defer client.CloseIdleConnections()
				for time.Now().Before(until) {
					req, err := http.NewRequestWithContext(t.Context(), ask.method, url+ask.path,
						strings.NewReader(ask.body))
					if err != nil {
						t.Error(err)
						return
					}
					if ask.method == "POST" {
						req.Header.Set("Content-Type", "application/json")
					}
					resp, err := client.Do(req)
					if err != nil { // a connection that was refused may be reset before its answer is read
						refused.Add(1)
						time.Sleep(10 * time.Millisecond)
						continue
					}
					if w%4 == 0 {
						time.Sleep(100 * time.Millisecond) // with an answer that is not taken
					}
					n, err := io.Copy(io.Discard, resp.Body)
					resp.Body.Close()
					switch {
					case err == nil && resp.StatusCode == 200:
						answered.Add(1)
						bytes.Add(n)
					case resp.StatusCode == 503 && resp.Header.Get("Retry-After") != "":
						refused.Add(1)
						time.Sleep(10 * time.Millisecond)
					default:
						t.Errorf("%s: got %s, %v", ask.name, resp.Status, err)
						return
					}
				}
			})
		}
		asking.Wait()
		most := greatest.Swap(0)
		t.Logf("%-8s %5d answers of %6d KiB, %5d refused, %4d MiB of memory at most", ask.name, answered.Load(),
			bytes.Load()/max(answered.Load(), 1)>>10, refused.Load(), most>>20)
		if most > int64(limit) {
			t.Errorf("%s: got %d MiB of memory taken, want at most %s", ask.name, most>>20, size)
		}
		if answered.Load() == 0 {
			t.Errorf("%s: none of %d was answered", ask.name, refused.Load())
		}
	}
	close(done)
	sampler.Wait()
}
