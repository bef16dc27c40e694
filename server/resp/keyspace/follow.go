// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package keyspace

import (
	"context"
	"time"

	"github.com/uproar-db/uproar"
)

// Others write to the index, too: over HTTP, or in the same program. What a Space knows of it
// follows their commits by the feed of changes, and is read anew only when that does not help.

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
		c, err := changesOf(ctx, ix, sequence, last, s.own, 0)
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
		s.foreign.note(x)
	}
	if c.timed {
		s.timed.Store(true)
	}
	if c.emptied {
		c.removed += leastSwept
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
	s.locked(func() {
		if c.any {
			clear(s.counts)
		}
		for name := range names {
			delete(s.counts, name)
		}
		s.keys.note(names, last)
		s.sequence.Store(last)
	})
	clear(s.own)
	s.tell(names)
}

// Counting a set takes time in proportion to what was written to it since the last flush. The
// numbers of members of sets in use are kept, and follow each commit.

// rowCount is how many members a set has since a commit.
type rowCount struct {
	sequence uint64
	n        uint64
}

// mostCounts is of how many sets the numbers are kept.
const mostCounts = 1 << 16

// countOf returns how many members a set has in the snapshot of a commit, if that is known.
func (s *Space) countOf(name string, sequence uint64) (uint64, bool) {
	if s == nil {
		return 0, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	c, ok := s.counts[name]
	return c.n, ok && c.sequence <= sequence && sequence <= s.sequence.Load()
}

// keepCount keeps the number of members of a set, if no commit has followed.
func (s *Space) keepCount(name string, sequence, n uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.sequence.Load() != sequence {
		return
	}
	if len(s.counts) >= mostCounts {
		clear(s.counts)
	}
	s.counts[name] = rowCount{sequence, n}
}

// committed brings what is known up to a commit of the space, of what was written in a state; nil:
// nothing of sets. seen is the commit before it: the last one, if there was nothing to be written.
// If others have written before it, that has to be followed first.
func (s *Space) committed(st *State, seen, sequence uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	known := s.sequence.Load()
	if sequence == seen && seen != known {
		return // it is of others
	}
	if sequence != seen && (seen != known || sequence != known+1) {
		s.own[sequence] = true
		if st != nil {
			s.keys.note(st.touched, known)
			for name := range st.touched {
				delete(s.counts, name)
			}
		}
		return
	}
	defer s.sequence.Store(sequence)
	if st == nil {
		s.keys.note(noKeys, sequence)
		return
	}
	s.keys.note(st.touched, sequence)
	for name := range st.touched {
		c, known := s.counts[name]
		r := st.rows[name]
		switch {
		case r == nil:
		case r.emptied || r.stored != nil || r.counted:
			n, _ := r.Len() // of what is known nothing is read
			known, c.n = true, n
		case known:
			c.n = uint64(int64(c.n) + r.diff)
		}
		if known && r != nil {
			s.counts[name] = rowCount{sequence, c.n}
		} else {
			delete(s.counts, name)
		}
	}
	if len(s.counts) > mostCounts {
		clear(s.counts)
	}
}

// followStores brings what is known up to the last commit: large sets were stored, and others may
// have written meanwhile.
func (s *Space) followStores(ctx context.Context, ix *uproar.Index, stores []largeStore) error {
	snap := ix.Snapshot()
	defer snap.Close()
	c, err := changesOf(ctx, ix, s.sequence.Load(), snap.Sequence(), s.own, 1)
	if err != nil || s.schema != snap.SchemaVersion() {
		return s.refresh(ctx, snap)
	}
	for _, of := range stores {
		c.names[of.name] = true
		if of.source != "" {
			c.names[of.source] = true
		}
		s.sweeper.keep(of.set)
	}
	s.apply(c, snap.Sequence())
	return nil
}
