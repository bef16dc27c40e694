// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package expiry

import (
	"cmp"
	"container/heap"
	"context"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/server/resp/names"
)

// Time is when a key or member ends, by its record.
type Time struct {
	At     int64 // milliseconds since 1970; 0: never
	Record string
}

// Queue is the next times of a space. All are in the index; those before a time, which is chosen
// so that they are not too many, are also here. Not safe for concurrent use.
type Queue struct {
	at    map[string]int64 // by record: what counts
	queue ordered          // with times that do not count any more
	bytes int              // of records in the queue, and what they take beside
	bound int64            // those from this time on may be in the index only; Never: all are here

	field string            // the integer field with the times
	hold  func(bytes int64) // counts their memory
}

// Bounds of queues.
const (
	timeBytes   = 128           // that a time takes beside its record, about
	mostTimes   = 1 << 15       // that are read together
	mostBytes   = 8 << 20       // bytes, beyond which the later half is left to the index
	pageOfTimes = 4096          // that are read from a snapshot at once
	Never       = math.MaxInt64 // later than all times
)

// ordered is a heap of times, the first to end first.
type ordered []Time

func (q ordered) Len() int           { return len(q) }
func (q ordered) Less(i, k int) bool { return q[i].At < q[k].At }
func (q ordered) Swap(i, k int)      { q[i], q[k] = q[k], q[i] }

// Push is for package heap.
func (q *ordered) Push(x any) { *q = append(*q, x.(Time)) }

// Pop is for package heap.
func (q *ordered) Pop() any {
	old := *q
	last := old[len(old)-1]
	old[len(old)-1] = Time{}
	*q = old[:len(old)-1]
	return last
}

// New returns a queue into which nothing has been read of an integer field. hold counts the memory
// that it takes, and is told of less by negative numbers.
func New(field string, hold func(bytes int64)) *Queue {
	return &Queue{at: make(map[string]int64), bound: math.MinInt64, field: field, hold: hold}
}

// IsEmpty reports whether the next time, if there is one, is in the index only.
func (q *Queue) IsEmpty() bool {
	q.skip()
	return len(q.queue) == 0 && q.bound != Never
}

// skip takes times out of the queue that do not count any more.
func (q *Queue) skip() {
	for len(q.queue) > 0 && q.at[q.queue[0].Record] != q.queue[0].At {
		q.pop()
	}
}

func (q *Queue) push(x Time) {
	heap.Push(&q.queue, x)
	q.count(timeBytes + len(x.Record))
}

func (q *Queue) pop() Time {
	x := heap.Pop(&q.queue).(Time)
	q.count(-timeBytes - len(x.Record))
	return x
}

func (q *Queue) count(bytes int) {
	q.bytes += bytes
	q.hold(int64(bytes))
}

// Release gives back the memory of the times, and has none of them.
func (q *Queue) Release() {
	q.count(-q.bytes)
	q.queue = nil
	clear(q.at)
}

// Fill reads the next times of a snapshot, in the place of those that are here.
func (q *Queue) Fill(ctx context.Context, snap uproar.Snapshot) error {
	now := time.Now().UnixMilli()
	for most := mostTimes; ; {
		fits, err := q.read(ctx, snap, now, most)
		switch {
		case err != nil:
			q.Release()
			q.bound = math.MinInt64
			return err
		case !fits:
			most /= 8
		case len(q.queue) == 0 && q.bound <= now+1: // of very many records that are of no key or member
			now += 1000
		default:
			return nil
		}
	}
}

// read reads about the next most times, and all up to now if they are not more. It reports whether
// they have room.
func (q *Queue) read(ctx context.Context, snap uproar.Snapshot, now int64, most int) (fits bool, err error) {
	q.Release()
	last, err := lastOfNext(ctx, snap, q.field, now, uint64(most))
	if err != nil {
		return false, err
	}
	due := EndedBy(q.field, last)
	for page := (uproar.IDs{More: true}); page.More; {
		if q.bound = last; len(q.queue) > 2*most { // so many end together: the others are read after these
			return true, nil
		}
		page, err = snap.IDs(ctx, due, uproar.Page{From: page.Next, Limit: min(most, pageOfTimes)})
		if err != nil {
			return false, err
		}
		records, err := snap.KeysOf(page.IDs)
		if err != nil {
			return false, err
		}
		for i, record := range records {
			at, ok, err := snap.IntOf(q.field, page.IDs[i])
			if err != nil {
				return false, err
			}
			if ok && at != 0 {
				q.add(Time{at, record})
			}
		}
		if q.bytes > mostBytes && most > 1 {
			return false, nil
		}
	}
	if last != Never {
		q.bound++
	}
	return true, nil
}

// EndedBy is the records of what ends up to a time, as an integer field says.
func EndedBy(field string, at int64) query.Expr {
	return query.Compare{Field: field, Order: query.LessEqual, Value: strconv.FormatInt(at, 10)}
}

// lastOfNext returns a time up to which at most a number of keys and members end, but not many
// fewer if there are more; or more if they end together. Never: that is all.
func lastOfNext(ctx context.Context, snap uproar.Snapshot, field string, now int64, most uint64) (at int64,
	err error) {
	n, err := snap.Count(ctx, query.Any{Field: field})
	if err != nil || n <= most {
		return Never, err
	}
	count := func(at int64) (n uint64) {
		if err == nil {
			n, err = snap.Count(ctx, EndedBy(field, at))
		}
		return n
	}
	if n = count(now); n > most || err != nil {
		return now, err
	}
	const latest = Never - 1 // what is to end at Never does not
	from, step := now, int64(1<<10)
	for err == nil {
		next := count(from + step)
		if next > most {
			break
		}
		if from, n = from+step, next; from == latest {
			return latest, err
		}
		if step > (latest-from)/4 {
			step = latest - from
		} else {
			step *= 4
		}
	}
	to := from + step
	for to-from > 1 && n < most/4 && err == nil {
		middle := from + (to-from)/2
		if next := count(middle); next > most {
			to = middle
		} else {
			from, n = middle, next
		}
	}
	if n == 0 {
		from = to
	}
	return from, err
}

// add notes a time, if it is of a key or member.
func (q *Queue) add(x Time) {
	if _, _, _, ok := names.Parse(x.Record); !ok {
		return
	}
	q.at[x.Record] = x.At
	q.push(x)
}

// Set sets when a record's key or member ends. Records of neither are left alone.
func (q *Queue) Set(x Time) {
	if x.At == 0 || x.At >= q.bound {
		delete(q.at, x.Record)
		return
	}
	if q.add(x); q.bytes > mostBytes || len(q.queue) > 4*mostTimes {
		q.shrink()
	}
}

// shrink leaves the later times to the index.
func (q *Queue) shrink() {
	counting := make(ordered, 0, len(q.at))
	for record, at := range q.at {
		counting = append(counting, Time{at, record})
	}
	slices.SortFunc(counting, func(a, b Time) int { return cmp.Compare(a.At, b.At) })
	q.Release()
	for _, x := range counting {
		if q.bytes > mostBytes/2 || len(q.queue) > 2*mostTimes {
			q.bound = min(q.bound, x.At)
			break
		}
		q.add(x)
	}
}

// Next returns when the next record's key or member ends, or may: those that are not here have to
// be read then.
func (q *Queue) Next() int64 {
	q.skip()
	if len(q.queue) > 0 {
		return min(q.queue[0].At, q.bound)
	}
	return q.bound
}

// Due takes the records out of the queue whose keys or members have ended, at most limit. They
// still count.
func (q *Queue) Due(now int64, limit int) (due []Time) {
	for len(due) < limit {
		if q.skip(); len(q.queue) == 0 || q.queue[0].At > now {
			break
		}
		due = append(due, q.pop())
	}
	return due
}

// PutBack puts back what Due has taken.
func (q *Queue) PutBack(due []Time) {
	for _, x := range due {
		q.push(x)
	}
}
