// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package resp

import (
	"fmt"
	"os"
	"runtime"
	"slices"
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
			fmt.Sprintf("maxclients:%d", c.server.opts.Connections)}, nil
	}},
	{"Memory", func(*call) ([]string, error) {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return []string{fmt.Sprintf("used_memory:%d", m.HeapAlloc),
			fmt.Sprintf("used_memory_rss:%d", m.Sys-m.HeapReleased), "maxmemory:0", "maxmemory_policy:noeviction"}, nil
	}},
	{"Persistence", func(*call) ([]string, error) {
		return []string{"loading:0", "aof_enabled:1"}, nil
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
		return []string{fmt.Sprintf("db0:keys=%d", n)}, nil
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

// settings are what CONFIG GET shows, unless CONFIG SET has said something else. None changes what
// the server does.
var settings = map[string]string{
	"appendfsync":               "always",
	"client-query-buffer-limit": formatInt(wire.MaxCommand),
	"appendonly":                "yes",
	"databases":                 "1",
	"dir":                       "",
	"lazyfree-lazy-user-flush":  "no",
	"list-max-listpack-size":    "-2",
	"maxmemory":                 "0",
	"maxmemory-policy":          "noeviction",
	"proto-max-bulk-len":        formatInt(wire.MaxBulk),
	"save":                      "",
	"set-max-intset-entries":    "512",
	"set-max-listpack-entries":  "128",
	"set-max-listpack-value":    "64",
	"slave-read-only":           "yes",
	"replica-read-only":         "yes",
	"timeout":                   "0",
}

// fixed are the settings that are so and cannot be otherwise.
var fixed = map[string]bool{"proto-max-bulk-len": true, "databases": true}

// mostSetting is how long a setting may be.
const mostSetting = 1 << 10

func config(c *call) error {
	if sub := c.arg(1); sub != "get" && sub != "help" && c.bearer.access < Writer {
		return replyError("NOPERM User " + c.bearer.user + " has no permissions to run the 'config|" + sub +
			"' command")
	}
	switch c.arg(1) {
	case "get":
		c.server.mu.Lock()
		defer c.server.mu.Unlock()
		shown := make(map[string]string) // by the name that is shown: one without a pattern is shown as asked for
		for _, arg := range c.args[2:] {
			pattern := strings.ToLower(string(arg))
			if !strings.ContainsAny(pattern, "[*?") {
				if _, ok := settings[pattern]; ok && !slices.ContainsFunc(sortedKeys(shown), func(name string) bool {
					return strings.EqualFold(name, pattern)
				}) {
					shown[string(arg)] = pattern
				}
				continue
			}
			for _, name := range sortedKeys(settings) {
				if match([]byte(pattern), []byte(name)) {
					shown[name] = name
				}
			}
		}
		c.w.Map(len(shown))
		for _, name := range sortedKeys(shown) {
			c.w.Text(name)
			if value, ok := c.server.settings[shown[name]]; ok {
				c.w.Text(value)
			} else {
				c.w.Text(settings[shown[name]])
			}
		}
	case "set":
		if len(c.args)%2 != 0 {
			return errSyntax
		}
		for i := 2; i < len(c.args); i += 2 {
			_, ok := settings[c.arg(i)]
			for k := 2; ok && k < i; k += 2 {
				if c.arg(k) == c.arg(i) {
					return replyError("ERR CONFIG SET failed (possibly related to argument '" + cut(string(c.args[i])) +
						"') - duplicate parameter")
				}
			}
			if !ok || fixed[c.arg(i)] || len(c.args[i+1]) > mostSetting {
				return replyError("ERR Unknown option or number of arguments for CONFIG SET - '" +
					cut(string(c.args[i])) + "'")
			}
		}
		c.server.mu.Lock()
		defer c.server.mu.Unlock()
		for i := 2; i < len(c.args); i += 2 {
			c.server.settings[c.arg(i)] = string(c.args[i+1])
		}
		c.w.Status("OK")
	case "resetstat":
		c.server.commands.Store(0)
		c.w.Status("OK")
	default:
		c.help("GET <pattern> ...", "RESETSTAT", "SET <directive> <value> ...")
	}
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
