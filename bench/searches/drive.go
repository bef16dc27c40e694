// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package searches

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/valyala/fasthttp"
)

// driver asks a server without a pause for so long.
type driver func(addr string, long time.Duration) (slot, error)

// drivers returns who asks, by the flags, and the name.
func (s *settings) drivers(dir string, r *requests) (driver, string, error) {
	program, err := exec.LookPath("wrk")
	if s.driver == "own" || s.driver == "detect" && err != nil {
		return s.own(r), "a program of ours", nil
	}
	if err != nil {
		return nil, "", err
	}
	script := filepath.Join(dir, "ask.lua")
	if err := os.WriteFile(script, []byte(wrkScript(r)), 0o600); err != nil {
		return nil, "", err
	}
	return func(addr string, long time.Duration) (slot, error) {
		seconds := strconv.Itoa(max(1, int(long.Seconds())))
		out, err := exec.Command(program, "-t", strconv.Itoa(min(2, s.connections)), "-c", strconv.Itoa(s.connections), "-d", seconds, "-s", script, "http://"+addr+pathOne).Output()
		if err != nil {
			return slot{}, err
		}
		return parseWrk(string(out))
	}, "wrk", nil
}

// wrkScript is what wrk is told: the requests in turn, and to print its figures as one line.
func wrkScript(r *requests) string {
	text := "local bodies = {\n"
	for _, body := range r.one {
		quoted, _ := json.Marshal(body) // Lua reads the same escapes
		text += string(quoted) + ",\n"
	}
	return text + `}
local list, at = {}, 0
init = function(args)
  for i, b in ipairs(bodies) do list[i] = wrk.format("POST", nil, {["Content-Type"] = "application/json"}, b) end
end
request = function() at = at % #list + 1; return list[at] end
done = function(summary, latency)
  local e = summary.errors
  io.write(string.format("figures %f %f %f %d\n", summary.requests / summary.duration * 1e6, latency:percentile(50), latency:percentile(99), e.connect + e.read + e.write + e.status + e.timeout))
end
`
}

// own is a driver in this process, for machines without wrk: it takes more of the processor.
func (s *settings) own(r *requests) driver {
	return func(addr string, long time.Duration) (slot, error) {
		client := &fasthttp.HostClient{Addr: addr, MaxConns: s.connections}
		defer client.CloseIdleConnections()
		var mu sync.Mutex
		var all []time.Duration
		var failed error
		var asking sync.WaitGroup
		start := time.Now()
		for first := range s.connections {
			asking.Go(func() {
				req, resp := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
				defer fasthttp.ReleaseRequest(req)
				defer fasthttp.ReleaseResponse(resp)
				req.SetRequestURI("http://" + addr + pathOne)
				req.Header.SetMethod("POST")
				req.Header.SetContentType("application/json")
				var took []time.Duration
				var err error
				for i := first * 37; err == nil; i++ {
					begun := time.Now()
					if begun.Sub(start) > long {
						break
					}
					req.SetBodyString(r.one[i%len(r.one)])
					if err = client.Do(req, resp); err == nil && resp.StatusCode() != 200 {
						err = fmt.Errorf("got %d %s", resp.StatusCode(), resp.Body())
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
		if failed != nil || len(all) == 0 {
			return slot{}, fmt.Errorf("got %d answers, %w", len(all), failed)
		}
		slices.Sort(all)
		micro := func(d time.Duration) float64 { return d.Seconds() * 1e6 }
		return slot{perSecond: float64(len(all)) / time.Since(start).Seconds(), p50: micro(all[len(all)/2]), p99: micro(all[len(all)*99/100])}, nil
	}
}

// parseWrk reads the line that the script prints.
func parseWrk(out string) (s slot, err error) {
	errors := 0
	for line := range strings.Lines(out) {
		if n, _ := fmt.Sscanf(line, "figures %f %f %f %d", &s.perSecond, &s.p50, &s.p99, &errors); n == 4 {
			if errors > 0 {
				err = fmt.Errorf("wrk: %d errors: %s", errors, out)
			}
			return s, err
		}
	}
	return s, fmt.Errorf("wrk says %q", out)
}
