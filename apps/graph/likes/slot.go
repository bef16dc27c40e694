// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package likes

import (
	"context"
	"hash/fnv"
	"math"
	"slices"
	"sort"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
)

// A slot is a second in which an account liked something, or of a key that is no TID a hash of it.
// Slots are the keys of SlotsField: numbers such as those of TIDs, with other times.
const (
	clockBits  = 10      // of a TID, behind the time
	timedSlots = 1 << 31 // what the second of a TID is added to
	textSlots  = 1 << 40 // and the hash of a text, above all seconds

	everyKey = math.MaxUint64 // is above all numbers of keys
	allKeys  = math.MaxInt32
)

// slotOf returns the slot of a key, and its number; ok is false if it has none, for a text that no
// record has had.
func slotOf(likers uproar.EdgeKeys, key string) (slot, number uint64, ok bool, err error) {
	if number, ok, err = likers.Number(key); err != nil {
		return 0, 0, false, err
	}
	if ok && isTimed(number) {
		return (timedSlots + uint64(micros(number))/1e6) << clockBits, number, true, nil
	}
	h := fnv.New32a()
	_, _ = h.Write([]byte(key))
	return (textSlots + uint64(h.Sum32())) << clockBits, number, ok, nil
}

func micros(number uint64) int64 { return uproar.EdgeKey{Key: number}.Micros() }

func isTimed(number uint64) bool { return micros(number) > 0 }

// slotRange returns the least number of a slot of time, and the least above it.
func slotRange(slot uint64) (from, to uint64) {
	second := slot>>clockBits - timedSlots
	return second * 1e6 << clockBits, (second + 1) * 1e6 << clockBits
}

// reader reads likes in one state. Not for concurrent use.
type reader struct {
	*Likes
	s             uproar.Snapshot
	likers, slots uproar.EdgeKeys
}

func (l *Likes) reader(s uproar.Snapshot) (r reader, err error) {
	r = reader{Likes: l, s: s}
	if r.likers, err = s.EdgeKeys(LikersField); err == nil {
		r.slots, err = s.EdgeKeys(SlotsField)
	}
	return r, err
}

// recordsOf returns the numbers of an actor's records of a subject, from one up to another.
func (r *reader) recordsOf(ctx context.Context, subject, actor, from, to uint64) (numbers []uint64, err error) {
	chunk := mostChunk
	if from > 0 {
		chunk = leastChunk // there are few in a slot
	}
	err = r.newest(ctx, subject, uproar.EdgeKey{Key: to}, chunk, func(k uproar.EdgeKey) (bool, error) {
		if k.Key >= from && k.Target == actor {
			numbers = append(numbers, k.Key)
		}
		return k.Key >= from, nil
	})
	slices.Reverse(numbers)
	return numbers, err
}

// actor is what a writer knows of an account.
type actor struct {
	name   string
	id     uint64
	exists bool
	whole  bool
	slots  []uproar.EdgeKey // all if whole
	likes  []uint64         // its subjects, once read
	read   bool
}

// in returns the buckets of an actor's slot.
func (r *reader) in(a *actor, slot uint64) ([]uproar.EdgeKey, error) {
	keys := a.slots
	if !a.whole {
		var err error
		if keys, err = r.slots.Append(nil, a.id, slot+1, bucketCount); err != nil {
			return nil, err
		}
	}
	at := sort.Search(len(keys), func(i int) bool { return keys[i].Key >= slot })
	end := sort.Search(len(keys), func(i int) bool { return keys[i].Key > slot })
	return keys[at:end], nil
}

// subjects calls yield with the subjects of an actor in a bucket, the last one to appear first. It
// returns what yield does when it has found what it looks for.
func (r *reader) subjects(ctx context.Context, a *actor, bucket uint64,
	yield func(subject uint64) (found bool, err error)) (bool, error) {
	if !a.read {
		page, err := r.s.IDs(ctx, query.Related{Field: LikesField, Key: a.name}, uproar.Page{})
		if err != nil {
			return false, err
		}
		a.likes, a.read = page.IDs, true
	}
	for _, id := range slices.Backward(a.likes) {
		if r.buckets[id%bucketCount] == bucket {
			if found, err := yield(id); found || err != nil {
				return found, err
			}
		}
	}
	return false, nil
}

// find returns the subject of an actor's record, and the number of its key.
func (r *reader) find(ctx context.Context, a *actor, key string) (subject, number uint64, ok bool, err error) {
	if !a.exists {
		return 0, 0, false, nil
	}
	slot, number, ok, err := slotOf(r.likers, key)
	if err != nil || !ok {
		return 0, 0, false, err
	}
	buckets, err := r.in(a, slot)
	if err != nil {
		return 0, 0, false, err
	}
	for _, b := range buckets {
		ok, err := r.subjects(ctx, a, b.Target, func(id uint64) (bool, error) {
			has, err := r.recordsOf(ctx, id, a.id, number, number+1)
			subject = id
			return len(has) > 0, err
		})
		if ok || err != nil {
			return subject, number, ok, err
		}
	}
	return 0, 0, false, nil
}
