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

// TestKilledLargeSets renames a set that is too large for one commit, and stores it in its own
// place, while the server is killed: whichever key it has then, none of its members is lost.
func TestKilledLargeSets(t *testing.T) {
	rounds := 6
	if testing.Short() {
		rounds = 2
	}
	const members = 140_000
	dir := filepath.Join(t.TempDir(), "db")
	ask := func(c *redisConn, words ...string) (int, error) {
		if _, err := fmt.Fprintf(c, "%s\r\n", strings.Join(words, " ")); err != nil {
			return 0, err
		}
		line, _, err := c.reply()
		if err != nil {
			return 0, err
		}
		return strconv.Atoi(strings.TrimLeft(line, ":+OK"))
	}
	must := func(c *redisConn, words ...string) int {
		t.Helper()
		n, err := ask(c, words...)
		if err != nil {
			t.Fatalf("%.40q: %v", words, err)
		}
		return n
	}
	interrupted := 0
	for round := range killRounds(t, rounds) + 1 {
		cmd, addr := serveSets(t, dir)
		c, err := dialRedis(addr)
		if err != nil {
			t.Fatal(err)
		}
		if round == 0 {
			for i := 0; i < members; i += 5000 {
				add := []string{"SADD", "one"}
				for k := range 5000 {
					add = append(add, fmt.Sprint("m", i+k))
				}
				must(c, add...)
			}
		}
		from, to := "one", "two"
		if must(c, "SCARD", from) < members {
			from, to = to, from
		}
		if n := must(c, "SCARD", from); n < members {
			t.Fatalf("after %d kills: got %d members, want %d in one of the keys", round, n, members)
		}
		must(c, "SADD", "other", fmt.Sprint("x", round))
		time.AfterFunc(time.Duration(rand.Int64N(int64(400*time.Millisecond))), func() { _ = cmd.Process.Kill() })
		for {
			if _, err = ask(c, "SUNIONSTORE", from, from, "other"); err == nil {
				_, err = fmt.Fprintf(c, "RENAME %s %s\r\n", from, to)
			}
			if err == nil {
				_, _, err = c.reply()
			}
			if err != nil {
				interrupted++
				break
			}
			from, to = to, from
		}
		_ = c.Close()
		_ = cmd.Wait()
	}
	if interrupted == 0 {
		t.Error("no command was interrupted: nothing was tested")
	}
}
