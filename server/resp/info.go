// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package resp

import (
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
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
	{"wait", local, 3, noKeys, func(c *call) error { c.w.Int(0); return nil }},
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

// function is FUNCTION FLUSH: there are no functions, so that none are left. Others do not exist.
func function(c *call) error {
	if c.arg(1) != "flush" {
		return subcommandError("function", string(c.args[1]))
	}
	c.w.Status("OK")
	return nil
}

func commandCommand(c *call) error {
	names := slices.Sorted(maps.Keys(commands))
	sub := "info"
	if len(c.args) > 1 {
		sub = c.arg(1)
	}
	if len(c.args) > 2 {
		if names = nil; sub == "count" || sub == "list" {
			return arityError("command|" + sub)
		}
		for i := 2; i < len(c.args); i++ {
			names = append(names, c.arg(i))
		}
	}
	switch sub {
	case "count":
		c.w.Int(int64(len(commands)))
	case "list":
		c.w.Array(len(names))
		for _, name := range names {
			c.w.Text(name)
		}
	case "docs":
		names = slices.DeleteFunc(names, func(name string) bool { return commands[name] == nil })
		c.w.Map(len(names))
		for _, name := range names {
			c.w.Text(name)
			c.w.Map(1)
			c.w.Text("summary")
			c.w.Text("See docs/redis.md.")
		}
	case "info":
		c.w.Array(len(names))
		for _, name := range names {
			c.describeCommand(commands[name])
		}
	default:
		return subcommandError("command", string(c.args[1]))
	}
	return nil
}

func (c *call) describeCommand(m *command) {
	if m == nil {
		c.w.NullArray()
		return
	}
	flags := "readonly"
	switch m.class {
	case writes:
		flags = "write"
	case local:
		flags = "fast"
	}
	c.w.Array(6)
	c.w.Text(m.name)
	c.w.Int(int64(m.arity))
	c.w.Set(1)
	c.w.Status(flags)
	for _, n := range m.keys {
		c.w.Int(int64(n))
	}
}

// settings are what CONFIG GET shows, unless CONFIG SET has said something else. None changes what
// the server does.
var settings = map[string]string{
	"appendfsync": "always", "client-query-buffer-limit": formatInt(wire.MaxCommand), "appendonly": "yes",
	"databases": "1", "dir": "", "lazyfree-lazy-user-flush": "no",
	"maxmemory": "0", "maxmemory-policy": "noeviction", "proto-max-bulk-len": formatInt(wire.MaxBulk), "save": "",
	"set-max-intset-entries": "512", "set-max-listpack-entries": "128", "set-max-listpack-value": "64",
	"slave-read-only": "yes", "replica-read-only": "yes", "timeout": "0",
}

// fixed are the settings that are so and cannot be otherwise.
var fixed = map[string]bool{"proto-max-bulk-len": true, "databases": true}

// mostSetting is how long a setting may be.
const mostSetting = 1 << 10

func config(c *call) error {
	switch sub := c.arg(1); {
	case sub == "get" && len(c.args) > 2:
		c.server.mu.Lock()
		defer c.server.mu.Unlock()
		var names []string
		for _, name := range sortedKeys(settings) {
			if slices.ContainsFunc(c.args[2:], func(p []byte) bool { return match(p, []byte(name)) }) {
				names = append(names, name)
			}
		}
		c.w.Map(len(names))
		for _, name := range names {
			c.w.Text(name)
			if value, ok := c.server.settings[name]; ok {
				c.w.Text(value)
			} else {
				c.w.Text(settings[name])
			}
		}
	case sub == "set" && len(c.args) > 3 && len(c.args)%2 == 0:
		for i := 2; i < len(c.args); i += 2 {
			_, ok := settings[c.arg(i)]
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
	case sub == "resetstat" && len(c.args) == 2:
		c.server.commands.Store(0)
		c.w.Status("OK")
	case sub == "get" || sub == "set" || sub == "resetstat":
		return arityError("config|" + sub)
	default:
		return subcommandError("config", string(c.args[1]))
	}
	return nil
}
