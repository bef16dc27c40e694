// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package resp

import (
	"slices"
	"strconv"
	"time"

	"github.com/uproar-db/uproar/server/resp/keyspace"
	"github.com/uproar-db/uproar/server/resp/names"
	"github.com/uproar-db/uproar/server/resp/wire"
)

// connectionCommands are the commands of a connection.
var connectionCommands = []command{
	{"ping", local, -1, noKeys, ping},
	{"echo", local, 2, noKeys, func(c *call) error { c.w.Bulk(c.args[1]); return nil }},
	{"hello", local, -1, noKeys, hello},
	{"auth", local, -2, noKeys, auth},
	{"select", local, 2, noKeys, selectDB},
	{"client", local, -2, noKeys, client},
	{"quit", local, -1, noKeys, func(c *call) error { c.quit = true; c.w.Status("OK"); return nil }},
	{"reset", local, 1, noKeys, reset},
	{"multi", local, 1, noKeys, multi},
	{"exec", local, 1, noKeys, execute},
	{"discard", local, 1, noKeys, discard},
	{"watch", local, -2, allKeys, watch},
	{"unwatch", local, 1, noKeys, func(c *call) error { c.server.unwatch(c.session); c.w.Status("OK"); return nil }},
}

// beforeAuth are the commands that need no token.
var beforeAuth = map[string]bool{"auth": true, "hello": true, "quit": true, "reset": true}

func ping(c *call) error {
	switch len(c.args) {
	case 1:
		c.w.Status("PONG")
	case 2:
		c.w.Bulk(c.args[1])
	default:
		return arityError("ping")
	}
	return nil
}

// serverVersion is the version of Redis whose words are spoken: all replies are compared with it.
const serverVersion = "7.0.15"

func hello(c *call) error {
	three, name, named := c.w.Three, "", false
	if len(c.args) > 1 {
		n, ok := wire.ParseInt(c.args[1])
		if !ok {
			return replyError("ERR Protocol version is not an integer or out of range")
		}
		if n != 2 && n != 3 {
			return replyError("NOPROTO unsupported protocol version")
		}
		three = n == 3
	}
	user, access := c.bearer.user, c.bearer.access
	for i := 2; i < len(c.args); {
		switch option := c.arg(i); {
		case option == "auth" && i+2 < len(c.args):
			var err error
			if user, access, err = c.authenticate(string(c.args[i+1]), string(c.args[i+2])); err != nil {
				return err
			}
			i += 3
		case option == "setname" && i+1 < len(c.args):
			if name, named = string(c.args[i+1]), true; !nameable(name) {
				return errClientName
			}
			i += 2
		default:
			return replyError("ERR Syntax error in HELLO option '" + cut(string(c.args[i])) + "'")
		}
	}
	if access == Nobody {
		return replyError("NOAUTH HELLO must be called with the client already authenticated, otherwise the HELLO " +
			"<proto> AUTH <user> <pass> option can be used to authenticate the client and select the RESP " +
			"protocol version at the same time")
	}
	c.become(user, access)
	if named {
		c.rename(name)
	}
	c.speak(three)
	c.w.Map(7)
	c.w.Text("server")
	c.w.Text("redis")
	c.w.Text("version")
	c.w.Text(serverVersion)
	c.w.Text("proto")
	if three {
		c.w.Int(3)
	} else {
		c.w.Int(2)
	}
	c.w.Text("id")
	c.w.Int(c.id)
	c.w.Text("mode")
	c.w.Text("standalone")
	c.w.Text("role")
	if c.server.space.ReadOnly() {
		c.w.Text("replica")
	} else {
		c.w.Text("master")
	}
	c.w.Text("modules")
	c.w.Array(0)
	return nil
}

// authenticate finds out what the bearer of a token may do. The name of a user is "default", or
// that of the token.
func (s *session) authenticate(user, token string) (string, Access, error) {
	if s.server.opts.Allow == nil {
		if user == "default" {
			return user, s.bearer.access, nil // as Redis without a password
		}
		return "", Nobody, errWrongPass
	}
	name, access := s.server.opts.Allow(token)
	if access == Nobody || user != "default" && user != name {
		return "", Nobody, errWrongPass
	}
	s.bearer.token, s.bearer.looked = token, time.Now()
	return name, access, nil
}

// lookAgain is how often it is looked whether the token of a connection is still one.
const lookAgain = time.Second

// authenticateAgain finds out what the token of a connection allows by now: tokens are read again
// when their file changes.
func (s *session) authenticateAgain() {
	if s.bearer.token == "" || time.Since(s.bearer.looked) < lookAgain {
		return
	}
	s.bearer.looked = time.Now()
	name, access := s.server.opts.Allow(s.bearer.token)
	switch {
	case access == Nobody:
		s.bearer.token = ""
		s.become("default", Nobody)
	case name != s.bearer.user || access != s.bearer.access:
		s.become(name, access)
	}
}

func auth(c *call) error {
	if len(c.args) > 3 {
		return errSyntax
	}
	if len(c.args) == 2 && c.server.opts.Allow == nil {
		return replyError("ERR AUTH <password> called without any password configured for the default user. Are you " +
			"sure your configuration is correct?")
	}
	user := "default"
	if len(c.args) == 3 {
		user = string(c.args[1])
	}
	user, access, err := c.authenticate(user, string(c.args[len(c.args)-1]))
	if err != nil {
		return err
	}
	c.become(user, access)
	c.w.Status("OK")
	return nil
}

func selectDB(c *call) error {
	n, err := c.int(1)
	switch {
	case err != nil:
		return err
	case n != 0:
		return replyError("ERR DB index is out of range")
	}
	c.w.Status("OK")
	return nil
}

// speak has the client answered in version 3, or 2.
func (c *call) speak(three bool) {
	c.session.w.Three, c.w.Three = three, three
	c.shown.three.Store(three)
}

func reset(c *call) error {
	c.endMulti()
	c.rename("")
	c.speak(false)
	if c.server.opts.Allow != nil {
		c.bearer.token = ""
		c.become("default", Nobody)
	}
	c.w.Status("RESET")
	return nil
}

func multi(c *call) error {
	if c.multi != nil {
		return replyError("ERR MULTI calls can not be nested")
	}
	c.multi = &transaction{session: c.session}
	c.w.Status("OK")
	return nil
}

func discard(c *call) error {
	if c.multi == nil {
		return replyError("ERR DISCARD without MULTI")
	}
	c.endMulti()
	c.w.Status("OK")
	return nil
}

func watch(c *call) error {
	if c.multi != nil {
		return replyError("ERR WATCH inside MULTI is not allowed")
	}
	for _, key := range c.args[1:] {
		if err := keyspace.CheckKey(key); err != nil {
			return err
		}
		if err := c.server.watch(c.session, names.Of(key)); err != nil {
			return err
		}
	}
	c.w.Status("OK")
	return nil
}

// formatInt is for replies that are texts.
func formatInt(n int64) string { return strconv.FormatInt(n, 10) }

// sortedKeys returns the keys of a map in order.
func sortedKeys(m map[string]string) []string {
	var all []string
	for key := range m {
		all = append(all, key)
	}
	slices.Sort(all)
	return all
}
