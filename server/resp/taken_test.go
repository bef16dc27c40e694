// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package resp

import (
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
