// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package resp

import (
	"math"

	"github.com/uproar-db/uproar/server/resp/keyspace"
	"github.com/uproar-db/uproar/server/resp/wire"
)

// setCommands are the commands of sets.
var setCommands = []command{
	{"sadd", writes, -3, oneKey, sadd},
	{"srem", writes, -3, oneKey, srem},
	{"smove", writes, 4, twoKeys, smove},
	{"spop", writes, -2, oneKey, spop},
	{"sismember", reads, 3, oneKey, sismember},
	{"smismember", reads, -3, oneKey, smismember},
	{"scard", reads, 2, oneKey, scard},
	{"srandmember", wholes, -2, oneKey, srandmember},
	{"smembers", wholes, 2, oneKey, func(c *call) error { return c.combined((*keyspace.State).Intersect) }},
	{"sinter", wholes, -2, allKeys, func(c *call) error { return c.combined((*keyspace.State).Intersect) }},
	{"sunion", wholes, -2, allKeys, func(c *call) error { return c.combined((*keyspace.State).Unite) }},
	{"sdiff", wholes, -2, allKeys, func(c *call) error { return c.combined((*keyspace.State).Subtract) }},
	{"sinterstore", writes, -3, allKeys, func(c *call) error { return c.stored((*keyspace.State).Intersect) }},
	{"sunionstore", writes, -3, allKeys, func(c *call) error { return c.stored((*keyspace.State).Unite) }},
	{"sdiffstore", writes, -3, allKeys, func(c *call) error { return c.stored((*keyspace.State).Subtract) }},
	{"sintercard", wholes, -3, numbered, func(c *call) error { return c.counted((*keyspace.State).Intersect) }},
	{"sunioncard", wholes, -3, numbered, func(c *call) error { return c.counted((*keyspace.State).Unite) }},
	{"sdiffcard", wholes, -3, numbered, func(c *call) error { return c.counted((*keyspace.State).Subtract) }},
}

func sadd(c *call) error {
	r, err := c.st.Row(c.args[1])
	if err != nil {
		return err
	}
	n, err := r.Add(c.args[2:]...)
	if err == nil {
		c.w.Int(n)
	}
	return err
}

func srem(c *call) error {
	r, err := c.st.Row(c.args[1])
	if err != nil {
		return err
	}
	n, err := r.Remove(c.args[2:]...)
	if err == nil {
		c.w.Int(n)
	}
	return err
}

func smove(c *call) error {
	from, err := c.st.Row(c.args[1])
	if err != nil {
		return err
	}
	n, err := from.Len()
	if err != nil || n == 0 {
		c.w.Int(0)
		return err
	}
	to, err := c.st.Row(c.args[2])
	if err != nil {
		return err
	}
	has, err := from.Has(c.args[3])
	if err != nil {
		return err
	}
	if has && string(c.args[1]) != string(c.args[2]) {
		if _, err := from.Remove(c.args[3]); err != nil {
			return err
		}
		if _, err := to.Add(c.args[3]); err != nil {
			return err
		}
	}
	c.w.Bool(has)
	return nil
}

// mostPopped is how many members one command takes out of a set: its reply waits in memory until
// they are gone.
const mostPopped = 1 << 20

func spop(c *call) error {
	if len(c.args) > 3 {
		return errSyntax
	}
	if len(c.args) == 3 {
		n, ok := wire.ParseInt(c.args[2])
		if !ok || n < 0 {
			return errPositive
		}
		r, err := c.st.Row(c.args[1])
		if err != nil {
			return err
		}
		if size, err := r.Len(); err != nil {
			return err
		} else if min(uint64(n), size) > mostPopped {
			return replyError("ERR SPOP takes at most " + formatInt(mostPopped) + " members at a time")
		}
		m, err := r.Pop(uint64(n))
		if err != nil {
			return err
		}
		return c.list(m, c.w.Set)
	}
	r, err := c.st.Row(c.args[1])
	if err != nil {
		return err
	}
	member, ok, err := r.Random()
	if err == nil && ok {
		_, err = r.Remove(member)
	}
	switch {
	case err != nil:
	case ok:
		c.w.Bulk(member)
	default:
		c.w.Null()
	}
	return err
}

func sismember(c *call) error {
	r, err := c.st.Row(c.args[1])
	if err != nil {
		return err
	}
	has, err := r.Has(c.args[2])
	if err == nil {
		c.w.Bool(has)
	}
	return err
}

func smismember(c *call) error {
	r, err := c.st.Row(c.args[1])
	if err != nil {
		return err
	}
	c.w.Array(len(c.args) - 2)
	return r.HasEach(c.args[2:], c.w.Bool)
}

func scard(c *call) error {
	r, err := c.st.Row(c.args[1])
	if err != nil {
		return err
	}
	n, err := r.Len()
	if err == nil {
		c.w.Int(int64(n))
	}
	return err
}

func srandmember(c *call) error {
	if len(c.args) > 3 {
		return errSyntax
	}
	n := int64(0)
	if len(c.args) == 3 {
		var ok bool
		if n, ok = wire.ParseInt(c.args[2]); !ok {
			return errNotInteger
		}
		if n == math.MinInt64 {
			return replyError("ERR value is out of range, value must between -9223372036854775807 and 9223372036854775807")
		}
	}
	r, err := c.st.Row(c.args[1])
	if err != nil {
		return err
	}
	switch {
	case len(c.args) == 2:
		member, ok, err := r.Random()
		switch {
		case err != nil:
		case ok:
			c.w.Bulk(member)
		default:
			c.w.Null()
		}
		return err
	case n >= 0:
		m, err := r.Sample(uint64(n))
		if err != nil {
			return err
		}
		return c.list(m, c.w.Array)
	}
	size, err := r.Len()
	if err != nil || size == 0 {
		c.w.Array(0)
		return err
	}
	if -n > math.MaxInt32 {
		return replyError("ERR value is out of range")
	}
	c.w.Array(int(-n))
	for range -n {
		member, _, err := r.Random()
		if err != nil {
			return err
		}
		c.w.Bulk(member)
		if err := c.w.Err(); err != nil {
			return err
		}
	}
	return nil
}

// combine is an operation of sets.
type combine func(st *keyspace.State, keys ...[]byte) (*keyspace.Members, error)

// combined replies with a combination of sets.
func (c *call) combined(of combine) error {
	m, err := of(c.st, c.args[1:]...)
	if err != nil {
		return err
	}
	return c.list(m, c.w.Set)
}

// list replies with members. begin writes their number.
func (c *call) list(m *keyspace.Members, begin func(n int)) error {
	n, err := m.Len()
	if err != nil {
		return err
	}
	begin(int(n))
	return m.Each(func(member []byte) error {
		c.w.Bulk(member)
		return c.w.Err()
	})
}

// stored puts a combination of sets in the place of a key.
func (c *call) stored(of combine) error {
	m, err := of(c.st, c.args[2:]...)
	if err != nil {
		return err
	}
	n, err := c.st.Store(c.args[1], m)
	if err == nil {
		c.w.Int(int64(n))
	}
	return err
}

// counted replies with the number of members of a combination of sets.
func (c *call) counted(of combine) error {
	n, ok := wire.ParseInt(c.args[1])
	if !ok || n <= 0 {
		return replyError("ERR numkeys should be greater than 0")
	}
	if n > int64(len(c.args)-2) {
		return replyError("ERR Number of keys can't be greater than number of args")
	}
	limit := int64(0)
	for rest := int(2 + n); rest < len(c.args); rest++ {
		switch {
		case c.arg(rest) == "approx" && c.command.name == "sunioncard": // what is exact is close, too
		case c.arg(rest) == "limit" && rest+1 < len(c.args):
			rest++
			if limit, ok = wire.ParseInt(c.args[rest]); !ok || limit < 0 {
				return replyError("ERR LIMIT can't be negative")
			}
		default:
			return errSyntax
		}
	}
	m, err := of(c.st, c.args[2:2+n]...)
	if err != nil {
		return err
	}
	count, err := m.Count(uint64(limit))
	if err == nil {
		c.w.Int(int64(count))
	}
	return err
}
