// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package resp

import (
	"fmt"
	"testing"
)

// TestFlushMany deletes more keys than one commit takes, and leaves what is written afterwards.
func TestFlushMany(t *testing.T) {
	addr, _ := serve(t, Options{})
	c := dial(t, addr)
	const keys, each = 70_000, 1000
	for i := 0; i < keys; i += each {
		var some [][]string
		for k := range each {
			some = append(some, []string{"SADD", fmt.Sprint("k", i+k), fmt.Sprint("m", k)})
		}
		c.send(some...)
		for range some {
			if got := c.reply(); got != ":1" {
				t.Fatalf("SADD: got %s", got)
			}
		}
	}
	c.words("DBSIZE", fmt.Sprint(":", keys))
	c.words("PEXPIRE k5 1000000", ":1")
	c.send([]string{"SADD", "x", "a"}, []string{"FLUSHALL"}, []string{"SADD", "k5", "a"}, []string{"DBSIZE"})
	if got := c.reply() + c.reply() + c.reply() + c.reply(); got != ":1+OK:1:1" {
		t.Errorf("FLUSHALL in a pipeline: got %s, want :1+OK:1:1", got)
	}
	c.words("TTL k5", ":-1")
	c.words("SMEMBERS k5", `*["a"]`)
}
