// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// number sends a command whose reply is a number, or OK, which is 0.
func (c *redisConn) number(words ...string) (int, error) {
	if _, err := fmt.Fprintf(c, "%s\r\n", strings.Join(words, " ")); err != nil {
		return 0, err
	}
	line, _, err := c.reply()
	if err != nil || line == "+OK" {
		return 0, err
	}
	return strconv.Atoi(strings.TrimPrefix(line, ":"))
}

// TestKilledLargeSets renames a set that is too large for a commit, stores it in its own place and
// in that of another, while the server is killed: whichever key it has then, none of its members is
// lost, nor one of the key in whose place it was to be put, and keys end as before the command or
// as after it.
func TestKilledLargeSets(t *testing.T) {
	rounds := 6
	if testing.Short() {
		rounds = 2
	}
	const members = 140_000
	dir := filepath.Join(t.TempDir(), "db")
	from, to := "one", "two"
	steps := []func(c *redisConn) (int, error){
		func(c *redisConn) (int, error) { return c.number("SADD", to, "own1", "own2") },
		func(c *redisConn) (int, error) { return c.number("EXPIRE", from, "1000000") },
		func(c *redisConn) (int, error) { return c.number("DEL", "kept") },
		func(c *redisConn) (int, error) { return c.number("SADD", "kept", "own1") },
		func(c *redisConn) (int, error) { return c.number("EXPIRE", "kept", "1000000") },
		func(c *redisConn) (int, error) { return c.number("SUNIONSTORE", "kept", from, "other") },
		func(c *redisConn) (int, error) { return c.number("RENAME", from, to) },
		func(c *redisConn) (int, error) { return c.number("SUNIONSTORE", to, to, "other") },
	}
	const storing, renaming, storingOwn = 5, 6, 7
	interrupted, step := 0, 0
	for round := range killRounds(t, rounds) + 1 {
		cmd, addr := serveSets(t, dir)
		c, err := dialRedis(addr)
		if err != nil {
			t.Fatal(err)
		}
		must := func(words ...string) int {
			t.Helper()
			n, err := c.number(words...)
			if err != nil {
				t.Fatalf("%.40q: %v", words, err)
			}
			return n
		}
		if round == 0 {
			for i := 0; i < members; i += 5000 {
				add := []string{"SADD", from}
				for k := range 5000 {
					add = append(add, fmt.Sprint("m", i+k))
				}
				must(add...)
			}
		}
		// Of the command that was cut off: all, or what was there before, with members too many.
		check := func(key string, least int, timed bool) {
			t.Helper()
			n, ttl := must("SCARD", key), must("TTL", key)
			if n < least || timed != (ttl > 10_000) || !timed && ttl != -1 {
				t.Fatalf("after %d kills, in step %d, %s: got %d members for %d s, want %d, with a time: %v", round, step,
					key, n, ttl, least, timed)
			}
		}
		switch {
		case step == storing:
			check(from, members, true)
			if must("TTL", "kept") == -1 {
				check("kept", members, false)
			} else {
				check("kept", 1, true)
			}
			if must("SISMEMBER", "kept", "own1") == 0 {
				check("kept", members, false)
			}
		case step == renaming && must("EXISTS", from) == 1:
			check(from, members, true)
			check(to, 2, false)
			if must("SISMEMBER", to, "own1")+must("SISMEMBER", to, "own2") < 2 {
				t.Fatalf("after %d kills: a rename that was not made has taken out members of %s", round, to)
			}
		case step == renaming:
			check(to, members, true)
			step++
		case step == storingOwn:
			check(to, members, must("TTL", to) != -1)
		default:
			check(from, members, must("TTL", from) != -1)
		}
		must("SADD", "other", fmt.Sprint("x", round))
		time.AfterFunc(time.Duration(rand.Int64N(int64(400*time.Millisecond))), func() { _ = cmd.Process.Kill() })
		for {
			if _, err = steps[step](c); err != nil {
				interrupted++
				break
			}
			if step++; step == len(steps) {
				from, to, step = to, from, 0
			}
		}
		_ = c.Close()
		_ = cmd.Wait()
	}
	if interrupted == 0 {
		t.Error("no command was interrupted: nothing was tested")
	}
}
