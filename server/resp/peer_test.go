// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package resp

import (
	"fmt"
	"math/rand/v2"
	"net"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"
)

// redisServer starts the server of Redis and returns its address.
func redisServer(t *testing.T) string {
	t.Helper()
	program, err := exec.LookPath("redis-server")
	if err != nil {
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
	return d.of("0", "1", "2", "3", "100", "-1", "-3", "x", "", "1.5", "9223372036854775807", "-9223372036854775808",
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
	switch d.IntN(34) {
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
		return with(d.of("EXPIRE", "PEXPIRE", "EXPIREAT", "PEXPIREAT"), one(d.key()), one(d.of("1000000", "2000000",
			"0", "-1", "x", "99999999999999", "9223372036854775807", "4000000000000")), d.options())
	case 26:
		return with(d.of("TTL", "EXPIRETIME"), one(d.key()))
	case 27:
		return with("PERSIST", one(d.key()))
	case 28:
		return with("SET", one(d.of("a", "b")), one("x"))
	case 29:
		return with("COPY", one(d.key()), one(d.key()), [][]string{nil, {"REPLACE"}, {"x"}}[d.IntN(3)])
	case 30:
		return with("SSCAN", one(d.key()), one(d.of("0", "x", "-1x", "")), [][]string{{"count", "999"},
			{"COUNT", "1000"}, {"COUNT", "0"}, {"COUNT", "x"}, {"MATCH", "[0-9]", "COUNT", "1000"}, {"FOO", "1"},
			{"COUNT"}}[d.IntN(7)])
	case 31: // too few or too many arguments, and what there is not
		c := d.command()
		c = append(c[:1+d.IntN(len(c))], d.members(2)[:d.IntN(2)]...)
		if c[0] == "SPOP" || c[0] == "SRANDMEMBER" || len(c) >= 3 && c[0] == "SSCAN" || c[0] == "EXPIRE" ||
			c[0] == "PEXPIRE" { // what ends within the test ends at one of the two first
			c = c[:1]
		}
		return c
	case 32:
		return with(d.of("MULTI", "EXEC", "DISCARD", "WATCH", "UNWATCH"), d.keys(2)[:d.IntN(2)])
	default:
		return with(d.of("FOO", "PING", "ECHO", "SELECT", "FLUSHALL", "OBJECT"), d.members(2)[:d.IntN(2)])
	}
}

func (d drawing) options() (o []string) {
	for range d.IntN(3) {
		o = append(o, d.of("NX", "xx", "GT", "LT", "ZZ"))
	}
	return o
}

// unlike are commands whose words differ for a reason; see docs/redis.md.
var unlike = regexp.MustCompile(`(?i)^(FLUSHALL|OBJECT|SELECT)$`)

// TestAgainstRedis sends the same random commands to the server of Redis and to this one, one by
// one and in pipelines, in both versions of the protocol. All replies are equal, but for the order
// in sets.
func TestAgainstRedis(t *testing.T) {
	peer := redisServer(t)
	rounds := 30
	if testing.Short() {
		rounds = 10
	}
	for round := range rounds {
		seed := rand.Uint64()
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			addr, _ := serve(t, Options{})
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
