// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package keyspace

import (
	"context"
	"maps"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/server/resp/expiry"
	"github.com/uproar-db/uproar/server/resp/names"
)

// A key whose members have more times than a commit takes is deleted in steps: at once its members,
// so that nobody sees it any more; after that, between other commits, the times. The time of what
// is no member means nothing: who adds a member takes its old time away. Until the last step the
// key itself has a time that has passed, by which a process that is started anew goes on.

// leaving is the keys of which only times are left. It is of the goroutine that commits.
type leaving struct {
	names   map[string]left
	next    time.Time       // after a failure
	written map[string]bool // of names: others have written to them since
}

// left is what is left of a key.
type left struct {
	from uint64 // where to go on
	at   int64  // the time of the key that has passed; 0: it has none for this
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
		of := left{}
		if a := st.about[name]; a.kind == "" && a.expires <= st.Now {
			of.at = a.expires
			s.timers.Set(expiry.Time{At: 0, Record: names.OfKey(name)})
		}
		l.begin(name, of)
	}
}

func (l *leaving) begin(name string, of left) {
	if l.names == nil {
		l.names = make(map[string]left)
	}
	l.names[name] = of
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
	var next map[string]left
	var done []string
	sequence, err := ix.Update(ctx, func(snap uproar.Snapshot, b *uproar.Batch) error {
		seen = snap.Sequence()
		st, next, done = newState(ctx, s, snap, b, time.Now().UnixMilli()), make(map[string]left), nil
		st.simple = false
		if err := s.leaving.revive(st); err != nil {
			return err
		}
		for name, of := range s.leaving.names {
			to, more, err := dropLeft(st, name, of)
			if err != nil {
				return err
			}
			if next[name] = (left{to, of.at}); !more {
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
	s.nextDue.Store(s.timers.Next())
	maps.Copy(s.leaving.names, next)
	clear(s.leaving.written)
	for _, name := range done {
		delete(s.leaving.names, name)
	}
}

// leftAtOnce is how many times of a key that is deleted are looked at by one commit.
const leftAtOnce = 2048

// dropLeft takes times of what is no member of a key away, from a record on. It returns the next
// one; more is false after the last.
func dropLeft(st *State, name string, of left) (next uint64, more bool, err error) {
	r, err := st.row(name)
	if err != nil {
		return 0, false, err
	}
	page, err := st.snap.IDs(st.ctx, query.Equal{Field: timedField, Value: name},
		uproar.Page{From: of.from, Limit: leftAtOnce})
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
	return 0, false, revive(st, name, of.at, true)
}
