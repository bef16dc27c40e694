// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package resp

import "github.com/uproar-db/uproar/server/resp/keyspace"

// placeholderCommands make keys that have a type and no value. They are there for tests of Redis
// that want a key of another type (Options.Placeholders), and are unknown otherwise: no value is
// taken and lost.
var placeholderCommands = []command{
	{"set", writes, -3, oneKey, func(c *call) error { return c.typed("string", func() { c.w.Status("OK") }) }},
	{"lpush", writes, -3, oneKey, func(c *call) error { return c.typed("list", func() { c.w.Int(c.values()) }) }},
	{"zadd", writes, -4, oneKey, func(c *call) error { return c.typed("zset", func() { c.w.Int(c.values() / 2) }) }},
}

func (c *call) typed(kind string, reply func()) error {
	if kind == "string" && len(c.args) > 3 {
		return errSyntax
	}
	if kind != "string" {
		if is, err := c.st.Type(c.args[1]); err != nil {
			return err
		} else if is != kind && is != keyspace.NoType {
			return errWrongType
		}
	}
	if err := c.st.SetType(c.args[1], kind); err != nil {
		return err
	}
	reply()
	return nil
}

// values returns the number of arguments after the key.
func (c *call) values() int64 { return int64(len(c.args) - 2) }
