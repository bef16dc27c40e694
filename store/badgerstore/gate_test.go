// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package badgerstore

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestGate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g gate
		old, ok := g.enter()
		if !ok {
			t.Fatal("an open gate is shut")
		}
		flipped := make(chan struct{})
		go func() {
			g.flip()
			close(flipped)
		}()
		time.Sleep(time.Second)
		later, ok := g.enter() // enters a new epoch, which flip does not wait for
		if !ok || later == old {
			t.Fatalf("entered as %d, %v, while a flip waits for %d", later, ok, old)
		}
		select {
		case <-flipped:
			t.Fatal("flip did not wait")
		default:
		}
		g.leave(old)
		<-flipped

		shut := make(chan bool)
		go func() { shut <- g.shut() }()
		time.Sleep(time.Second)
		if _, ok := g.enter(); ok {
			t.Error("a gate that is being shut lets calls in")
		}
		select {
		case <-shut:
			t.Fatal("shut did not wait")
		default:
		}
		g.leave(later)
		if !<-shut || g.shut() {
			t.Error("the first call of shut shuts, no other")
		}
		if _, ok := g.enter(); ok {
			t.Error("a shut gate lets calls in")
		}
	})
}
