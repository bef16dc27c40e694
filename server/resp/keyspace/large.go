// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package keyspace

import (
	"context"
	"maps"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/server/resp/expiry"
	"github.com/uproar-db/uproar/server/resp/names"
)

// A set of more members than a commit takes, or with more times of them, comes to its key in steps:
// a load of the members; commits with the times of those that the key did not have; the commit that
// counts, which also deletes the key that was renamed; and at last commits that take out members of
// the set before. A process that is killed leaves the source, whole, up to the commit that counts,
// and none of it after that. The key has members too many then, and none too few; it ends as it did
// up to that commit, and as the new one after it. Only members that both sets have may be without
// their times.

// largeStore is a set that is stored in the place of a key.
type largeStore struct {
	name   string
	source string        // name of the key that the set was renamed from; "": of none
	about  attributes    // of the key from now on
	times  []expiry.Time // of its members

	set    *bitmap.Bitmap
	before *bitmap.Bitmap // members that the key had, and the set has not
	shared []expiry.Time  // of members that the key had
}

// put puts members in the place of a key, in steps if they are many. Errors: ErrTransaction,
// ErrLater.
func put(st *State, of largeStore, m *Members) error {
	if err := m.settle(); err != nil {
		return err
	}
	times, _, err := droppable(st, of.name)
	if err != nil {
		return err
	}
	many := times == nil && (len(m.names) > 0 || !m.set.IsEmpty())
	if m.large() || many || len(of.times) > st.space.limits.times {
		if st.Atomic {
			return ErrTransaction
		}
		if len(m.names) > 0 { // which get their IDs with this commit
			return ErrLater
		}
		of.set = m.set
		return storeLarge(st, of)
	}
	if err := st.delete(of.name); err != nil {
		return err
	}
	r, err := st.row(of.name)
	if err != nil {
		return err
	}
	if err := r.replace(m); err != nil {
		return err
	}
	if of.source != "" {
		if err := st.delete(of.source); err != nil {
			return err
		}
		st.touched[of.name] = true
	}
	if of.about != (attributes{}) {
		a, err := st.attributesOf(of.name)
		if err != nil {
			return err
		}
		st.setAttributes(of.name, a, of.about)
	}
	for _, x := range of.times {
		st.setTime(x.Record, x.At)
	}
	return nil
}

// storeLarge has a set stored after the commit. Errors: ErrLater, when the same commit writes to
// the key or to the source, or what is before in the job would share an error.
func storeLarge(st *State, of largeStore) error {
	if st.Second || st.touched[of.name] || of.source != "" && st.touched[of.source] {
		return ErrLater
	}
	r, err := st.row(of.name)
	if err != nil {
		return err
	}
	before, err := st.snap.Bitmap(st.ctx, r.base())
	if err != nil {
		return err
	}
	fresh := of.times[:0:0]
	for _, x := range of.times {
		_, member, _, _ := names.Parse(x.Record)
		if has, err := r.has(member); err != nil {
			return err
		} else if has {
			of.shared = append(of.shared, x)
		} else {
			fresh = append(fresh, x)
		}
	}
	of.times = fresh
	st.touched[of.name] = true
	if of.source != "" {
		st.touched[of.source] = true
	}
	of.before = bitmap.AndNot(before.View(), of.set.View())
	st.removed += int(of.before.Len())
	st.stores = append(st.stores, of)
	*r = Row{st: st, name: r.name, id: r.id, emptied: true, stored: of.set}
	return nil
}

// finish carries out what a commit has left to be done. Errors: ErrUnfinished; others, when nothing
// was done.
func (s *Space) finish(ctx context.Context, ix *uproar.Index, st *State) error {
	if len(st.stores) == 0 {
		return nil
	}
	if err := loadLarge(ctx, ix, st.stores); err != nil {
		return err
	}
	for _, of := range st.stores {
		if err := s.place(ctx, ix, of); err != nil {
			return unfinished(err)
		}
	}
	if err := s.followStores(ctx, ix, st.stores); err != nil {
		return unfinished(err)
	}
	return nil
}

// loadLarge adds the members of large sets to their rows.
func loadLarge(ctx context.Context, ix *uproar.Index, stores []largeStore) error {
	load, err := ix.Load(ctx, nil)
	if err != nil {
		return err
	}
	defer load.Abort()
	for _, of := range stores {
		if of.set.IsEmpty() {
			continue
		}
		if err := load.SetIDs(memberField, of.name, of.set); err != nil {
			return err
		}
	}
	return load.Commit()
}

// place puts a set whose members are loaded in the place of its key.
func (s *Space) place(ctx context.Context, ix *uproar.Index, of largeStore) error {
	if err := s.setTimes(ctx, ix, of.times); err != nil {
		return err
	}
	keeps := make(map[string]bool, len(of.times))
	for _, x := range of.times {
		keeps[x.Record] = true
	}
	over := false // times of the set before
	for !over {
		if err := s.update(ctx, ix, func(st *State) (err error) {
			over, err = dropSome(st, of, keeps, false)
			return err
		}); err != nil {
			return err
		}
	}
	from, more := uint64(0), false
	if err := s.update(ctx, ix, func(st *State) error {
		a, err := st.attributesOf(of.name)
		if err != nil {
			return err
		}
		st.setAttributes(of.name, a, of.about)
		if _, err := dropSome(st, of, keeps, true); err != nil {
			return err
		}
		if of.source != "" {
			if err := st.delete(of.source); err != nil {
				return err
			}
		}
		from, more, err = takeOut(st, of, 0)
		return err
	}); err != nil {
		return err
	}
	if err := s.setTimes(ctx, ix, of.shared); err != nil {
		return err
	}
	for more {
		next := from
		if err := s.update(ctx, ix, func(st *State) (err error) {
			next, more, err = takeOut(st, of, from)
			return err
		}); err != nil {
			return err
		}
		from = next
	}
	s.leaving.begin(of.name, left{})
	return nil
}

// setTimes sets times, some in each commit.
func (s *Space) setTimes(ctx context.Context, ix *uproar.Index, times []expiry.Time) error {
	for len(times) > 0 {
		n := 0
		if err := s.update(ctx, ix, func(st *State) error {
			bytes := 0
			for n = 0; n < len(times) && n < pageOfMembers && bytes < mostBytes; n++ {
				st.setTime(times[n].Record, times[n].At)
				bytes += len(times[n].Record)
			}
			return nil
		}); err != nil {
			return err
		}
		times = times[n:]
	}
	return nil
}

// dropSome takes times away that a key has, of members that are also in the new set and have none
// there, and reports whether these were all. The last ones, if few, are left to the commit that
// counts. Times of others are taken away at the end, as those of a key that is deleted.
func dropSome(st *State, of largeStore, keeps map[string]bool, last bool) (all bool, err error) {
	has, err := st.hasTimes(of.name)
	if err != nil || !has {
		return true, err
	}
	var old []string
	bytes := 0
	err = eachRecord(st, query.Equal{Field: timedField, Value: of.name}, func(record string, _ uint64) error {
		_, member, _, _ := names.Parse(record)
		if id, in, err := st.idOf(member); err != nil || keeps[record] || !in || !of.set.Contains(id) {
			return err
		}
		if len(old) == pageOfMembers || bytes > mostBytes {
			return errDone
		}
		old, bytes = append(old, record), bytes+len(record)
		return nil
	})
	if all = err == nil; !all && err != errDone || all && !last {
		return all, err
	}
	for _, record := range old {
		st.setTime(record, 0)
	}
	return all, nil
}

// takeOut takes members out of the set of a key that it had before, from a record on. It returns
// the next one; more is false after the last.
func takeOut(st *State, of largeStore, from uint64) (next uint64, more bool, err error) {
	var ids []uint64
	for id := range of.before.From(from) {
		if len(ids) == pageOfMembers {
			more = true
			break
		}
		ids = append(ids, id)
	}
	members, err := st.snap.KeysOf(ids)
	if err != nil {
		return 0, false, err
	}
	bytes := 0
	for i, member := range members {
		if bytes > mostBytes {
			return ids[i], true, nil
		}
		st.batch.Clear(memberField, member, of.name)
		bytes += len(member)
	}
	if len(ids) > 0 {
		next = ids[len(ids)-1] + 1
	}
	return next, more, nil
}

// update commits what a function writes as a commit of the space, which is not followed. The
// function may be called again.
func (s *Space) update(ctx context.Context, ix *uproar.Index, fn func(st *State) error) error {
	var st *State
	var seen uint64
	sequence, err := ix.Update(ctx, func(snap uproar.Snapshot, b *uproar.Batch) error {
		seen = snap.Sequence()
		st = newState(ctx, s, snap, b, time.Now().UnixMilli())
		st.simple = false
		return fn(st)
	})
	if err != nil {
		return err
	}
	if sequence != seen {
		s.own[sequence] = true
	}
	s.written(st)
	return nil
}

// written notes the times that a commit has written, and what it has left.
func (s *Space) written(st *State) {
	for record, at := range st.timed {
		s.timers.Set(expiry.Time{At: at, Record: record})
	}
	s.leaving.add(s, st)
	s.sweeper.note(st.removed, func(tell func(name string)) { revived(st, tell) })
}

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
