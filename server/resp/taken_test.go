// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package resp

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/uproar-db/uproar"
)

// TestTokenTaken takes a token away from a connection that has given it.
func TestTokenTaken(t *testing.T) {
	var gone atomic.Bool
	addr, _ := serve(t, Options{Allow: func(token string) (string, Access) {
		if token != "writes" || gone.Load() {
			return "", Nobody
		}
		return "bob", Writer
	}})
	c := dial(t, addr)
	c.words("AUTH writes", "+OK")
	c.words("SADD s 1", ":1")
	gone.Store(true)
	time.Sleep(lookAgain + 100*time.Millisecond)
	c.words("SADD s 2", "-NOAUTH Authentication required.")
	c.words("AUTH writes", "-WRONGPASS invalid username-password pair or user is disabled.")
}

// TestTimesLeft: others take a key and a member away, and leave their times. What is made anew
// under the same names has none.
func TestTimesLeft(t *testing.T) {
	addr, db := serve(t, Options{})
	c := dial(t, addr)
	c.words("SADD cart x", ":1")
	c.words("EXPIRE cart 2", ":1")
	c.words("SADD kept x y", ":2")
	c.words("SEXPIRE kept 2 MEMBERS 1 x", "*[:1]")
	ix, err := db.Index("redis")
	if err != nil {
		t.Fatal(err)
	}
	var b uproar.Batch
	b.Clear("sets", "x", "cart")
	b.Clear("sets", "x", "kept")
	if _, err := ix.Write(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	c.words("TTL cart", ":-2")
	c.words("SADD cart new", ":1")
	c.words("TTL cart", ":-1")
	c.words("SADD kept x", ":1")
	c.words("STTL kept MEMBERS 1 x", "*[:-1]")
	time.Sleep(2500 * time.Millisecond)
	c.words("SMEMBERS cart", `*["new"]`)
	c.words("SCARD kept", ":2")
}

// TestQueryLimit: a query of UP.QUERY takes as much memory as it may, and no more.
func TestQueryLimit(t *testing.T) {
	parts := make([]string, 4) // up to 32 lists are walked beside one another, and so are those of each part
	for i := range parts {
		var sets []string
		for k := range 32 {
			sets = append(sets, fmt.Sprintf("sets = s%d", i*32+k))
		}
		parts[i] = "(" + strings.Join(sets, " or ") + ")"
	}
	for _, c := range []struct {
		most int64
		want string
	}{{0, ":20"}, {1 << 20, "-ERR eval: query too large"}} {
		addr, db := serve(t, Options{Query: c.most})
		ix, err := db.Index("redis")
		if err != nil {
			t.Fatal(err)
		}
		var b uproar.Batch
		for i := range 20 {
			for k := range 32 * len(parts) {
				b.Set("sets", fmt.Sprint("m", i), fmt.Sprint("s", k))
			}
		}
		if _, err := ix.Write(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		got := dial(t, addr).ask("UP.QUERY", "redis", strings.Join(parts, " and "), "COUNT")
		if !strings.HasPrefix(got, c.want) {
			t.Errorf("at most %d bytes: got %s, want %s", c.most, got, c.want)
		}
	}
}
