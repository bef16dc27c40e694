// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package keyspace

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/uproar-db/uproar"
)

// Others write to the index, too: over HTTP, or in the same program. What a Space knows of it
// follows their commits by the feed of changes, and is read anew only when that does not help.

// mostFollowed is how many changes of others are read one by one.
const mostFollowed = 1 << 18

// errAnew says that the feed does not tell what has changed.
var errAnew = errors.New("keyspace: what is known must be read anew")

// changes is what others have written.
type changes struct {
	names   map[string]bool // of keys
	any     bool            // any key may have changed
	times   []timer
	timed   bool     // some key or member got a time, or a key a type
	revived []string // records that got a value
	removed int      // members that were taken out of sets, about
}

// changesOf reads the commits after number after up to number last, but those that skip names.
// Errors: errAnew, or as of Index.Changes.
func changesOf(ctx context.Context, ix *uproar.Index, after, last uint64, skip map[uint64]bool) (*changes, error) {
	c := &changes{names: make(map[string]bool)}
	n, seen := 0, after
	for commit, err := range ix.Changes(ctx, after) {
		if err != nil {
			return nil, err
		}
		if commit.Sequence > last {
			break
		}
		if seen = commit.Sequence; skip[seen] {
			continue
		}
		if n += len(commit.Changes); commit.Loaded || n > mostFollowed {
			return nil, errAnew
		}
		for _, x := range commit.Changes {
			if err := c.note(x); err != nil {
				return nil, err
			}
		}
	}
	if seen != last {
		return nil, errAnew // it is not in the feed yet
	}
	return c, nil
}

// note adds one change.
func (c *changes) note(x uproar.Change) error {
	switch x.Kind {
	case uproar.ChangeDeleteRecord:
		c.any = true // the feed does not say which sets had it
		c.times = append(c.times, timer{0, x.Record})
		return nil
	case uproar.ChangeSet, uproar.ChangeAddRecord:
		c.revived = append(c.revived, x.Record)
	}
	key, _, _, ours := parseRecord(x.Record)
	switch x.Field {
	case memberField:
		c.names[x.Value] = true
		switch x.Kind {
		case uproar.ChangeClear:
			c.removed++
		case uproar.ChangeDeleteRow:
			c.removed += leastSwept
		}
	case typeField:
		c.timed = true
		if ours {
			c.names[key] = true
		}
	case expiresField:
		if !ours {
			break
		}
		c.names[key] = true
		if x.Kind == uproar.ChangeUnset {
			c.times = append(c.times, timer{0, x.Record})
			c.removed++
			break
		}
		at, err := strconv.ParseInt(x.Value, 10, 64)
		if err != nil {
			return errAnew
		}
		c.times, c.timed = append(c.times, timer{at, x.Record}), true
	}
	return nil
}

// follow brings what is known of an index up to its last commit. It is of the goroutine that
// commits.
func (s *Space) follow(ctx context.Context, ix *uproar.Index) error {
	snap := ix.Snapshot()
	defer snap.Close()
	sequence, last := s.sequence.Load(), snap.Sequence()
	if sequence == unread || s.schema != snap.SchemaVersion() {
		return s.refresh(ctx, snap)
	}
	if sequence != last {
		c, err := changesOf(ctx, ix, sequence, last, s.own)
		if err != nil {
			return s.refresh(ctx, snap)
		}
		s.apply(c, last)
	}
	if s.timers.empty() && s.timers.next() <= time.Now().UnixMilli() {
		if err := s.timers.fill(ctx, snap); err != nil {
			return err
		}
	}
	s.nextDue.Store(s.timers.next())
	return nil
}

// apply notes what others have written up to a commit.
func (s *Space) apply(c *changes, last uint64) {
	for _, x := range c.times {
		s.timers.set(x)
	}
	if c.timed {
		s.timed.Store(true)
	}
	s.sweeper.note(c.removed, func(tell func(name string)) {
		for _, name := range c.revived {
			tell(name)
		}
	})
	names := c.names
	if c.any {
		names = nil
	}
	s.mu.Lock()
	if c.any {
		clear(s.counts)
	}
	for name := range names {
		delete(s.counts, name)
	}
	s.keys.note(names)
	s.sequence.Store(last)
	s.mu.Unlock()
	clear(s.own)
	s.tell(names)
}
