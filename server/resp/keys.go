// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package resp

import (
	"bytes"
	"math"
	"strconv"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/server/resp/keyspace"
	"github.com/uproar-db/uproar/server/resp/wire"
)

// keyCommands are the commands of keys, whatever their type.
var keyCommands = []command{
	{"del", writes, -2, allKeys, del},
	{"unlink", writes, -2, allKeys, del},
	{"exists", reads, -2, allKeys, exists},
	{"touch", reads, -2, allKeys, exists},
	{"type", reads, 2, oneKey, typeOf},
	{"rename", writes, 3, twoKeys, rename},
	{"renamenx", writes, 3, twoKeys, rename},
	{"copy", writes, -3, twoKeys, copyKey},
	{"dbsize", wholes, 1, noKeys, dbsize},
	{"flushdb", writes, -1, noKeys, flush},
	{"flushall", writes, -1, noKeys, flush},
	{"keys", wholes, 2, noKeys, keys},
	{"randomkey", wholes, 1, noKeys, randomKey},
	{"scan", wholes, -2, noKeys, scan},
	{"sscan", wholes, -3, oneKey, scan},
	{"object", wholes, -2, noKeys, object},
	{"up.query", wholes, -3, noKeys, upQuery},
}

func del(c *call) error {
	n := int64(0)
	for _, key := range c.args[1:] {
		was, err := c.st.Delete(key)
		if err != nil {
			return err
		}
		if was {
			n++
		}
	}
	c.w.Int(n)
	return nil
}

func exists(c *call) error {
	n := int64(0)
	for _, key := range c.args[1:] {
		is, err := c.st.Exists(key)
		if err != nil {
			return err
		}
		if is {
			n++
		}
	}
	c.w.Int(n)
	return nil
}

func typeOf(c *call) error {
	kind, err := c.st.Type(c.args[1])
	if err == nil {
		c.w.Status(kind)
	}
	return err
}

func rename(c *call) error {
	is, err := c.st.Exists(c.args[1])
	if err != nil {
		return err
	}
	if !is {
		return errNoKey
	}
	polite, taken := c.command.name == "renamenx", false
	if polite {
		if taken, err = c.st.Exists(c.args[2]); err != nil {
			return err
		}
	}
	if !taken && string(c.args[1]) != string(c.args[2]) {
		if err := c.st.Rename(c.args[1], c.args[2]); err != nil {
			return err
		}
	}
	if polite {
		c.w.Bool(!taken)
	} else {
		c.w.Status("OK")
	}
	return nil
}

func copyKey(c *call) error {
	replace := false
	for i := 3; i < len(c.args); i++ {
		switch {
		case c.arg(i) == "replace":
			replace = true
		case c.arg(i) == "db" && i+1 < len(c.args):
			i++
			n, err := c.int(i)
			switch {
			case err != nil:
				return err
			case n < math.MinInt32 || n > math.MaxInt32:
				return replyError("ERR value is out of range, value must between -2147483648 and 2147483647")
			case n != 0:
				return replyError("ERR DB index is out of range")
			}
		default:
			return errSyntax
		}
	}
	if string(c.args[1]) == string(c.args[2]) {
		return replyError("ERR source and destination objects are the same")
	}
	done, err := c.st.Copy(c.args[1], c.args[2], replace)
	if err == nil {
		c.w.Bool(done)
	}
	return err
}

func dbsize(c *call) error {
	n, err := c.st.Size()
	if err == nil {
		c.w.Int(n)
	}
	return err
}

func flush(c *call) error {
	if len(c.args) > 2 || len(c.args) == 2 && c.arg(1) != "async" && c.arg(1) != "sync" {
		return errSyntax
	}
	if err := c.st.Clear(); err != nil {
		return err
	}
	c.w.Status("OK")
	return nil
}

// keysAtOnce is how many keys are read together.
const keysAtOnce = 1000

// eachKey calls fn with each key.
func (c *call) eachKey(fn func(key keyspace.Key) error) error {
	for cursor := uint64(0); ; {
		some, next, err := c.st.ScanKeys(cursor, keysAtOnce)
		if err != nil {
			return err
		}
		for _, key := range some {
			if err := fn(key); err != nil {
				return err
			}
		}
		if cursor = next; cursor == 0 {
			return nil
		}
	}
}

func keys(c *call) error {
	var found [][]byte
	bytes, granted := 0, 0
	defer func() { _ = c.server.grow(-granted) }()
	pattern := compile(c.args[1], wanted(c))
	err := c.eachKey(func(key keyspace.Key) error {
		if fits, err := pattern.match(key.Raw); err != nil || !fits {
			return err
		}
		found, bytes = append(found, key.Raw), bytes+len(key.Raw)+32
		if bytes <= granted+wire.SmallBytes {
			return nil
		}
		more := max(bytes-granted, wire.SendAt)
		if bytes > 2*wire.MaxHeld || c.server.grow(more) != nil {
			return replyError("ERR too many keys: use SCAN")
		}
		granted += more
		return nil
	})
	if err != nil {
		return err
	}
	c.w.Array(len(found))
	for _, key := range found {
		c.w.Bulk(key)
	}
	return nil
}

func randomKey(c *call) error {
	key, ok, err := c.st.RandomKey()
	switch {
	case err != nil:
	case ok:
		c.w.Bulk(key)
	default:
		c.w.Null()
	}
	return err
}

// mostScanned is how many members or keys one step of a scan looks at, whatever COUNT says.
const mostScanned = 1 << 16

// scan is SCAN, and SSCAN, which has a key before its cursor.
func scan(c *call) error {
	ofKeys := c.command.name == "scan"
	at := 2
	if ofKeys {
		at = 1
	}
	cursor, err := scanCursor(c.args[at])
	if err != nil {
		return err
	}
	var r *keyspace.Row
	if !ofKeys { // a key that is not there has nothing to be chosen from, by whatever option
		if r, err = c.st.Row(c.args[1]); err != nil {
			return err
		}
		if n, err := r.Len(); err != nil || n == 0 {
			c.scanned(0, nil)
			return err
		}
	}
	count, pattern, kind := int64(10), []byte(nil), ""
	for i := at + 1; i < len(c.args); i += 2 {
		switch option := c.arg(i); {
		case i+1 == len(c.args):
			return errSyntax
		case option == "count":
			if count, err = c.int(i + 1); err != nil {
				return err
			}
			if count < 1 {
				return errSyntax
			}
		case option == "match":
			pattern = c.args[i+1]
		case option == "type" && ofKeys:
			kind = c.arg(i + 1)
		default:
			return errSyntax
		}
	}
	count = min(count, mostScanned)
	var found [][]byte
	next := uint64(0)
	if ofKeys {
		var some []keyspace.Key
		if some, next, err = c.st.ScanKeys(cursor, int(count)); err != nil {
			return err
		}
		for _, key := range some {
			if kind == "" || key.Type == kind {
				found = append(found, key.Raw)
			}
		}
	} else if found, next, err = r.ScanMembers(cursor, int(count)); err != nil {
		return err
	}
	if pattern != nil {
		matching, of := found[:0], compile(pattern, wanted(c))
		for _, text := range found {
			fits, err := of.match(text)
			if err != nil {
				return err
			}
			if fits {
				matching = append(matching, text)
			}
		}
		found = matching
	}
	c.scanned(next, found)
	return nil
}

// scanCursor reads a cursor as the C library does: no text is 0, there may be a sign, and a
// negative number is one from behind the end.
func scanCursor(text []byte) (uint64, error) {
	text, _, _ = bytes.Cut(text, []byte{0})
	if len(text) == 0 {
		return 0, nil
	}
	digits := text
	if text[0] == '-' || text[0] == '+' {
		digits = text[1:]
	}
	n, err := strconv.ParseUint(string(digits), 10, 64)
	if err != nil {
		return 0, replyError("ERR invalid cursor")
	}
	if text[0] == '-' && n > 0 {
		return math.MaxInt64, nil
	}
	return n, nil
}

// scanned replies with one step of a scan.
func (c *call) scanned(next uint64, found [][]byte) {
	c.w.Array(2)
	c.w.Text(strconv.FormatUint(next, 10))
	c.w.Array(len(found))
	for _, text := range found {
		c.w.Bulk(text)
	}
}

func object(c *call) error {
	if c.arg(1) == "help" {
		c.help("ENCODING <key>", "IDLETIME <key>", "REFCOUNT <key>")
		return nil
	}
	kind, err := c.st.Type(c.args[2])
	if err != nil {
		return err
	}
	if kind == keyspace.NoType {
		c.w.Null()
		return nil
	}
	if sub := c.arg(1); sub != "encoding" {
		c.w.Bool(sub == "refcount")
		return nil
	}
	if kind != keyspace.SetType {
		c.w.Text(map[string]string{"string": "embstr", "list": "quicklist", "zset": "listpack"}[kind])
		return nil
	}
	form, err := c.encoding(c.args[2])
	if err == nil {
		c.w.Text(form)
	}
	return err
}

// mostEncoded is up to how many members it is looked whether all are integers.
const mostEncoded = 1 << 16

// encoding returns what Redis would call the form of a set with these members.
func (c *call) encoding(key []byte) (string, error) {
	c.server.mu.Lock()
	most := min(uint64(c.server.number("set-max-intset-entries")), mostEncoded)
	c.server.mu.Unlock()
	r, err := c.st.Row(key)
	if err != nil {
		return "", err
	}
	n, err := r.Len()
	if err != nil || n > most {
		return "hashtable", err
	}
	m, err := c.st.Unite(key)
	if err != nil {
		return "", err
	}
	form := "intset"
	err = m.Each(func(member []byte) error {
		if _, ok := wire.ParseInt(member); !ok {
			form = "hashtable"
		}
		return nil
	})
	return form, err
}

// upQuery is UP.QUERY index query [COUNT | LIMIT n]: the keys of the records of any index that a
// query fits, or how many there are.
func upQuery(c *call) error {
	limit := int64(0)
	switch {
	case len(c.args) == 3:
	case len(c.args) == 4 && c.arg(3) == "count":
		limit = -1
	case len(c.args) == 5 && c.arg(3) == "limit":
		n, err := c.int(4)
		if err != nil || n < 1 || n > math.MaxInt32 {
			return errPositive
		}
		limit = n
	default:
		return errSyntax
	}
	begin := func(n uint64) { c.w.Array(int(n)) }
	if limit < 0 {
		begin = func(n uint64) { c.w.Int(int64(n)) }
	}
	ctx := c.ctx
	if most := c.server.opts.Query; most > 0 {
		ctx = uproar.LimitQueries(ctx, most)
	}
	return c.st.Find(ctx, string(c.args[1]), string(c.args[2]), int(limit), begin,
		func(key []byte) error {
			c.w.Bulk(key)
			return c.w.Err()
		})
}
