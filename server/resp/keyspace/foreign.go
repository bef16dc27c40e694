// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package keyspace

import (
	"context"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/server/resp/names"
)

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
func (f *foreign) note(x timer) {
	if _, _, ofMember, ok := names.Parse(x.record); ok && ofMember && x.at != 0 {
		f.records = append(f.records, x.record)
	}
}

// endedUnseen reports whether something has ended by the first times that there are, which others
// have written since the last commit that is known.
func (s *Space) endedUnseen(ctx context.Context, snap uproar.Snapshot, now int64) (bool, error) {
	if snap.Sequence() <= s.sequence.Load() {
		return false, nil
	}
	ended, err := snap.IDs(ctx, endedBy(now), uproar.Page{Limit: 1})
	return len(ended.IDs) > 0, err
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
