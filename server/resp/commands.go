// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package resp

import (
	"maps"
	"slices"
	"strings"

	"github.com/uproar-db/uproar/server/resp/wire"
)

// commandCommand is COMMAND: which commands there are.
func commandCommand(c *call) error {
	names := slices.Sorted(maps.Keys(commands))
	sub := "info"
	if len(c.args) > 1 {
		sub = c.arg(1)
	}
	if len(c.args) > 2 && sub != "list" {
		names = nil
		for i := 2; i < len(c.args); i++ {
			names = append(names, string(c.args[i]))
		}
	}
	switch sub {
	case "count":
		c.w.Int(int64(len(commands)))
	case "list":
		return c.listCommands(names)
	case "docs":
		c.documentCommands(names)
	case "getkeys":
		return c.keysOfCommand()
	case "help":
		c.help("(no subcommand)", "COUNT", "DOCS [<command-name> ...]", "GETKEYS <full-command>",
			"INFO [<command-name> ...]", "LIST")
	default:
		c.w.Array(len(names))
		for _, name := range names {
			c.describeCommand(c.server.find([]byte(name)))
		}
	}
	return nil
}

// listCommands is COMMAND LIST [FILTERBY (MODULE name | ACLCAT category | PATTERN pattern)].
func (c *call) listCommands(names []string) error {
	switch {
	case len(c.args) == 2:
	case len(c.args) == 5 && c.arg(2) == "filterby" && c.arg(3) == "pattern":
		names = slices.DeleteFunc(names, func(name string) bool { return !match([]byte(c.arg(4)), []byte(name)) })
	case len(c.args) == 5 && c.arg(2) == "filterby" && (c.arg(3) == "module" || c.arg(3) == "aclcat"):
		names = nil // there are neither
	default:
		return errSyntax
	}
	c.w.Array(len(names))
	for _, name := range names {
		c.w.Text(name)
	}
	return nil
}

// documentCommands is COMMAND DOCS. It leaves out what there is not.
func (c *call) documentCommands(names []string) {
	var known []string
	for _, name := range names {
		if m := c.server.find([]byte(name)); m != nil && !slices.Contains(known, m.name) {
			known = append(known, m.name)
		}
	}
	c.w.Map(len(known))
	for _, name := range known {
		c.w.Text(name)
		c.w.Map(1)
		c.w.Text("summary")
		c.w.Text("See docs/redis.md.")
	}
}

// describeCommand describes a command as COMMAND INFO does; nil: there is none.
func (c *call) describeCommand(m *command) {
	if m == nil {
		c.w.Null()
		return
	}
	flags := "readonly"
	switch m.class {
	case writes:
		flags = "write"
	case local:
		flags = "fast"
	}
	c.w.Array(10)
	c.w.Text(m.name)
	c.w.Int(int64(m.arity))
	c.w.Set(1)
	c.w.Status(flags)
	for _, n := range m.keys {
		c.w.Int(int64(n))
	}
	c.w.Set(0)   // categories of ACL
	c.w.Set(0)   // tips
	c.w.Set(0)   // key specifications
	c.w.Array(0) // subcommands
}

// keysOfCommand is COMMAND GETKEYS: which arguments of a command are keys.
func (c *call) keysOfCommand() error {
	args := c.args[2:]
	m := c.server.find(args[0])
	switch {
	case m == nil:
		return replyError("ERR Invalid command specified")
	case m.keys == noKeys && !m.numbered() && m.name != "object":
		return replyError("ERR The command has no key arguments")
	case !m.fits(len(args)):
		return replyError("ERR Invalid number of arguments specified for command")
	}
	keys := args[1:]
	switch {
	case m.numbered():
		n, ok := wire.ParseInt(args[1])
		if !ok || n < 1 || n > int64(len(args)-2) {
			return replyError("ERR Invalid arguments specified for command")
		}
		keys = args[2 : 2+n]
	case m.name == "object":
		keys = args[2:3]
	case m.keys[1] > 0:
		keys = args[1 : m.keys[1]+1]
	}
	c.w.Array(len(keys))
	for _, key := range keys {
		c.w.Bulk(key)
	}
	return nil
}

// numbered reports whether the number of keys stands before them.
func (m *command) numbered() bool { return strings.HasSuffix(m.name, "card") && m.name != "scard" }

// function is FUNCTION FLUSH and LIST: there are no functions.
func function(c *call) error {
	switch c.arg(1) {
	case "flush":
		if len(c.args) > 3 {
			return replyError("ERR unknown subcommand or wrong number of arguments for '" + string(c.args[1]) +
				"'. Try FUNCTION HELP.")
		}
		if len(c.args) == 3 && c.arg(2) != "async" && c.arg(2) != "sync" {
			return replyError("ERR FUNCTION FLUSH only supports SYNC|ASYNC option")
		}
		c.w.Status("OK")
	case "list":
		for i := 2; i < len(c.args); i++ {
			switch option := c.arg(i); {
			case option == "withcode":
			case option == "libraryname" && i+1 < len(c.args):
				i++
			case option == "libraryname":
				return replyError("ERR library name argument was not given")
			default:
				return replyError("ERR Unknown argument " + string(c.args[i]))
			}
		}
		c.w.Array(0)
	default:
		c.help("FLUSH [ASYNC|SYNC]", "LIST")
	}
	return nil
}
