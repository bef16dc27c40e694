// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package resp

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/uproar-db/uproar/server/resp/wire"
)

// serverCommands are the commands of the server.
var serverCommands = []command{
	{"info", wholes, -1, noKeys, info},
	{"command", local, -1, noKeys, commandCommand},
	{"config", local, -2, noKeys, config},
	{"function", local, -2, noKeys, function},
	{"slowlog", local, -2, noKeys, slowlog},
	{"time", local, 1, noKeys, timeNow},
	{"wait", local, 3, noKeys, wait},
}

// section is a part of INFO.
type section struct {
	name  string
	lines func(c *call) ([]string, error)
}

// sections are the parts of INFO, in order.
var sections = []section{
	{"Server", func(c *call) ([]string, error) {
		return []string{"redis_version:" + serverVersion, "redis_mode:standalone", "server_name:uproar",
			"uproar_version:" + c.server.opts.Version, "os:" + runtime.GOOS + " " + runtime.GOARCH,
			fmt.Sprintf("arch_bits:%d", strconv.IntSize),
			fmt.Sprintf("process_id:%d", os.Getpid()),
			fmt.Sprintf("uptime_in_seconds:%d", int64(time.Since(c.server.start).Seconds()))}, nil
	}},
	{"Clients", func(c *call) ([]string, error) {
		c.server.mu.Lock()
		defer c.server.mu.Unlock()
		return []string{fmt.Sprintf("connected_clients:%d", len(c.server.sessions)),
			fmt.Sprintf("maxclients:%d", c.server.number("maxclients"))}, nil
	}},
	{"Memory", func(*call) ([]string, error) {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return []string{fmt.Sprintf("used_memory:%d", m.HeapAlloc),
			fmt.Sprintf("used_memory_rss:%d", m.Sys-m.HeapReleased), "maxmemory:0", "maxmemory_policy:noeviction"}, nil
	}},
	{"Persistence", func(c *call) ([]string, error) {
		status := "ok"
		if c.server.Ready() != nil {
			status = "err"
		}
		return []string{"loading:0", "aof_enabled:1", "aof_last_write_status:" + status}, nil
	}},
	{"Stats", func(c *call) ([]string, error) {
		return []string{fmt.Sprintf("total_connections_received:%d", c.server.ids.Load()),
			fmt.Sprintf("total_commands_processed:%d", c.server.commands.Load())}, nil
	}},
	{"Replication", func(c *call) ([]string, error) {
		if c.server.space.ReadOnly() {
			return []string{"role:slave"}, nil
		}
		return []string{"role:master", "connected_slaves:0"}, nil
	}},
	{"Cluster", func(*call) ([]string, error) { return []string{"cluster_enabled:0"}, nil }},
	{"Keyspace", func(c *call) ([]string, error) {
		n, err := c.st.Size()
		if err != nil || n == 0 {
			return nil, err
		}
		times, err := c.st.Times()
		return []string{fmt.Sprintf("db0:keys=%d,expires=%d,avg_ttl=0", n, times)}, err
	}},
}

func info(c *call) error {
	wanted := make(map[string]bool)
	for i := 1; i < len(c.args); i++ {
		wanted[c.arg(i)] = true
	}
	all := len(wanted) == 0 || wanted["all"] || wanted["default"] || wanted["everything"]
	var parts []string
	for _, s := range sections {
		if !all && !wanted[strings.ToLower(s.name)] {
			continue
		}
		lines, err := s.lines(c)
		if err != nil {
			return err
		}
		parts = append(parts, "# "+s.name+"\r\n"+strings.Join(append(lines, ""), "\r\n"))
	}
	c.w.Verbatim(strings.Join(parts, "\r\n"))
	return nil
}

func timeNow(c *call) error {
	now := time.Now()
	c.w.Array(2)
	c.w.Text(formatInt(now.Unix()))
	c.w.Text(formatInt(int64(now.Nanosecond() / 1000)))
	return nil
}

// wait is WAIT: there are no replicas of Redis that could follow.
func wait(c *call) error {
	if _, err := c.int(1); err != nil {
		return err
	}
	timeout, ok := wire.ParseInt(c.args[2])
	switch {
	case !ok:
		return replyError("ERR timeout is not an integer or out of range")
	case timeout < 0:
		return replyError("ERR timeout is negative")
	}
	c.w.Int(0)
	return nil
}

// slowlog is SLOWLOG.
func slowlog(c *call) error {
	switch c.arg(1) {
	case "get":
		n := int64(10)
		if len(c.args) > 2 {
			var ok bool
			if n, ok = wire.ParseInt(c.args[2]); !ok || n < -1 {
				return replyError("ERR count should be greater than or equal to -1")
			}
		}
		if len(c.args) > 3 {
			return errSyntax
		}
		if n < 0 {
			n = slowKept
		}
		all := c.server.slow.newest(n)
		c.w.Array(len(all))
		for _, x := range all {
			c.w.Array(6)
			c.w.Int(x.id)
			c.w.Int(x.at)
			c.w.Int(x.took.Microseconds())
			c.w.Array(len(x.words))
			for _, word := range x.words {
				c.w.Text(word)
			}
			c.w.Text(x.addr)
			c.w.Text(x.name)
		}
	case "len":
		c.w.Int(int64(len(c.server.slow.newest(slowKept))))
	case "reset":
		if c.bearer.access < Writer {
			return replyError("NOPERM User " + c.bearer.user + " has no permissions to run the 'slowlog|reset' command")
		}
		c.server.slow.mu.Lock()
		c.server.slow.last = nil
		c.server.slow.mu.Unlock()
		c.w.Status("OK")
	default:
		c.help("GET [<count>]", "LEN", "RESET")
	}
	return nil
}
