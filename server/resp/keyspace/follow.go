// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package keyspace

import (
	"context"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/server/resp/expiry"
	"github.com/uproar-db/uproar/server/resp/names"
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
	if s.timers.IsEmpty() && s.timers.Next() <= time.Now().UnixMilli() {
		if err := s.timers.Fill(ctx, snap); err != nil {
			return err
		}
	}
	s.nextDue.Store(s.timers.Next())
	return nil
}

// refresh reads what is known of keys anew: it has changed in a way that follow cannot tell.
func (s *Space) refresh(ctx context.Context, snap uproar.Snapshot) error {
	if err := s.timers.Fill(ctx, snap); err != nil {
		return err
	}
	n, err := snap.Count(ctx, query.AnyOf(query.Any{Field: typeField}, query.Any{Field: expiresField}))
	if err != nil {
		return err
	}
	s.sweeper.anew()
	if ix := s.index.Load(); ix != nil {
		s.walk(ix)
	}
	s.leaving.note(nil, true)
	s.schema = snap.SchemaVersion()
	clear(s.own)
	s.timed.Store(n > 0)
	s.locked(func() {
		clear(s.counts)
		s.keys.note(nil, snap.Sequence())
		s.known(snap.Sequence())
	})
	s.nextDue.Store(s.timers.Next())
	s.tell(nil)
	return nil
}

// apply notes what others have written up to a commit.
func (s *Space) apply(c *changes, last uint64) {
	for _, x := range c.times {
		s.timers.Set(x)
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
	s.leaving.note(c.names, c.any)
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
		s.known(last)
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
	defer s.known(sequence)
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

// Others may write the time of a member without the field that says which key it is of. Commands
// look there for the members of a key that end, so the space adds it: before the next command, for
// what the feed tells; a walk finds the rest after the feed did not help, or the server was away.

// withoutKey are times that do not say which key they are of, and those of keys.
var withoutKey = query.AllOf(query.Any{Field: expiresField}, query.Not{Of: query.Any{Field: timedField}})

// foreign is the records of members whose times others have written. It is of the goroutine that
// commits.
type foreign struct {
	records []string
	found   chan walked
	walking bool
	again   bool // times were read anew since the walk began
}

// walked is what a walk has found, until it is done.
type walked struct {
	records []string
	done    bool
}

// note notes a time that others have written.
func (f *foreign) note(x expiry.Time) {
	if _, _, ofMember, ok := names.Parse(x.Record); ok && ofMember && x.At != 0 {
		f.records = append(f.records, x.Record)
	}
}

// hasEnded reports whether something in a snapshot has ended by a time.
func hasEnded(ctx context.Context, snap uproar.Snapshot, now int64) (bool, error) {
	ended, err := snap.IDs(ctx, expiry.EndedBy(expiresField, now), uproar.Page{Limit: 1})
	return len(ended.IDs) > 0, err
}

// known notes that the times up to a commit are. Who reads the commit first, and then when the next
// of them ends, does not miss one.
func (s *Space) known(sequence uint64) {
	if next := s.timers.Next(); next < s.nextDue.Load() {
		s.nextDue.Store(next)
	}
	s.sequence.Store(sequence)
}

// take takes the news of a walk.
func (s *Space) take(w walked) {
	s.foreign.records = append(s.foreign.records, w.records...)
	if w.done {
		s.foreign.walking = false
		if ix := s.index.Load(); s.foreign.again && ix != nil {
			s.walk(ix)
		}
	}
}

// walk begins to look for times without their key.
func (s *Space) walk(ix *uproar.Index) {
	if s.foreign.again = s.foreign.walking; s.foreign.walking {
		return
	}
	s.foreign.walking = true
	ctx, cancel := context.WithCancel(context.Background())
	tell := func(w walked) bool {
		select {
		case s.foreign.found <- w:
			return true
		case <-s.ended:
			return false
		}
	}
	s.begin(func() {
		defer cancel()
		snap := ix.Snapshot()
		defer snap.Close()
		// Errors are those of reads that fail for commands, too.
		_ = eachPage(ctx, snap, withoutKey, func(records []string, _ []uint64) error {
			var of []string
			for _, record := range records {
				if _, _, ofMember, ok := names.Parse(record); ok && ofMember {
					of = append(of, record)
				}
			}
			if len(of) > 0 && !tell(walked{records: of}) {
				return ErrStopped
			}
			select {
			case <-s.stop:
				return ErrStopped
			default:
				return nil
			}
		})
		tell(walked{done: true})
	})
}

// complete adds the keys of times that others have written. It returns how many records it has
// looked at: the rest comes with the next commit. A record that cannot be read waits for the next
// walk: writes to others do not end for it.
func complete(st *State, records []string) (n int) {
	for bytes := 0; n < len(records) && n < mostDue && bytes < mostBytes; n++ {
		bytes += len(records[n])
		if at, err := st.timeOf(records[n]); err == nil && at != 0 {
			st.setTime(records[n], at)
		}
	}
	return n
}

// note notes to which keys others have written; any: to all, perhaps.
func (l *leaving) note(written map[string]bool, any bool) {
	for name := range l.names {
		if !any && !written[name] {
			continue
		}
		if l.written == nil {
			l.written = make(map[string]bool)
		}
		l.written[name] = true
	}
}

// revive has the keys seen again that have got members by others.
func (l *leaving) revive(st *State) error {
	for name := range l.written {
		if err := revive(st, name, l.names[name].at, false); err != nil {
			return err
		}
	}
	return nil
}

// revive takes the time of a key away by which its rest is left, if it has members, or in any case.
func revive(st *State, name string, at int64, empty bool) error {
	a, err := st.attributesOf(name)
	if err != nil || a.kind != "" || a.expires == 0 || a.expires != at {
		return err
	}
	r, err := st.row(name)
	if err != nil {
		return err
	}
	n, err := r.Len()
	if err == nil && (n > 0 || empty) {
		st.setAttributes(name, a, attributes{})
	}
	return err
}
