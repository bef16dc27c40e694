// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package keyspace

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

// timer is when a key or member ends, by its record.
type timer struct {
	at     int64 // milliseconds since 1970; 0: never
	record string
}

// timers are the next times of a space. All are in the index; those before a time, which is chosen
// so that they are not too many, are also here. Not safe for concurrent use.
type timers struct {
	at    map[string]int64 // by record: what counts
	queue queue            // with times that do not count any more
	bytes int              // of records in the queue, and what they take beside
	bound int64            // those from this time on may be in the index only; never: all are here

	hold func(bytes int64) // counts their memory
}

// Bounds of timers.
const (
	timerBytes  = 128           // that a timer takes beside its record, about
	mostTimers  = 1 << 15       // that are read together
	timersBytes = 8 << 20       // bytes, beyond which the later half is left to the index
	never       = math.MaxInt64 // later than all times
)

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
	old[len(old)-1] = timer{}
	*q = old[:len(old)-1]
	return last
}

// newTimers returns timers of which none has been read.
func newTimers(hold func(bytes int64)) *timers {
	return &timers{at: make(map[string]int64), bound: math.MinInt64, hold: hold}
}

// empty reports whether the next time, if there is one, is in the index only.
func (t *timers) empty() bool {
	t.skip()
	return len(t.queue) == 0 && t.bound != never
}

// skip takes times out of the queue that do not count any more.
func (t *timers) skip() {
	for len(t.queue) > 0 && t.at[t.queue[0].record] != t.queue[0].at {
		t.pop()
	}
}

func (t *timers) push(x timer) {
	heap.Push(&t.queue, x)
	t.count(timerBytes + len(x.record))
}

func (t *timers) pop() timer {
	x := heap.Pop(&t.queue).(timer)
	t.count(-timerBytes - len(x.record))
	return x
}

func (t *timers) count(bytes int) {
	t.bytes += bytes
	t.hold(int64(bytes))
}

// release gives back what the timers hold.
func (t *timers) release() {
	t.count(-t.bytes)
	t.queue = nil
	clear(t.at)
}

// fill reads the next times of a snapshot, in the place of those that are here.
func (t *timers) fill(ctx context.Context, snap uproar.Snapshot) error {
	now := time.Now().UnixMilli()
	for most := mostTimers; ; {
		fits, err := t.read(ctx, snap, now, most)
		switch {
		case err != nil:
			t.release()
			t.bound = math.MinInt64
			return err
		case !fits:
			most /= 8
		case len(t.queue) == 0 && t.bound <= now+1: // of very many records that are of no key or member
			now += 1000
		default:
			return nil
		}
	}
}

// read reads about the next most times, and all up to now if they are not more. It reports whether
// they have room.
func (t *timers) read(ctx context.Context, snap uproar.Snapshot, now int64, most int) (fits bool, err error) {
	t.release()
	last, err := lastOfNext(ctx, snap, now, uint64(most))
	if err != nil {
		return false, err
	}
	due := endedBy(last)
	for page := (uproar.IDs{More: true}); page.More; {
		if t.bound = last; len(t.queue) > 2*most { // so many end together: the others are read after these
			return true, nil
		}
		page, err = snap.IDs(ctx, due, uproar.Page{From: page.Next, Limit: min(most, pageOfMembers)})
		if err != nil {
			return false, err
		}
		records, err := snap.KeysOf(page.IDs)
		if err != nil {
			return false, err
		}
		for i, record := range records {
			at, ok, err := snap.IntOf(expiresField, page.IDs[i])
			if err != nil {
				return false, err
			}
			if ok && at != 0 {
				t.add(timer{at, record})
			}
		}
		if t.bytes > timersBytes && most > 1 {
			return false, nil
		}
	}
	if last != never {
		t.bound++
	}
	return true, nil
}

// endedBy is the records of what ends up to a time.
func endedBy(at int64) query.Expr {
	return query.Compare{Field: expiresField, Order: query.LessEqual, Value: strconv.FormatInt(at, 10)}
}

// lastOfNext returns a time up to which at most a number of keys and members end, but not many
// fewer if there are more; or more if they end together. never: that is all.
func lastOfNext(ctx context.Context, snap uproar.Snapshot, now int64, most uint64) (at int64, err error) {
	n, err := snap.Count(ctx, query.Any{Field: expiresField})
	if err != nil || n <= most {
		return never, err
	}
	count := func(at int64) (n uint64) {
		if err == nil {
			n, err = snap.Count(ctx, endedBy(at))
		}
		return n
	}
	if n = count(now); n > most || err != nil {
		return now, err
	}
	const latest = never - 1 // what is to end at never does not
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
func (t *timers) add(x timer) {
	if _, _, _, ok := names.Parse(x.record); !ok {
		return
	}
	t.at[x.record] = x.at
	t.push(x)
}

// set sets when a record's key or member ends. Records of neither are left alone.
func (t *timers) set(x timer) {
	if x.at == 0 || x.at >= t.bound {
		delete(t.at, x.record)
		return
	}
	if t.add(x); t.bytes > timersBytes || len(t.queue) > 4*mostTimers {
		t.shrink()
	}
}

// shrink leaves the later times to the index.
func (t *timers) shrink() {
	counting := make(queue, 0, len(t.at))
	for record, at := range t.at {
		counting = append(counting, timer{at, record})
	}
	slices.SortFunc(counting, func(a, b timer) int { return cmp.Compare(a.at, b.at) })
	t.release()
	for _, x := range counting {
		if t.bytes > timersBytes/2 || len(t.queue) > 2*mostTimers {
			t.bound = min(t.bound, x.at)
			break
		}
		t.add(x)
	}
}

// next returns when the next record's key or member ends, or may: those that are not here have to
// be read then.
func (t *timers) next() int64 {
	t.skip()
	if len(t.queue) > 0 {
		return min(t.queue[0].at, t.bound)
	}
	return t.bound
}

// due takes the records out of the queue whose keys or members have ended, at most limit. They
// still count.
func (t *timers) due(now int64, limit int) (due []timer) {
	for len(due) < limit {
		if t.skip(); len(t.queue) == 0 || t.queue[0].at > now {
			break
		}
		due = append(due, t.pop())
	}
	return due
}

// putBack puts back what due has taken.
func (t *timers) putBack(due []timer) {
	for _, x := range due {
		t.push(x)
	}
}
