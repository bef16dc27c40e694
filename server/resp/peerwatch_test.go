// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package resp

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestWatchAgainstRedis has one client watch keys while another runs random commands: transactions
// are carried out, or not, as by the server of Redis.
func TestWatchAgainstRedis(t *testing.T) {
	peer := redisServer(t)
	addr, _ := serve(t, Options{Placeholders: true})
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	d := drawing{rand.New(rand.NewPCG(seed, 2))}
	var ours, theirs [2]*testClient // the one that watches, and the other
	for i := range ours {
		ours[i], theirs[i] = dial(t, addr), dial(t, peer)
	}
	theirs[0].ask("FLUSHALL")
	var history []string
	both := func(who int, words ...string) string {
		t.Helper()
		ours[who].send(words)
		theirs[who].send(words)
		got, err := readReply(ours[who].r, true)
		if err != nil {
			t.Fatal(err)
		}
		want, err := readReply(theirs[who].r, true)
		if err != nil {
			t.Fatal(err)
		}
		history = append(history, fmt.Sprintf("%d: %.60q", who, words))
		if got != want {
			t.Fatalf("client %d, %q:\ngot  %s\nwant %s\nafter %s", who, words, got, want,
				history[max(0, len(history)-25):])
		}
		return got
	}
	write := func() []string {
		for {
			switch c := d.command(); c[0] {
			case "MULTI", "EXEC", "DISCARD", "WATCH", "UNWATCH", "CLIENT", "FLUSHALL", "SELECT":
			default:
				return c
			}
		}
	}
	steps := 3000
	if testing.Short() {
		steps = 600
	}
	failed := 0
	for range steps {
		both(1, write()...)
		both(0, append([]string{"WATCH"}, d.keys(3)...)...)
		for range d.IntN(3) {
			if both(1, write()...); d.IntN(60) == 0 {
				both(1, "FLUSHALL")
			}
		}
		both(0, "MULTI")
		both(0, write()...)
		both(0, "SCARD", d.key())
		if reply := both(0, "EXEC"); reply == "*-1" || reply == "_" {
			failed++
		}
	}
	if failed == 0 || failed == steps {
		t.Errorf("%d of %d transactions failed: nothing was tested", failed, steps)
	}
}
