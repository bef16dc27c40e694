// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package keyspace

import (
	"context"
	"maps"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/server/resp/names"
)

// A key whose members have more times than a commit takes is deleted in steps: at once its members,
// so that nobody sees it any more; after that, between other commits, the times. The time of what
// is no member means nothing: who adds a member takes its old time away. Until the last step the
// key itself has a time that has passed, by which a process that is started anew goes on.

// leaving is the keys of which only times are left. It is of the goroutine that commits.
type leaving struct {
	names map[string]uint64 // where to go on
	next  time.Time         // after a failure
}

// leaveTimes has the times of a key that is deleted taken away later.
func leaveTimes(st *State, name string, a attributes) {
	to := attributes{expires: a.expires}
	if a.expires == 0 || a.expires > st.Now {
		to.expires = st.Now
	}
	st.setAttributes(name, a, to)
	if st.left == nil {
		st.left = make(map[string]bool)
	}
	st.left[name] = true
	st.space.timed.Store(true)
}

// add adds the keys that a commit has left. They do not end once more.
func (l *leaving) add(s *Space, st *State) {
	for name := range st.left {
		if l.names == nil {
			l.names = make(map[string]uint64)
		}
		l.names[name] = 0
		if st.about[name].kind == "" {
			s.timers.set(timer{0, names.OfKey(name)})
		}
	}
}

// due returns how long nothing is to be done.
func (l *leaving) due() time.Duration {
	if len(l.names) == 0 {
		return idleWait
	}
	return time.Until(l.next)
}

// leave takes some times away.
func (s *Space) leave(ctx context.Context) {
	if s.leaving.due() > 0 {
		return
	}
	ix, err := s.opened(ctx)
	if err == nil && !s.db.ReadOnly() {
		err = s.follow(ctx, ix)
	}
	if err != nil || s.db.ReadOnly() {
		s.leaving.next = time.Now().Add(time.Second)
		return
	}
	var st *State
	var seen uint64
	var next map[string]uint64
	var done []string
	sequence, err := ix.Update(ctx, func(snap uproar.Snapshot, b *uproar.Batch) error {
		seen = snap.Sequence()
		st, next, done = newState(ctx, s, snap, b, time.Now().UnixMilli()), make(map[string]uint64), nil
		st.simple = false
		for name, from := range s.leaving.names {
			to, more, err := dropLeft(st, name, from)
			if err != nil {
				return err
			}
			if next[name] = to; !more {
				done = append(done, name)
			}
			if more || len(st.timed) > leftAtOnce || st.bytes > mostBytes {
				break
			}
		}
		return nil
	})
	if err != nil {
		s.leaving.next = time.Now().Add(time.Second)
		return
	}
	s.written(st)
	s.committed(st, seen, sequence)
	s.nextDue.Store(s.timers.next())
	maps.Copy(s.leaving.names, next)
	for _, name := range done {
		delete(s.leaving.names, name)
	}
}

// leftAtOnce is how many times of a key that is deleted are looked at by one commit.
const leftAtOnce = 2048

// dropLeft takes times of what is no member of a key away, from a record on. It returns the next
// one; more is false after the last.
func dropLeft(st *State, name string, from uint64) (next uint64, more bool, err error) {
	r, err := st.row(name)
	if err != nil {
		return 0, false, err
	}
	page, err := st.snap.IDs(st.ctx, query.Equal{Field: timedField, Value: name},
		uproar.Page{From: from, Limit: leftAtOnce})
	if err != nil {
		return 0, false, err
	}
	records, err := st.snap.KeysOf(page.IDs)
	if err != nil {
		return 0, false, err
	}
	for i, record := range records {
		if st.bytes > mostBytes {
			return page.IDs[i], true, nil
		}
		_, member, ofMember, _ := names.Parse(record)
		has, err := r.has(member)
		if err != nil {
			return 0, false, err
		}
		if ofMember && !has {
			st.setTime(record, 0)
			st.bytes += len(record)
		}
	}
	if page.More {
		return page.Next, true, nil
	}
	a, err := st.attributesOf(name)
	if err != nil || a.kind != "" || a.expires == 0 || a.expires > st.Now {
		return 0, false, err
	}
	n, err := r.Len()
	if err == nil && n == 0 {
		st.setAttributes(name, a, attributes{})
	}
	return 0, false, err
}
