// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package keyspace

import (
	"container/heap"
	"context"
	"strconv"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
)

// timer is when a key or member ends, by its record.
type timer struct {
	at     int64 // milliseconds since 1970; 0: never
	record string
}

// timers are all times of a space. Not safe for concurrent use.
type timers struct {
	at      map[string]int64           // by record: what counts
	members map[string]map[string]bool // by the name of a key: its members that end
	queue   queue                      // with times that do not count any more
}

// queue is a heap of timers, the first to end first.
type queue []timer

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, k int) bool { return q[i].at < q[k].at }
func (q queue) Swap(i, k int)      { q[i], q[k] = q[k], q[i] }

// Push is for package heap.
func (q *queue) Push(x any) { *q = append(*q, x.(timer)) }

// Pop is for package heap.
func (q *queue) Pop() any {
	old := *q
	last := old[len(old)-1]
	*q = old[:len(old)-1]
	return last
}

func newTimers() *timers {
	return &timers{at: make(map[string]int64), members: make(map[string]map[string]bool)}
}

// readTimers reads all times of a snapshot.
func readTimers(ctx context.Context, snap uproar.Snapshot) (*timers, error) {
	t := newTimers()
	page := uproar.IDs{More: true}
	for page.More {
		var err error
		page, err = snap.IDs(ctx, query.Any{Field: expiresField}, uproar.Page{From: page.Next, Limit: pageOfMembers})
		if err != nil {
			return nil, err
		}
		records, err := snap.KeysOf(page.IDs)
		if err != nil {
			return nil, err
		}
		for i, record := range records {
			at, ok, err := snap.IntOf(expiresField, page.IDs[i])
			if err != nil {
				return nil, err
			}
			if ok {
				t.set(timer{at, record})
			}
		}
	}
	return t, nil
}

// set sets when a record's key or member ends. Records of neither are left alone.
func (t *timers) set(x timer) {
	key, member, ofMember, ok := parseRecord(x.record)
	if !ok {
		return
	}
	if x.at == 0 {
		delete(t.at, x.record)
		if delete(t.members[key], member); ofMember && len(t.members[key]) == 0 {
			delete(t.members, key)
		}
		return
	}
	t.at[x.record] = x.at
	if ofMember {
		if t.members[key] == nil {
			t.members[key] = make(map[string]bool)
		}
		t.members[key][member] = true
	}
	heap.Push(&t.queue, x)
	if len(t.queue) > 2*len(t.at)+1024 {
		t.queue = t.queue[:0]
		for record, at := range t.at {
			t.queue = append(t.queue, timer{at, record})
		}
		heap.Init(&t.queue)
	}
}

// next returns when the next record's key or member ends.
func (t *timers) next() int64 {
	for len(t.queue) > 0 {
		if first := t.queue[0]; t.at[first.record] == first.at {
			return first.at
		}
		heap.Pop(&t.queue)
	}
	return never
}

// due takes the records out of the queue whose keys or members have ended, at most limit. They
// still count.
func (t *timers) due(now int64, limit int) (due []timer) {
	for len(due) < limit && t.next() <= now {
		due = append(due, heap.Pop(&t.queue).(timer))
	}
	return due
}

// putBack puts back what due has taken.
func (t *timers) putBack(due []timer) {
	for _, x := range due {
		heap.Push(&t.queue, x)
	}
}

// hide takes the members out of a set that have ended, where they cannot be deleted.
func (st *State) hide(r *Row) error {
	if st.simple || st.batch != nil || !st.space.db.ReadOnly() {
		return nil
	}
	if err := st.readEnded(); err != nil {
		return err
	}
	for _, member := range st.ended[r.name] {
		has, err := r.has(member)
		if err != nil {
			return err
		}
		if has {
			if r.changed == nil {
				r.changed = make(map[string]bool)
			}
			r.changed[member] = false
			r.diff--
		}
	}
	return nil
}

// readEnded reads which members have ended.
func (st *State) readEnded() error {
	if st.ended != nil {
		return nil
	}
	st.ended = make(map[string][]string)
	due := query.Compare{Field: expiresField, Order: query.LessEqual, Value: strconv.FormatInt(st.Now, 10)}
	for page := (uproar.IDs{More: true}); page.More; {
		var err error
		page, err = st.snap.IDs(st.ctx, due, uproar.Page{From: page.Next, Limit: pageOfMembers})
		if err != nil {
			return err
		}
		records, err := st.snap.KeysOf(page.IDs)
		if err != nil {
			return err
		}
		for _, record := range records {
			if key, member, ofMember, ok := parseRecord(record); ok && ofMember {
				st.ended[key] = append(st.ended[key], member)
				st.Atomic = true // sets are combined member by member
			}
		}
	}
	return nil
}

// end deletes what has ended.
func (st *State) end(due []timer) error {
	for _, x := range due {
		key, member, ofMember, _ := parseRecord(x.record)
		switch {
		case !ofMember:
			if err := st.delete(key); err != nil {
				return err
			}
		default:
			r, err := st.row(key)
			if err != nil {
				return err
			}
			if _, err := r.remove([]string{member}); err != nil {
				return err
			}
		}
		if st.timeOf(x.record) == x.at { // of what is not there
			st.setTime(x.record, 0)
		}
	}
	return nil
}

// timeOf returns when a record's key or member ends; 0: never.
func (st *State) timeOf(record string) int64 {
	if at, ok := st.timed[record]; ok {
		return at
	}
	return st.space.timers.at[record]
}

// dropTime takes the time of a member away.
func (st *State) dropTime(key, member string) {
	if len(st.timed) == 0 && len(st.space.timers.members[key]) == 0 {
		return
	}
	if record := recordOfMember(key, member); st.timeOf(record) != 0 {
		st.setTime(record, 0)
	}
}

// dropTimes takes the times of all members of a key away.
func (st *State) dropTimes(key string) {
	for member := range st.memberTimes(key) {
		st.setTime(recordOfMember(key, member), 0)
	}
}

// memberTimes returns when the members of a key end, those that do.
func (st *State) memberTimes(key string) map[string]int64 {
	times := make(map[string]int64)
	for member := range st.space.timers.members[key] {
		times[member] = st.space.timers.at[recordOfMember(key, member)]
	}
	for _, member := range st.timedOf[key] {
		if times[member] = st.timed[recordOfMember(key, member)]; times[member] == 0 {
			delete(times, member)
		}
	}
	return times
}
