// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package keyspace

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
// nothing of sets. If others have written before it, that has to be followed first.
func (s *Space) committed(st *State, sequence uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if known := s.sequence.Load(); sequence != known && sequence != known+1 {
		s.own[sequence] = true
		if st != nil {
			s.keys.note(st.touched)
			for name := range st.touched {
				delete(s.counts, name)
			}
		}
		return
	}
	defer s.sequence.Store(sequence)
	if st == nil {
		return
	}
	s.keys.note(st.touched)
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
