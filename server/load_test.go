// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server_test

import (
	"fmt"
	"log/slog"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/valyala/fasthttp"

	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/server"
)

// The load: loadClients clients, with a connection each, together ask loadTwice times as much as
// the server was seen to answer.
const (
	loadClients = 256
	loadTwice   = 2.0
)

// TestOverload asks a server for twice what it can do: one second, or as long as UPROAR_LOAD says.
// Whoever is not answered is told 503 (or 429), and nothing else; memory is bounded; and when the
// load ends, the next request is answered at once.
func TestOverload(t *testing.T) {
	long := time.Second
	if text := os.Getenv("UPROAR_LOAD"); text != "" {
		var err error
		if long, err = time.ParseDuration(text); err != nil {
			t.Fatal(err)
		}
	}
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(512 << 20)) // as uproar serve does
	s := newSite(t, &server.Options{MaxConcurrent: 4, MaxWaiting: 32, MaxWait: 100 * time.Millisecond,
		MaxConnections: loadClients + 16, Logger: slog.New(slog.DiscardHandler)})
	hub := make([]graph.Follow, 0, 40_000)
	for i := range 20_000 {
		hub = append(hub, graph.Follow{Account: fmt.Sprint("a", i), Target: "hub"},
			graph.Follow{Account: fmt.Sprint("a", i), Target: fmt.Sprint("b", i%7)})
	}
	if _, err := s.graph.Follow(t.Context(), hub...); err != nil {
		t.Fatal(err)
	}
	client := &fasthttp.HostClient{Addr: strings.TrimPrefix(s.url, "http://"), MaxConns: loadClients + 8,
		MaxIdleConnDuration: time.Minute}
	defer client.CloseIdleConnections()

	capacity := load(client, 8, max(300*time.Millisecond, min(long/20, 3*time.Second)), 0)
	if capacity.other() != "" || capacity.of(200) == 0 {
		t.Fatalf("with 8 clients: got %v", capacity)
	}
	rate := loadTwice * float64(capacity.of(200)) / capacity.took.Seconds()
	early := load(client, loadClients, long/2, rate)
	late := load(client, loadClients, long/2, rate)
	ended := time.Now()
	status, err := ask(client, "/v1/graph/followers?account=hub&count=true", "")
	recovered := time.Since(ended)
	t.Logf("capacity %.0f requests/s with 8 clients; offered %.0f/s by %d clients for %v: %v, then %v; memory at "+
		"most %d MiB, then %d MiB; answered %v after the end",
		rate/loadTwice, rate, loadClients, long, early, late, early.memory>>20, late.memory>>20,
		recovered.Round(time.Microsecond))
	if what := early.other() + late.other(); what != "" {
		t.Errorf("beside 200, 429 and 503 there was %s", what)
	}
	if early.of(200) == 0 || late.of(200) == 0 {
		t.Error("nobody was answered")
	}
	// in one second a busy machine may not get to offer that much
	if early.of(503)+late.of(503) == 0 && long > time.Second {
		t.Error("nobody was refused: this was no overload")
	}
	if err != nil || status != 200 {
		t.Errorf("after the load: got %d, %v", status, err)
	}
	patience := time.Second
	if long <= time.Second { // on a machine that does much else
		patience = 20 * time.Second
	}
	if recovered > patience {
		t.Errorf("after the load an answer took %v, want at most %v", recovered, patience)
	}
	if late.memory > 640<<20 || late.memory > early.memory+early.memory/2+(64<<20) {
		t.Errorf("memory grew from %d to %d bytes", early.memory, late.memory)
	}
}

// A loaded is what became of requests.
type loaded struct {
	statuses sync.Map // of *atomic.Int64, by status; -1: errors
	failure  atomic.Value
	memory   uint64 // bytes that the process has of the system, at most; client and server
	took     time.Duration
}

func (l *loaded) count(status int) {
	n, _ := l.statuses.LoadOrStore(status, new(atomic.Int64))
	n.(*atomic.Int64).Add(1)
}

func (l *loaded) of(status int) int64 {
	if n, ok := l.statuses.Load(status); ok {
		return n.(*atomic.Int64).Load()
	}
	return 0
}

// other describes what should not be.
func (l *loaded) other() (text string) {
	l.statuses.Range(func(status, n any) bool {
		if status != 200 && status != 429 && status != 503 {
			text += fmt.Sprintf("%d times status %d (%v) ", n.(*atomic.Int64).Load(), status, l.failure.Load())
		}
		return true
	})
	return text
}

// String shows the statuses.
func (l *loaded) String() string {
	return fmt.Sprintf("%d answered, %d refused in %v", l.of(200), l.of(503)+l.of(429), l.took.Round(time.Millisecond))
}

// load has clients ask for so long, together at a rate; 0: as fast as they are answered.
func load(client *fasthttp.HostClient, clients int, long time.Duration, rate float64) *loaded {
	l := new(loaded)
	start := time.Now()
	stop := make(chan struct{})
	var watching, asked sync.WaitGroup
	watching.Go(func() {
		for {
			l.memory = max(l.memory, memory())
			select {
			case <-stop:
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
	})
	for i := range clients {
		asked.Go(func() {
			for n := 0; n == 0 || time.Since(start) < long; n++ { // once in any case, however late
				if rate > 0 {
					// Each request has its time, whether or not the one before it was answered in
					// time.
					due := time.Duration(float64(n*clients+i) / rate * float64(time.Second))
					time.Sleep(min(due, long) - time.Since(start))
				}
				path, body := "/v1/graph/followers?account=hub&limit=5000", ""
				switch n % 8 {
				case 1, 2:
					path = "/v1/graph/intersect-followers?account=hub&account=b1&limit=1000"
				case 3:
					path = "/v1/query?index=accounts&answer=count&q=not+follows(a1)+and+(followers(hub)+or+followers(b2))"
				case 4:
					path, body = "/v1/graph/follow", fmt.Sprintf(`{"account":"c%d","target":"a%d"}`, i, n%100)
				}
				status, err := ask(client, path, body)
				if err != nil {
					l.failure.Store(err.Error())
				}
				l.count(status)
			}
		})
	}
	asked.Wait()
	l.took = time.Since(start)
	close(stop)
	watching.Wait()
	return l
}

// ask sends a request, and returns its status; -1 if it has none.
func ask(client *fasthttp.HostClient, path, body string) (int, error) {
	req, resp := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
	defer fasthttp.ReleaseRequest(req)
	defer fasthttp.ReleaseResponse(resp)
	req.SetRequestURI(scheme(client) + client.Addr + path)
	if body != "" {
		req.Header.SetMethod("POST")
		req.Header.SetContentType("application/json")
		req.SetBodyString(body)
	}
	if err := client.DoTimeout(req, resp, time.Minute); err != nil {
		return -1, err
	}
	return resp.StatusCode(), nil
}

// memory returns what the process has of the system.
func memory() uint64 {
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(samples)
	return samples[0].Value.Uint64() - samples[1].Value.Uint64()
}

func scheme(client *fasthttp.HostClient) string {
	if client.IsTLS {
		return "https://"
	}
	return "http://"
}
