// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package resp

import (
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// redisServer starts the server of Redis and returns its address.
func redisServer(t *testing.T) string {
	t.Helper()
	program, err := exec.LookPath("redis-server")
	if err != nil && os.Getenv("CI") == "true" {
		t.Fatal("there is no redis-server, though CI=true")
	} else if err != nil {
		t.Skip("there is no redis-server on this machine to compare with")
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(ln.Addr().String())
	_ = ln.Close()
	cmd := exec.Command(program, "--port", port, "--bind", "127.0.0.1", "--save", "", "--appendonly",
		"no", "--dir", t.TempDir())
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	addr := "127.0.0.1:" + port
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		if conn, err := net.Dial("tcp", addr); err == nil {
			_ = conn.Close()
			return addr
		} else if time.Now().After(deadline) {
			t.Fatal(err)
		}
	}
}

// drawing draws random commands.
type drawing struct{ *rand.Rand }

func (d drawing) of(list ...string) string { return list[d.IntN(len(list))] }

func (d drawing) key() string { return d.of("a", "b", "c", "d", "e", "", "k\x00\xff", `\!a`) }

func (d drawing) member() string {
	switch d.IntN(12) {
	case 0:
		return d.of("", "\x00", "\xff\xfe", `\`, `\:a`, `\!a`, `\@1:ab`, "a\r\nb", strings.Repeat("long", 200))
	case 1:
		return d.of("007", "7", "-0", "07")
	}
	return fmt.Sprint(d.IntN(30))
}

func (d drawing) members(most int) (list []string) {
	for range 1 + d.IntN(most) {
		list = append(list, d.member())
	}
	return list
}

func (d drawing) keys(most int) (list []string) {
	for range 1 + d.IntN(most) {
		list = append(list, d.key())
	}
	return list
}

func (d drawing) number() string {
	return d.of("0", "1", "2", "3", "100", "-1", "-3", "x", "", "1.5", "9223372036854775807",
		"-9223372036854775808",
		"99999999999999999999", "007")
}

// command returns a command whose reply does not depend on chance.
func (d drawing) command() []string {
	with := func(name string, rest ...[]string) []string {
		all := []string{name}
		for _, r := range rest {
			all = append(all, r...)
		}
		return all
	}
	one := func(s string) []string { return []string{s} }
	switch d.IntN(40) {
	case 0, 1, 2, 3, 4, 5:
		return with(d.of("SADD", "sadd", "SAdd"), one(d.key()), d.members(6))
	case 6, 7:
		return with("SREM", one(d.key()), d.members(4))
	case 8:
		return with("SMOVE", one(d.key()), one(d.key()), one(d.member()))
	case 9:
		return with("SISMEMBER", one(d.key()), one(d.member()))
	case 10:
		return with("SMISMEMBER", one(d.key()), d.members(5))
	case 11:
		return with("SCARD", one(d.key()))
	case 12:
		return with(d.of("SMEMBERS", "SUNION"), one(d.key()))
	case 13, 14:
		return with(d.of("SINTER", "SUNION", "SDIFF"), d.keys(4))
	case 15, 16:
		return with(d.of("SINTERSTORE", "SUNIONSTORE", "SDIFFSTORE"), d.keys(4))
	case 17:
		keys := d.keys(3)
		n := fmt.Sprint(len(keys))
		if d.IntN(4) == 0 {
			n = d.number()
		}
		rest := []string(nil)
		if d.IntN(2) == 0 {
			rest = []string{d.of("LIMIT", "limit", "X"), d.number()}[:1+d.IntN(2)]
		}
		return with("SINTERCARD", one(n), keys, rest)
	case 18:
		return with("SPOP", one(d.key()), one(d.of("0", "1000", "-1", "x", "99999999999999999999")))
	case 19:
		return with("SRANDMEMBER", one(d.key()), one(d.of("0", "1000", "x", "-9223372036854775808")))
	case 20:
		return with(d.of("DEL", "UNLINK", "EXISTS", "TOUCH"), d.keys(3))
	case 21:
		return with("TYPE", one(d.key()))
	case 22:
		return with(d.of("RENAME", "RENAMENX"), one(d.key()), one(d.key()))
	case 23:
		return with("KEYS", one(d.of("*", "[a-c]", "?", "", "[^a]", "k*", `\\*`)))
	case 24:
		return with("DBSIZE")
	case 25:
		return with(d.of("EXPIRE", "PEXPIRE", "EXPIREAT",
			"PEXPIREAT"), one(d.key()), one(d.of("1000000", "2000000",
			"0", "-1", "x", "99999999999999", "9223372036854775807", "4000000000000")), d.options())
	case 26:
		return with(d.of("TTL", "EXPIRETIME"), one(d.key()))
	case 27:
		return with("PERSIST", one(d.key()))
	case 28:
		return with("SET", one(d.of("a", "b")), one("x"))
	case 29:
		return with("COPY", one(d.key()), one(d.key()), [][]string{nil, {"REPLACE"}, {"x"},
			{"DB", "x"}, {"DB", "0", "REPLACE"}, {"DB", "99"}, {"DB", "3000000000"}, {"DB"}}[d.IntN(8)])
	case 30:
		return with("SSCAN", one(d.key()), one(d.of("0", "x", "-1x", "")), [][]string{{"count", "999"},
			{"COUNT", "1000"}, {"COUNT", "0"}, {"COUNT", "x"}, {"MATCH", "[0-9]", "COUNT",
				"1000"}, {"FOO", "1"},
			{"COUNT"}}[d.IntN(7)])
	case 31: // too few or too many arguments, and what there is not
		c := d.command()
		c = append(c[:1+d.IntN(len(c))], d.members(2)[:d.IntN(2)]...)
		switch c[0] {
		case "SPOP", "SRANDMEMBER", "SSCAN", "EXPIRE", "PEXPIRE", "SCAN", "CONFIG",
			"CLIENT": // of chance, time, or places
			return c[:1]
		case "COMMAND", "INFO", "HELLO", "TIME", "RESET", "RANDOMKEY", "OBJECT": // whose words differ
			return one("FOO")
		}
		return c
	case 32:
		return with(d.of("MULTI", "EXEC", "DISCARD", "WATCH", "UNWATCH"), d.keys(2)[:d.IntN(2)])
	case 33:
		return one(d.of("MULTI", "EXEC"))
	case 34, 35: // subcommands, also wrong ones
		return strings.Fields(d.of("CLIENT foo", "CLIENT SETNAME", "CLIENT setname a",
			"CLIENT GETNAME x", "CLIENT GETNAME",
			"CLIENT ID x", "CLIENT INFO x", "CLIENT LIST x", "CLIENT LIST TYPE x", "CLIENT LIST TYPE pubsub",
			"CLIENT LIST ID", "CLIENT LIST ID x", "CLIENT LIST ID 999999", "CLIENT NO-EVICT",
			"CLIENT NO-EVICT x",
			"CLIENT NO-EVICT on", "CLIENT KILL", "CLIENT KILL 1.2.3.4:5", "CLIENT KILL ID x",
			"CLIENT KILL ID 0",
			"CLIENT KILL ID 999999", "CLIENT KILL ADDR", "CLIENT KILL FOO bar",
			"CLIENT KILL ADDR x SKIPME maybe",
			"CLIENT KILL TYPE x", "CLIENT", "CONFIG", "CONFIG foo", "CONFIG GET", "CONFIG GET nosuch",
			"CONFIG GET SAVE", "CONFIG GET set-max-intset-entries SET-MAX-intset-entries",
			"CONFIG GET SET-MAX-intset-entrie*", "CONFIG SET", "CONFIG SET a", "CONFIG SET save x save y",
			"CLIENT KILL USER nosuch", "CONFIG RESETSTAT x", "CONFIG RESETSTAT",
			"CONFIG SET set-max-intset-entries 512", "OBJECT", "OBJECT foo", "OBJECT ENCODING", "OBJECT foo a",
			"OBJECT ENCODING a b", "OBJECT ENCODING nosuch", "OBJECT refcount", "COMMAND foo",
			"COMMAND INFO nosuch",
			"COMMAND COUNT x", "COMMAND DOCS nosuch", "COMMAND LIST x", "COMMAND LIST FILTERBY PATTERN sint*r",
			"COMMAND LIST FILTERBY MODULE x", "COMMAND LIST FILTERBY", "COMMAND GETKEYS", "COMMAND GETKEYS foo",
			"COMMAND GETKEYS ping", "COMMAND GETKEYS sadd k", "COMMAND GETKEYS sadd k a b",
			"COMMAND GETKEYS SINTER a b c",
			"COMMAND GETKEYS sintercard 2 a b LIMIT 1", "COMMAND GETKEYS sintercard 3 a b",
			"COMMAND GETKEYS sintercard x a b",
			"COMMAND GETKEYS rename a b", "COMMAND GETKEYS sunionstore a b c", "COMMAND GETKEYS smove a b c",
			"COMMAND GETKEYS object encoding k", "COMMAND GETKEYS sscan k 0", "COMMAND GETKEYS del a b",
			"FUNCTION foo", "FUNCTION FLUSH x", "FUNCTION FLUSH", "FUNCTION LIST", "FUNCTION"))
	case 36:
		return strings.Fields(d.of("WAIT 0 0", "WAIT x 0", "WAIT 0 x", "WAIT 0 -1", "WAIT 0",
			"PING a b", "PING a", "ECHO",
			"HELLO 4", "HELLO x", "HELLO 3 FOO", "AUTH a b c d", "AUTH default", "SELECT 0",
			"SELECT -1", "SELECT 0 1",
			"RESET x", "TIME x", "DBSIZE x", "RANDOMKEY x", "INFO nosuch", "HELLO 3 SETNAME", "HELLO 2 AUTH a"))
	case 37, 38:
		return append(strings.Fields(d.of("SCAN 0", "SCAN +0", "SCAN -0", "SCAN x", "SCAN 1x",
			"SCAN 99999999999999999999",
			"SCAN -x", "SCAN 0x1", "SCAN +", "SCAN")), strings.Fields(d.of("COUNT 1000",
			"COUNT 999 MATCH [abc]*", "COUNT 0",
			"COUNT x", "COUNT", "TYPE set COUNT 1000", "TYPE string COUNT 1000",
			"TYPE nosuch COUNT 1000", "FOO", "FOO 1",
			"MATCH a COUNT 1000 MATCH * "))...)
	default:
		return with(d.of("FOO", "PING", "ECHO", "SELECT", "FLUSHALL"), d.members(2)[:d.IntN(2)])
	}
}

func (d drawing) options() (o []string) {
	for range d.IntN(3) {
		o = append(o, d.of("NX", "xx", "GT", "LT", "ZZ"))
	}
	return o
}

// unlike are commands whose words differ for a reason; see docs/redis.md.
var unlike = regexp.MustCompile(`(?i)^(FLUSHALL|SELECT)$`)

// TestAgainstRedis sends the same random commands to the server of Redis and to this one, one by
// one and in pipelines, in both versions of the protocol. All replies are equal, but for the order
// in sets.
func TestAgainstRedis(t *testing.T) {
	peer := redisServer(t)
	rounds := 30
	if testing.Short() {
		rounds = 10
	}
	if n, err := strconv.Atoi(os.Getenv("UPROAR_ROUNDS")); err == nil {
		rounds = n
	}
	for round := range rounds {
		seed := rand.Uint64()
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			addr, _ := serve(t, Options{Placeholders: true})
			d := drawing{rand.New(rand.NewPCG(seed, 1))}
			ours, theirs := dial(t, addr), dial(t, peer)
			theirs.ask("FLUSHALL")
			if round%2 == 1 {
				ours.ask("HELLO", "3")
				theirs.ask("HELLO", "3")
			}
			var history [][]string
			for step := 0; step < 600; {
				var some [][]string
				for range 1 + d.IntN(8)*d.IntN(4) {
					if c := d.command(); !unlike.MatchString(c[0]) || len(c) == 1 && c[0] != "FLUSHALL" {
						some = append(some, c)
					}
				}
				ours.send(some...)
				theirs.send(some...)
				for _, c := range some {
					step++
					got, err := readReply(ours.r, true)
					if err != nil {
						t.Fatal(err)
					}
					want, err := readReply(theirs.r, true)
					if err != nil {
						t.Fatal(err)
					}
					history = append(history, c)
					if got != want {
						t.Fatalf("command %d, %q:\ngot  %s\nwant %s\nafter %q", step, c, got, want,
							history[max(0, len(history)-25):])
					}
				}
			}
		})
	}
}

// TestObjectAgainstRedis asks about the values of keys outside of transactions: within one, the
// server of Redis also counts the argument of a queued SET as a reference to its value. What it
// calls a small set of strings depends on its version.
func TestObjectAgainstRedis(t *testing.T) {
	addr, _ := serve(t, Options{Placeholders: true})
	ours, theirs := dial(t, addr), dial(t, redisServer(t))
	for _, line := range []string{
		"SADD a 1 2 3", "OBJECT REFCOUNT a", "OBJECT ENCODING a", "OBJECT IDLETIME a",
		"SADD a x", "OBJECT refcount a", "SADD a " + strings.Repeat("y", 65), "OBJECT encoding a",
		"SET b x", "OBJECT REFCOUNT b", "OBJECT ENCODING b", "OBJECT REFCOUNT nosuch", "OBJECT IDLETIME nosuch",
	} {
		if got, want := ours.ask(strings.Fields(line)...), theirs.ask(strings.Fields(line)...); got != want {
			t.Errorf("%s: got %s, want %s", line, got, want)
		}
	}
}
