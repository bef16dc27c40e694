// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package resp

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/uproar-db/uproar/server/resp/wire"
)

const errClientName = replyError("ERR Client names cannot contain spaces, newlines or special characters.")

func nameable(name string) bool {
	return !strings.ContainsFunc(name, func(r rune) bool { return r < '!' || r > '~' })
}

// rename gives a connection a name.
func (s *session) rename(name string) {
	s.server.mu.Lock()
	defer s.server.mu.Unlock()
	s.name = name
}

// become gives a connection the rights of a user.
func (s *session) become(user string, access Access) {
	if access == Nobody && s.bearer.access != Nobody {
		s.bearer.looked = time.Now()
	}
	s.server.mu.Lock()
	s.bearer.user, s.bearer.access = user, access
	s.server.mu.Unlock()
	s.r.Stranger = access == Nobody
}

func client(c *call) error {
	switch sub := c.arg(1); sub {
	case "setname":
		if !nameable(string(c.args[2])) {
			return errClientName
		}
		c.rename(string(c.args[2]))
		c.w.Status("OK")
	case "getname":
		if c.name == "" {
			c.w.Null()
		} else {
			c.w.Text(c.name)
		}
	case "id":
		c.w.Int(c.id)
	case "setinfo":
		return clientSetInfo(c)
	case "no-evict", "no-touch":
		if on := c.arg(2); on != "on" && on != "off" {
			return errSyntax
		}
		c.w.Status("OK")
	case "help":
		c.help("GETNAME", "ID", "INFO", "KILL <option> ...", "LIST [options ...]", "NO-EVICT (ON|OFF)",
			"NO-TOUCH (ON|OFF)", "SETINFO <option> <value>", "SETNAME <name>")
	case "info":
		c.server.mu.Lock()
		text := c.describe(c.w.Three)
		c.server.mu.Unlock()
		c.w.Verbatim(text)
	case "list":
		return clientList(c)
	default:
		return clientKill(c)
	}
	return nil
}

// describe describes a client as CLIENT INFO does. The lock of the server must be held.
func (s *session) describe(three bool) string {
	proto := 2
	if three {
		proto = 3
	}
	now := time.Now()
	return fmt.Sprintf("id=%d addr=%s laddr=%s name=%s age=%d idle=%d flags=N db=0 sub=0 psub=0 watch=%d cmd=%s user=%s "+
		"resp=%d lib-name=%s lib-ver=%s\n", s.id, s.conn.RemoteAddr(), s.conn.LocalAddr(), s.name,
		int64(now.Sub(s.shown.since).Seconds()), now.Unix()-s.shown.last.at, len(s.watched.names), s.shown.last.command,
		s.bearer.user, proto,
		s.shown.library[0], s.shown.library[1])
}

// clientSetInfo is CLIENT SETINFO LIB-NAME or LIB-VER.
func clientSetInfo(c *call) error {
	option := c.arg(2)
	i := slices.Index([]string{"lib-name", "lib-ver"}, option)
	if i < 0 {
		return replyError("ERR Unrecognized option '" + cut(string(c.args[2])) + "'")
	}
	if !nameable(string(c.args[3])) {
		return replyError("ERR " + option + " cannot contain spaces, newlines or special characters.")
	}
	c.server.mu.Lock()
	defer c.server.mu.Unlock()
	c.shown.library[i] = string(c.args[3])
	c.w.Status("OK")
	return nil
}

// shown is what CLIENT LIST shows beside the rest of a session.
type shown struct {
	since   time.Time
	three   atomic.Bool // as Writer.Three
	library [2]string   // its name and version: under the lock of the server, as last
	last    lastCommand
}

// lastCommand is what a client has sent last, and when, in seconds since 1970.
type lastCommand struct {
	command string
	at      int64
}

// note notes the last of some commands, for CLIENT LIST.
func (s *session) note(calls []*call) {
	last := lastCommand{"unknown", time.Now().Unix()}
	if m := calls[len(calls)-1].command; m != nil {
		last.command = m.name
		if args := calls[len(calls)-1].args; subcommands[m.name] != nil && len(args) > 1 {
			last.command += "|" + cut(strings.ToLower(string(args[1])))
		}
	}
	if last != s.shown.last {
		s.server.mu.Lock()
		s.shown.last = last
		s.server.mu.Unlock()
	}
}

// clientTypes are the types of clients that Redis knows. Here all are normal.
var clientTypes = []string{"normal", "master", "replica", "slave", "pubsub"}

// clients returns the clients that fn chooses, the oldest first. It is called with the lock held.
func (s *Server) clients(fn func(one *session) bool) (chosen []*session) {
	for one := range s.sessions {
		if fn(one) {
			chosen = append(chosen, one)
		}
	}
	slices.SortFunc(chosen, func(a, b *session) int { return cmp.Compare(a.id, b.id) })
	return chosen
}

// clientList is CLIENT LIST [TYPE t | ID id...].
func clientList(c *call) error {
	choose := func(*session) bool { return true }
	switch {
	case len(c.args) == 2:
	case len(c.args) == 4 && c.arg(2) == "type":
		if !slices.Contains(clientTypes, c.arg(3)) {
			return replyError("ERR Unknown client type '" + string(c.args[3]) + "'")
		}
		normal := c.arg(3) == "normal"
		choose = func(*session) bool { return normal }
	case len(c.args) > 3 && c.arg(2) == "id":
		ids := make(map[int64]bool)
		for _, arg := range c.args[3:] {
			id, ok := wire.ParseInt(arg)
			if !ok {
				return replyError("ERR Invalid client ID")
			}
			ids[id] = true
		}
		choose = func(one *session) bool { return ids[one.id] }
	default:
		return errSyntax
	}
	var b strings.Builder
	c.server.mu.Lock()
	for _, one := range c.server.clients(choose) {
		b.WriteString(one.describe(one.shown.three.Load()))
	}
	c.server.mu.Unlock()
	c.w.Verbatim(b.String())
	return nil
}

// clientKill is CLIENT KILL address, and with ID, ADDR, LADDR, USER, TYPE and SKIPME.
func clientKill(c *call) error {
	if c.bearer.access < Writer {
		return replyError("NOPERM User " + c.bearer.user + " has no permissions to run the 'client|kill' command")
	}
	old := len(c.args) == 3
	tests, skipMe := []func(one *session) bool(nil), !old
	if old {
		tests = append(tests, func(one *session) bool { return one.conn.RemoteAddr().String() == string(c.args[2]) })
	}
	for i := 2; !old && i < len(c.args); i += 2 {
		if i+1 == len(c.args) {
			return errSyntax
		}
		value := string(c.args[i+1])
		test := func(*session) bool { return true }
		switch option := c.arg(i); option {
		case "id":
			id, ok := wire.ParseInt(c.args[i+1])
			if !ok || id < 1 {
				return replyError("ERR client-id should be greater than 0")
			}
			test = func(one *session) bool { return one.id == id }
		case "addr":
			test = func(one *session) bool { return one.conn.RemoteAddr().String() == value }
		case "laddr":
			test = func(one *session) bool { return one.conn.LocalAddr().String() == value }
		case "user":
			if c.server.opts.Allow == nil && value != "default" {
				return replyError("ERR No such user '" + cut(value) + "'")
			}
			test = func(one *session) bool { return one.bearer.user == value }
		case "type":
			if !slices.Contains(clientTypes, strings.ToLower(value)) {
				return replyError("ERR Unknown client type '" + value + "'")
			}
			test = func(*session) bool { return strings.EqualFold(value, "normal") }
		case "skipme":
			if skipMe = strings.EqualFold(value, "yes"); !skipMe && !strings.EqualFold(value, "no") {
				return errSyntax
			}
		default:
			return errSyntax
		}
		tests = append(tests, test)
	}
	killed := 0
	c.server.mu.Lock()
	for _, one := range c.server.clients(func(one *session) bool {
		fails := func(test func(*session) bool) bool { return !test(one) }
		return !(skipMe && one == c.session) && !slices.ContainsFunc(tests, fails)
	}) {
		if killed++; one == c.session {
			c.quit = true // after this reply
		} else {
			_ = one.conn.Close()
		}
	}
	c.server.mu.Unlock()
	switch {
	case !old:
		c.w.Int(int64(killed))
	case killed == 0:
		return replyError("ERR No such client")
	default:
		c.w.Status("OK")
	}
	return nil
}

// help replies with the subcommands of a command.
func (c *call) help(lines ...string) {
	c.w.Array(len(lines) + 1)
	c.w.Status(strings.ToUpper(c.command.name) + " <subcommand> [<arg> ...]. Subcommands are:")
	for _, line := range lines {
		c.w.Status(line)
	}
}
