// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package keyspace

import (
	"context"
	"maps"
	"slices"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/server/resp/expiry"
	"github.com/uproar-db/uproar/server/resp/names"
)

// hide takes the members out of a set that have ended, where they cannot be deleted.
func (st *State) hide(r *Row) error {
	if st.simple || st.batch != nil || !st.space.OnlyReads() {
		return nil
	}
	if err := readEnded(st); err != nil {
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
func readEnded(st *State) error {
	if st.ended != nil {
		return nil
	}
	st.ended = make(map[string][]string)
	return eachRecord(st, expiry.EndedBy(expiresField, st.Now), func(record string, _ uint64) error {
		if key, member, ofMember, ok := names.Parse(record); ok && ofMember {
			st.ended[key] = append(st.ended[key], member)
			st.Atomic = true // sets are combined member by member
		}
		return nil
	})
}

// eachPage calls fn with the records that a query fits, some at a time.
func eachPage(ctx context.Context, snap uproar.Snapshot, q query.Expr,
	fn func(records []string, ids []uint64) error) error {
	for page := (uproar.IDs{More: true}); page.More; {
		var err error
		if page, err = snap.IDs(ctx, q, uproar.Page{From: page.Next, Limit: pageOfMembers}); err != nil {
			return err
		}
		records, err := snap.KeysOf(page.IDs)
		if err != nil {
			return err
		}
		if err := fn(records, page.IDs); err != nil {
			return err
		}
	}
	return nil
}

// eachRecord calls fn with each record that a query fits.
func eachRecord(st *State, q query.Expr, fn func(record string, id uint64) error) error {
	return eachPage(st.ctx, st.snap, q, func(records []string, ids []uint64) error {
		for i, record := range records {
			if err := fn(record, ids[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

// end deletes what has ended, if the index still says so.
func (st *State) end(due []expiry.Time) error {
	for _, x := range due {
		if at, err := st.timeOf(x.Record); err != nil {
			return err
		} else if at != x.At {
			continue
		}
		key, member, ofMember, _ := names.Parse(x.Record)
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
		if at, err := st.timeOf(x.Record); err != nil {
			return err
		} else if at == x.At && (ofMember || !st.left[key]) { // of what is not there
			st.setTime(x.Record, 0)
		}
	}
	return nil
}

// timeOf returns when a record's key or member ends; 0: never.
func (st *State) timeOf(record string) (int64, error) {
	if at, ok := st.timed[record]; ok {
		return at, nil
	}
	if st.simple {
		return 0, nil
	}
	id, ok, err := st.idOf(record)
	if err != nil || !ok {
		return 0, err
	}
	at, _, err := st.snap.IntOf(expiresField, id)
	return at, err
}

// setTime sets or takes away the time at which a record's key or member ends.
func (st *State) setTime(record string, expires int64) {
	key, member, ofMember, _ := names.Parse(record)
	if expires == 0 {
		st.batch.Unset(expiresField, record)
		if ofMember {
			st.batch.Clear(timedField, record, key)
		}
		st.removed++
	} else {
		st.batch.SetInt(expiresField, record, expires)
		if ofMember {
			st.batch.Set(timedField, record, key)
		}
	}
	if st.timed == nil {
		st.timed, st.timedOf = make(map[string]int64), make(map[string][]string)
	}
	if _, again := st.timed[record]; ofMember && !again {
		st.timedOf[key] = append(st.timedOf[key], member)
	}
	st.timed[record] = expires
}

// hasTimes reports whether members of a key may end.
func (st *State) hasTimes(key string) (bool, error) {
	if len(st.timedOf[key]) > 0 {
		return true, nil
	}
	if st.simple {
		return false, nil
	}
	if has, ok := st.timedKeys[key]; ok {
		return has, nil
	}
	id, has, err := st.snap.RowID(timedField, key)
	if err == nil && has {
		has, err = hasRecords(st.ctx, st.snap, id)
	}
	if err != nil {
		return false, err
	}
	if st.timedKeys == nil {
		st.timedKeys = make(map[string]bool)
	}
	st.timedKeys[key] = has
	return has, nil
}

// dropTime takes the time of a member away.
func (st *State) dropTime(key, member string) error {
	if has, err := st.hasTimes(key); err != nil || !has {
		return err
	}
	record := names.OfMember(key, member)
	at, err := st.timeOf(record)
	if err == nil && at != 0 {
		st.setTime(record, 0)
	}
	return err
}

// dropTimes takes the times of all members of a key away, if they are not too many for the commit.
func (st *State) dropTimes(key string) (fits bool, err error) {
	times, bytes, err := droppable(st, key)
	if err != nil || times == nil {
		return false, err
	}
	for member := range times {
		st.setTime(names.OfMember(key, member), 0)
	}
	st.dropped, st.bytes = st.dropped+len(times), st.bytes+bytes
	return true, nil
}

// droppable returns memberTimes, and the bytes of their records; nil: they are too many to be taken
// away by the commit.
func droppable(st *State, key string) (times map[string]int64, bytes int, err error) {
	n := uint64(st.dropped + len(st.timedOf[key]))
	if has, err := st.hasTimes(key); err != nil || !has {
		return map[string]int64{}, 0, err
	}
	if !st.simple {
		stored, err := st.snap.Count(st.ctx, query.Equal{Field: timedField, Value: key})
		if n += stored; err != nil {
			return nil, 0, err
		}
	}
	if n > uint64(st.space.limits.times) {
		return nil, 0, nil
	}
	if times, err = st.memberTimes(key); err != nil {
		return nil, 0, err
	}
	for member := range times {
		bytes += len(key) + len(member)
	}
	if len(times) > 1 && st.bytes+bytes > mostBytes {
		return nil, 0, nil
	}
	if times == nil {
		times = map[string]int64{}
	}
	return times, bytes, nil
}

// timeBytes is what a time takes that is read, beside its record.
const timeBytes = 128

// timesUnder returns the times of the members of a set, as those of another key. Errors:
// ErrTooLong, ErrTransaction, or of Memory.Grow.
func timesUnder(st *State, r *Row, other string) (times []expiry.Time, err error) {
	if has, err := st.hasTimes(r.name); err != nil || !has {
		return nil, err
	}
	n := uint64(len(st.timedOf[r.name]))
	if !st.simple {
		stored, err := st.snap.Count(st.ctx, query.Equal{Field: timedField, Value: r.name})
		if n += stored; err != nil {
			return nil, err
		}
	}
	if st.Atomic && n > uint64(st.space.limits.times) {
		return nil, ErrTransaction
	}
	if err := st.Memory.take(timeBytes * int(n)); err != nil {
		return nil, err
	}
	of, err := st.memberTimes(r.name)
	if err != nil || len(of) == 0 {
		return nil, err
	}
	list := slices.Collect(maps.Keys(of))
	if err := st.lookUp(list); err != nil {
		return nil, err
	}
	for _, member := range list {
		if has, err := r.has(member); err != nil {
			return nil, err
		} else if !has {
			continue // of a key that had the name before
		}
		record := names.OfMember(other, member)
		if len(record) > names.MaxMember {
			return nil, tooLong(bothTimed, len(record), names.MaxMember)
		}
		if err := st.Memory.take(len(member) + len(record)); err != nil {
			return nil, err
		}
		times = append(times, expiry.Time{At: of[member], Record: record})
	}
	return times, nil
}

// memberTimes returns when the members of a key end, those that do.
func (st *State) memberTimes(key string) (map[string]int64, error) {
	if has, err := st.hasTimes(key); err != nil || !has {
		return nil, err
	}
	times := make(map[string]int64)
	if !st.simple {
		err := eachRecord(st, query.Equal{Field: timedField, Value: key}, func(record string, id uint64) error {
			_, member, ofMember, ok := names.Parse(record)
			if !ok || !ofMember {
				return nil
			}
			at, _, err := st.snap.IntOf(expiresField, id)
			if at != 0 {
				times[member] = at
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	for _, member := range st.timedOf[key] {
		if times[member] = st.timed[names.OfMember(key, member)]; times[member] == 0 {
			delete(times, member)
		}
	}
	return times, nil
}

// endLess has fewer keys and members end in the next commit than in one that was too large. It
// reports whether it can.
func (s *Space) endLess(due []expiry.Time, limit int) bool {
	if len(due) > 0 && limit > 1 {
		s.limits.due = max(1, len(due)/2) // and no command with them
		return true
	}
	return false
}
