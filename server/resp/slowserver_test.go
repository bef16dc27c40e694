// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package resp

import (
	"testing"
	"time"
)

// addCommand adds a command for the time of a test, to servers with Options.Placeholders.
func addCommand(t *testing.T, name string, of class, run func(c *call) error) {
	placeholders[name] = &command{name, of, -1, noKeys, run}
	t.Cleanup(func() { delete(placeholders, name) })
}

// TestSlowServer: a client is not cut off for what the server takes to make a reply. It once was,
// when a flush or a store of a large set took longer than a client has to take its replies.
func TestSlowServer(t *testing.T) {
	addCommand(t, "test.sleep", reads, func(c *call) error {
		time.Sleep(300 * time.Millisecond)
		c.w.Status("OK")
		return nil
	})
	addr, _ := serveKnown(t, Options{Patience: 100 * time.Millisecond, Placeholders: true})
	c := dial(t, addr)
	c.words("TEST.SLEEP", "+OK")
	c.words("PING", "+PONG")
}
