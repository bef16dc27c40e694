// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package drive

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/valyala/fasthttp"
)

// Request is what a server is asked.
type Request struct {
	Path string // with its parameters
	Body string // JSON, sent by POST; "": it is asked by GET
}

// Slot is one measurement.
type Slot struct {
	Requests            float64 // all that were answered
	PerSecond           float64 // requests
	P50, P90, P99, P999 float64 // microseconds
	Processor           float64 // microseconds of the server for each request
}

// Driver asks a server without a pause for so long.
type Driver func(addr string, long time.Duration) (Slot, error)

// New returns a driver that asks requests in turn over some connections, and its name. kind is wrk;
// own, a program of ours for machines without wrk; or detect, wrk if it is installed. Scripts are
// written to a folder.
func New(kind, dir string, connections int, requests []Request) (Driver, string, error) {
	program, err := exec.LookPath("wrk")
	if kind == "own" || kind == "detect" && err != nil {
		return own(connections, requests), "a program of ours", nil
	}
	if err != nil {
		return nil, "", err
	}
	f, err := os.CreateTemp(dir, "ask-*.lua")
	if err != nil {
		return nil, "", err
	}
	defer f.Close()
	if _, err := f.WriteString(wrkScript(requests)); err != nil {
		return nil, "", err
	}
	return func(addr string, long time.Duration) (Slot, error) {
		seconds := strconv.Itoa(max(1, int(long.Seconds())))
		// An answer that takes seconds is slow, not missing.
		out, err := exec.Command(program, "-t", strconv.Itoa(min(2, connections)), "-c", strconv.Itoa(connections),
			"-d", seconds, "--timeout", "1m", "-s", f.Name(), "http://"+addr).Output()
		if err != nil {
			return Slot{}, err
		}
		return parseWrk(string(out))
	}, "wrk", nil
}

// wrkScript is what wrk is told: the requests in turn, and to print its figures as one line.
func wrkScript(requests []Request) string {
	var text strings.Builder
	text.WriteString("local requests = {\n")
	for _, r := range requests {
		fmt.Fprintf(&text, "{%s, %s},\n", quoted(r.Path), quoted(r.Body))
	}
	text.WriteString(`}
local list, at = {}, 0
init = function(args)
  for i, r in ipairs(requests) do
    if r[2] == "" then list[i] = wrk.format("GET", r[1])
    else list[i] = wrk.format("POST", r[1], {["Content-Type"] = "application/json"}, r[2]) end
  end
end
request = function() at = at % #list + 1; return list[at] end
done = function(summary, latency)
  local e = summary.errors
  io.write(string.format("figures %d %f %f %f %f %f %d\n", summary.requests, summary.requests / summary.duration * 1e6,
    latency:percentile(50), latency:percentile(90), latency:percentile(99), latency:percentile(99.9), e.connect + e.read + e.write + e.status + e.timeout))
end
`)
	return text.String()
}

// quoted returns text as a literal of Lua. Lua reads the escapes of JSON except those by code
// point.
func quoted(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.Encode(s) // strings always can be
	return strings.TrimSuffix(b.String(), "\n")
}

// own is a driver in this process: it takes more of the processor than wrk.
func own(connections int, requests []Request) Driver {
	return func(addr string, long time.Duration) (Slot, error) {
		client := &fasthttp.HostClient{Addr: addr, MaxConns: connections}
		defer client.CloseIdleConnections()
		var mu sync.Mutex
		var all []time.Duration
		var failed error
		var asking sync.WaitGroup
		start := time.Now()
		for first := range connections {
			asking.Go(func() {
				req, resp := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
				defer fasthttp.ReleaseRequest(req)
				defer fasthttp.ReleaseResponse(resp)
				var took []time.Duration
				var err error
				for i := first * 37; err == nil; i++ {
					begun := time.Now()
					if begun.Sub(start) > long {
						break
					}
					r := &requests[i%len(requests)]
					req.SetRequestURI("http://" + addr + r.Path)
					if r.Body != "" {
						req.Header.SetMethod("POST")
						req.Header.SetContentType("application/json")
						req.SetBodyString(r.Body)
					}
					if err = client.Do(req, resp); err == nil && resp.StatusCode() != 200 {
						err = fmt.Errorf("got %d %.400s", resp.StatusCode(), resp.Body())
					}
					took = append(took, time.Since(begun))
				}
				mu.Lock()
				defer mu.Unlock()
				if all = append(all, took...); err != nil {
					failed = err
				}
			})
		}
		asking.Wait()
		if failed != nil {
			return Slot{}, fmt.Errorf("got %d answers, then %w", len(all), failed)
		}
		if len(all) == 0 {
			return Slot{}, fmt.Errorf("got no answer within %v", long)
		}
		slices.Sort(all)
		part := func(perMille int) float64 { return all[len(all)*perMille/1000].Seconds() * 1e6 }
		return Slot{Requests: float64(len(all)), PerSecond: float64(len(all)) / time.Since(start).Seconds(),
			P50: part(500), P90: part(900), P99: part(990), P999: part(999)}, nil
	}
}

// parseWrk reads the line that the script prints.
func parseWrk(out string) (s Slot, err error) {
	errors := 0
	for line := range strings.Lines(out) {
		if n, _ := fmt.Sscanf(line, "figures %f %f %f %f %f %f %d", &s.Requests, &s.PerSecond, &s.P50, &s.P90, &s.P99,
			&s.P999, &errors); n == 7 {
			if errors > 0 {
				err = fmt.Errorf("wrk: %d errors: %s", errors, out)
			}
			return s, err
		}
	}
	return s, fmt.Errorf("wrk says %q", out)
}
