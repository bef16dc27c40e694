// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package resp

import (
	"math"
	"strings"

	"github.com/uproar-db/uproar/server/resp/wire"
)

// timeCommands are the commands of when keys and members end. Those of members are this server's
// own: Redis has them for the fields of hashes only, as HEXPIRE and its like.
var timeCommands = []command{
	{"expire", writes, -3, oneKey, expire},
	{"pexpire", writes, -3, oneKey, expire},
	{"expireat", writes, -3, oneKey, expire},
	{"pexpireat", writes, -3, oneKey, expire},
	{"persist", writes, 2, oneKey, keep},
	{"ttl", reads, 2, oneKey, ttl},
	{"pttl", reads, 2, oneKey, ttl},
	{"expiretime", reads, 2, oneKey, ttl},
	{"pexpiretime", reads, 2, oneKey, ttl},
	{"sexpire", writes, -6, oneKey, expireMembers},
	{"spexpire", writes, -6, oneKey, expireMembers},
	{"sexpireat", writes, -6, oneKey, expireMembers},
	{"spexpireat", writes, -6, oneKey, expireMembers},
	{"spersist", writes, -5, oneKey, keepMembers},
	{"sttl", reads, -5, oneKey, ttlOfMembers},
	{"spttl", reads, -5, oneKey, ttlOfMembers},
	{"sexpiretime", reads, -5, oneKey, ttlOfMembers},
	{"spexpiretime", reads, -5, oneKey, ttlOfMembers},
}

// conditions are the options NX, XX, GT and LT.
type conditions struct{ nx, xx, gt, lt bool }

// set notes an option. It reports whether it is one.
func (o *conditions) set(option string) bool {
	switch option {
	case "nx":
		o.nx = true
	case "xx":
		o.xx = true
	case "gt":
		o.gt = true
	case "lt":
		o.lt = true
	default:
		return false
	}
	return true
}

func (o conditions) check() error {
	if o.nx && (o.xx || o.gt || o.lt) {
		return replyError("ERR NX and XX, GT or LT options at the same time are not compatible")
	}
	if o.gt && o.lt {
		return replyError("ERR GT and LT options at the same time are not compatible")
	}
	return nil
}

// allow reports whether a time may take the place of another; 0: never.
func (o conditions) allow(old, at int64) bool {
	switch {
	case o.nx && old != 0, o.xx && old == 0, o.gt && (old == 0 || at <= old), o.lt && old != 0 && at >= old:
		return false
	}
	return true
}

// end returns the time that an argument says, in milliseconds since 1970.
func (c *call) end(i int) (int64, error) {
	n, err := c.int(i)
	if err != nil {
		return 0, err
	}
	name := c.command.name
	invalid := replyError("ERR invalid expire time in '" + name + "' command")
	if !strings.Contains(name, "pexpire") {
		if n > math.MaxInt64/1000 || n < math.MinInt64/1000 {
			return 0, invalid
		}
		n *= 1000
	}
	if !strings.HasSuffix(name, "at") {
		if n > math.MaxInt64-c.st.Now {
			return 0, invalid
		}
		n += c.st.Now
	}
	if n == 0 {
		n = -1 // 0 means never
	}
	return n, nil
}

func expire(c *call) error {
	var o conditions
	for i := 3; i < len(c.args); i++ {
		if !o.set(c.arg(i)) {
			option, _, _ := strings.Cut(string(c.args[i]), "\x00") // as Redis prints it
			return replyError("ERR Unsupported option " + option)
		}
	}
	if err := o.check(); err != nil {
		return err
	}
	at, err := c.end(2)
	if err != nil {
		return err
	}
	old, is, err := c.st.Expires(c.args[1])
	if err != nil {
		return err
	}
	if is = is && o.allow(old, at); is {
		if err := c.st.Expire(c.args[1], at); err != nil {
			return err
		}
	}
	c.w.Bool(is)
	return nil
}

func keep(c *call) error {
	old, is, err := c.st.Expires(c.args[1])
	if err != nil {
		return err
	}
	if is = is && old != 0; is {
		if err := c.st.Expire(c.args[1], 0); err != nil {
			return err
		}
	}
	c.w.Bool(is)
	return nil
}

// left returns what a command replies for a time: the rest of it, or when it is, in its unit.
func (c *call) left(at int64) int64 {
	name := c.command.name
	if strings.HasSuffix(name, "ttl") {
		at = max(at-c.st.Now, 0)
	}
	if !strings.Contains(name, "pttl") && !strings.Contains(name, "pexpire") {
		at = at/1000 + (at%1000)/500
	}
	return at
}

func ttl(c *call) error {
	at, is, err := c.st.Expires(c.args[1])
	switch {
	case err != nil:
		return err
	case !is:
		c.w.Int(-2)
	case at == 0:
		c.w.Int(-1)
	default:
		c.w.Int(c.left(at))
	}
	return nil
}

// members returns the members that stand behind MEMBERS and their number, from an argument on.
func (c *call) members(at int) ([][]byte, error) {
	if c.arg(at) != "members" {
		return nil, replyError("ERR Mandatory argument MEMBERS is missing or not at the right position")
	}
	if at+1 == len(c.args) {
		return nil, errSyntax
	}
	n, ok := wire.ParseInt(c.args[at+1])
	if !ok || n <= 0 {
		return nil, replyError("ERR Parameter `numMembers` should be greater than 0")
	}
	if members := c.args[at+2:]; int64(len(members)) == n {
		return members, nil
	}
	return nil, replyError("ERR The `nummembers` parameter must match the number of arguments")
}

// What the commands of members reply for each.
const (
	noMember = -2
	noTime   = -1
	notSet   = 0
	wasSet   = 1
	wasEnded = 2
)

func expireMembers(c *call) error {
	var o conditions
	at := 3
	for ; at < len(c.args) && o.set(c.arg(at)); at++ {
	}
	if at == len(c.args) {
		return errSyntax
	}
	if err := o.check(); err != nil {
		return err
	}
	members, err := c.members(at)
	if err != nil {
		return err
	}
	end, err := c.end(2)
	if err != nil {
		return err
	}
	return c.each(members, func(member []byte, old int64, set func(at int64) error) (int64, error) {
		switch {
		case !o.allow(old, end):
			return notSet, nil
		case end <= c.st.Now:
			return wasEnded, set(end)
		}
		return wasSet, set(end)
	})
}

func keepMembers(c *call) error {
	members, err := c.members(2)
	if err != nil {
		return err
	}
	return c.each(members, func(member []byte, old int64, set func(at int64) error) (int64, error) {
		if old == 0 {
			return noTime, nil
		}
		return wasSet, set(0)
	})
}

func ttlOfMembers(c *call) error {
	members, err := c.members(2)
	if err != nil {
		return err
	}
	return c.each(members, func(member []byte, old int64, set func(at int64) error) (int64, error) {
		if old == 0 {
			return noTime, nil
		}
		return c.left(old), nil
	})
}

// each replies with a number for each of some members, -2 for those that are not in the set.
func (c *call) each(members [][]byte,
	fn func(member []byte, old int64, set func(at int64) error) (int64, error)) error {
	r, err := c.st.Row(c.args[1])
	if err != nil {
		return err
	}
	if err := r.CheckTimes(members); err != nil {
		return err
	}
	replies := make([]int64, 0, len(members))
	for _, member := range members {
		reply := int64(noMember)
		has, err := r.Has(member)
		if err != nil {
			return err
		}
		if has {
			old, err := r.Expires(member)
			if err != nil {
				return err
			}
			if reply, err = fn(member, old, func(at int64) error { return r.Expire(member, at) }); err != nil {
				return err
			}
		}
		replies = append(replies, reply)
	}
	c.w.Array(len(replies))
	for _, reply := range replies {
		c.w.Int(reply)
	}
	return nil
}
