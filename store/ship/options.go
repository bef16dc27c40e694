// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ship

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"strings"
	"time"
)

// Role says what a node is to do.
type Role string

const (
	Auto   Role = "auto"   // follows, and takes over when nobody writes
	Writer Role = "writer" // takes over when it is opened, and then is as Auto
	Reader Role = "reader" // follows, and never takes over
)

// Node is a process that has a log open, as others know it.
type Node struct {
	ID  string `json:"id"`
	URL string `json:"url,omitempty"` // where clients reach it
}

// Address returns the part of the URL that says which server it is of, in one way of writing it.
func (n *Node) Address() string {
	u, err := url.Parse(n.URL)
	if err != nil || u.Host == "" {
		return n.URL
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return strings.ToLower(net.JoinHostPort(strings.TrimSuffix(u.Hostname(), "."), port))
}

// maxURL is how many bytes the URL of a node may have.
const maxURL = 512

// check returns an error for a node that can be none.
func (n *Node) check() error {
	if strings.Contains(n.ID, "/") {
		return fmt.Errorf("ship: got a node with ID %.80q, want one without a slash", n.ID)
	}
	if err := CheckName(n.ID); err != nil {
		return fmt.Errorf("ship: the ID of the node: %w", err)
	}
	if len(n.URL) > maxURL {
		return fmt.Errorf("ship: got a node with a URL of %d bytes, want at most %d", len(n.URL), maxURL)
	}
	return nil
}

// Options sets up a Store. The zero value means the defaults.
type Options struct {
	Role Role // default Auto
	Node Node // default: a random ID

	// Poll is how long a node that has all objects waits before it asks for the next. Default 100
	// ms.
	Poll time.Duration

	// Heartbeat is how long the writer is silent at most. When three have passed without an object,
	// others take over. Default 2 s. The others wait for that of the writer, if theirs is shorter.
	Heartbeat time.Duration

	// Interval is the least time between two objects of small batches while one is under way. A
	// lower one gives shorter waits at the price of more objects. Default 50 ms.
	Interval time.Duration

	// Keep is how long an object of the log is kept at least after it was made. A node that sleeps
	// for longer must begin anew from a checkpoint. Default 24 h. A writer that made nothing for a
	// 24th of it looks first whether its number was given away: so all nodes keep objects for as
	// long as any writer has wanted.
	Keep time.Duration

	// CheckpointEvery is how long nodes go on without a checkpoint. Default 15 min. One is made
	// earlier when the log since the last has as many bytes as that, and 64 MB.
	CheckpointEvery time.Duration

	// Unchecked lets a node write to an engine that has not passed the check that two writers never
	// win (package check).
	Unchecked bool

	// Logger is told about roles, checkpoints and what the engine refuses. Default: nobody is.
	Logger *slog.Logger
}

// leaveTime is how long a node that is closed waits to release the log.
const leaveTime = time.Second

// missedHeartbeats is after how many silent heartbeats others take over.
const missedHeartbeats = 3

// beat returns how long a writer is silent at most, while it can create objects.
func (o *Options) beat(at *position) time.Duration { return max(o.Heartbeat, at.Heartbeat) }

// withDefaults returns the options with defaults in the place of zeros.
func (o Options) withDefaults() (Options, error) {
	switch o.Role {
	case "":
		o.Role = Auto
	case Auto, Writer, Reader:
	default:
		return o, fmt.Errorf("ship: got role %q, want %q, %q or %q", o.Role, Auto, Writer, Reader)
	}
	if o.Node.ID == "" {
		var id [8]byte
		rand.Read(id[:])
		o.Node.ID = hex.EncodeToString(id[:])
	}
	if err := o.Node.check(); err != nil {
		return o, err
	}
	for _, d := range []struct {
		value *time.Duration
		usual time.Duration
	}{{&o.Poll, 100 * time.Millisecond}, {&o.Heartbeat, 2 * time.Second}, {&o.Interval, 50 * time.Millisecond},
		{&o.Keep, 24 * time.Hour}, {&o.CheckpointEvery, 15 * time.Minute}} {
		if *d.value < 0 {
			return o, fmt.Errorf("ship: got a time of %v among the options, want 0 or more", *d.value)
		}
		if *d.value == 0 {
			*d.value = d.usual
		}
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	o.Logger = o.Logger.With("node", o.Node.ID)
	return o, nil
}
