// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package resp

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/uproar-db/uproar/server/resp/wire"
)

// settings are what CONFIG GET shows of a server. Those of numbers can be set, and have an effect.
func settings(o Options) map[string]string {
	all := map[string]string{
		"appendfsync":               "always",
		"appendonly":                "yes",
		"client-query-buffer-limit": formatInt(int64(o.mostCommand())),
		"databases":                 "1",
		"dir":                       "",
		"lazyfree-lazy-user-flush":  "no",
		"list-max-listpack-size":    "-2",
		"maxclients":                formatInt(int64(o.Connections)),
		"maxmemory":                 "0",
		"maxmemory-policy":          "noeviction",
		"proto-max-bulk-len":        formatInt(wire.MaxBulk),
		"replica-read-only":         "yes",
		"save":                      "",
		"set-max-intset-entries":    "512",
		"slave-read-only":           "yes",
		"slowlog-log-slower-than":   formatInt(slowMicros),
		"slowlog-max-len":           formatInt(slowKept),
		"timeout":                   formatInt(int64(o.Idle / time.Second)),
	}
	if o.Placeholders { // of later versions, which tests set
		all["set-max-listpack-entries"], all["set-max-listpack-value"] = "128", "64"
	}
	return all
}

// numbers are the settings that can be set, each with its least and greatest value.
var numbers = map[string][2]int64{
	"maxclients":              {1, math.MaxUint32},
	"slowlog-log-slower-than": {-1, math.MaxInt64 / 1000}, // microseconds
	"set-max-intset-entries":  {0, math.MaxInt64},         // of what OBJECT ENCODING says
	"timeout":                 {0, math.MaxInt32},         // seconds until a client that is idle is cut off; 0: never
}

// fixed are the settings that stay as they are also where others are set for tests.
var fixed = map[string]bool{"proto-max-bulk-len": true, "databases": true, "client-query-buffer-limit": true}

// mostSetting is how long a setting may be.
const mostSetting = 1 << 10

// number returns a setting that is a number. The lock of the server must be held.
func (s *Server) number(name string) int64 {
	n, _ := strconv.ParseInt(s.settings[name], 10, 64)
	return n
}

// idle returns how long a client may send no command; 0: any time.
func (s *Server) idle() time.Duration { return time.Duration(s.idleSeconds.Load()) * time.Second }

// set changes a setting. It returns why it does not, in the words of Redis; "": it does. The lock
// of the server must be held.
func (s *Server) set(name, value string) string {
	bounds, number := numbers[name]
	switch {
	case value == s.settings[name]:
		return ""
	case !number && (!s.opts.Placeholders || fixed[name]):
		return "can't set immutable config"
	case len(value) > mostSetting:
		return "the value is too long"
	case number:
		n, ok := wire.ParseInt([]byte(value))
		switch {
		case !ok:
			return "argument couldn't be parsed into an integer"
		case n < bounds[0] || n > bounds[1]:
			return fmt.Sprintf("argument must be between %d and %d inclusive", bounds[0], bounds[1])
		case name == "maxclients" && n > int64(s.opts.Connections):
			return fmt.Sprintf("The operating system is not able to handle the specified number of clients, try with %d",
				s.opts.Connections)
		case name == "timeout":
			s.idleSeconds.Store(n)
		case name == "slowlog-log-slower-than":
			s.slowMicros.Store(n)
		}
	}
	s.settings[name] = value
	return ""
}

func config(c *call) error {
	sub := c.arg(1)
	if sub != "get" && sub != "help" && c.bearer.access < Writer {
		return replyError("NOPERM User " + c.bearer.user + " has no permissions to run the 'config|" + sub +
			"' command")
	}
	switch sub {
	case "get":
		c.showSettings()
	case "set":
		return c.changeSettings()
	case "resetstat":
		c.server.commands.Store(0)
		c.w.Status("OK")
	default:
		c.help("GET <pattern> ...", "RESETSTAT", "SET <directive> <value> ...")
	}
	return nil
}

// showSettings is CONFIG GET.
func (c *call) showSettings() {
	c.server.mu.Lock()
	defer c.server.mu.Unlock()
	all := c.server.settings
	shown := make(map[string]string) // by the name that is shown: one without a pattern is shown as asked for
	for _, arg := range c.args[2:] {
		pattern := strings.ToLower(string(arg))
		if !strings.ContainsAny(pattern, "[*?") {
			if _, ok := all[pattern]; ok && !slices.ContainsFunc(sortedKeys(shown), func(name string) bool {
				return strings.EqualFold(name, pattern)
			}) {
				shown[string(arg)] = pattern
			}
			continue
		}
		for _, name := range sortedKeys(all) {
			if match([]byte(pattern), []byte(name)) {
				shown[name] = name
			}
		}
	}
	c.w.Map(len(shown))
	for _, name := range sortedKeys(shown) {
		c.w.Text(name)
		c.w.Text(all[shown[name]])
	}
}

// changeSettings is CONFIG SET: all of it, or nothing.
func (c *call) changeSettings() error {
	if len(c.args)%2 != 0 {
		return errSyntax
	}
	failed := func(i int, why string) error {
		return replyError("ERR CONFIG SET failed (possibly related to argument '" + cut(string(c.args[i])) + "') - " + why)
	}
	s := c.server
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := 2; i < len(c.args); i += 2 {
		if _, ok := s.settings[c.arg(i)]; !ok {
			return replyError("ERR Unknown option or number of arguments for CONFIG SET - '" + cut(string(c.args[i])) + "'")
		}
		for k := 2; k < i; k += 2 {
			if c.arg(k) == c.arg(i) {
				return failed(i, "duplicate parameter")
			}
		}
	}
	var before []string
	for i := 2; i < len(c.args); i += 2 {
		name := c.arg(i)
		was := s.settings[name]
		if why := s.set(name, string(c.args[i+1])); why != "" {
			for k, old := range before {
				_ = s.set(c.arg(2+2*k), old)
			}
			return failed(i, why)
		}
		before = append(before, was)
	}
	c.w.Status("OK")
	return nil
}
