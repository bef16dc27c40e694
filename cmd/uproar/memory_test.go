// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/cmd/uproar/database"
)

// raceEnabled is set by a file with a build tag.
var raceEnabled = false

// anonymousMemory returns how much memory of its own a process has, in bytes: pages of files that
// it has mapped are not among it. ok is false on systems that do not say.
func anonymousMemory(t *testing.T, pid int) (bytes int64, ok bool) {
	t.Helper()
	f, err := os.Open(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, false
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if text, found := strings.CutPrefix(lines.Text(), "RssAnon:"); found {
			n, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(text), "kB")), 10, 64)
			return n << 10, err == nil
		}
	}
	return 0, false
}

// TestServerMemory: a server that is written to and asked as fast as it can keeps to --memory.
func TestServerMemory(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector takes several times the memory of the program")
	}
	for _, engine := range []string{database.Bbolt, database.Pebble} {
		t.Run(engine, func(t *testing.T) { testServerMemory(t, engine) })
	}
}

func testServerMemory(t *testing.T, engine string) {
	const limit = 64 << 20
	enough := 8 << 20 // bytes of requests, after which a server without a bound would hold several times that
	if testing.Short() {
		enough = 2 << 20
	}
	cmd, url := startServer(t, filepath.Join(t.TempDir(), "db"), "--memory", "64MiB",
		"--store", engine)
	if _, ok := anonymousMemory(t, cmd.Process.Pid); !ok {
		t.Skip("this system does not say how much memory a process has")
	}
	var clients sync.WaitGroup
	call := func(method, url string, body []byte) {
		req, err := http.NewRequestWithContext(t.Context(), method, url, bytes.NewReader(body))
		if err != nil {
			t.Error(err)
			return
		}
		req.Header.Set("Content-Type", "application/json")
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Error(err)
			return
		}
		defer resp.Body.Close()
		answer, err := io.ReadAll(resp.Body)
		if err != nil || resp.StatusCode != http.StatusOK && resp.StatusCode != http.StatusNotFound {
			t.Errorf("%s %s: got %s: %.300s", method, url, resp.Status, answer)
		}
	}
	var greatest int64
	done := make(chan struct{})
	var sampler sync.WaitGroup
	sampler.Go(func() {
		for {
			n, _ := anonymousMemory(t, cmd.Process.Pid)
			greatest = max(greatest, n)
			select {
			case <-done:
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
	})
	for w := range 4 {
		clients.Go(func() {
			r := rand.New(rand.NewPCG(uint64(w), 71))
			for sent := 0; sent < enough; {
				var batch api.FollowRequest
				for range 1000 {
					batch.Follows = append(batch.Follows, api.Follow{Account: fmt.Sprint("account ", r.IntN(20_000)),
						Target: fmt.Sprint("account ", r.IntN(20_000))})
				}
				body, err := json.Marshal(batch)
				if err != nil {
					t.Error(err)
					return
				}
				sent += len(body)
				call(http.MethodPost, url+"/v1/graph/follow", body)
				for range 10 {
					call(http.MethodGet, fmt.Sprintf("%s/v1/graph/followers?limit=100&account=account+%d", url,
						r.IntN(20_000)), nil)
				}
			}
		})
	}
	clients.Wait()
	close(done)
	sampler.Wait()
	t.Logf("%d MiB of memory at most, of %d", greatest>>20, limit>>20)
	if greatest > limit {
		t.Errorf("got %d bytes of memory taken, want at most %d", greatest, limit)
	}
}
