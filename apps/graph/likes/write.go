// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package likes

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/graph"
)

// Change is one change: the record Key of Account likes Subject from now on, whatever it liked
// before; without a Subject there is no such record any more.
type Change struct{ Account, Key, Subject string }

// Changes are written as one, all or none.
type Changes struct {
	List []Change

	// Stream and Position say how far a stream has come, as those of graph.Changes do.
	Stream   string
	Position int64
}

// ChangeError says which change an error is about.
type ChangeError struct {
	Place int // in the list, from 0
	Err   error
}

// Error returns the place and the error.
func (e *ChangeError) Error() string {
	return fmt.Sprintf("%v (change %d, counted from 0)", e.Err, e.Place)
}

// Unwrap returns the error of the change itself.
func (e *ChangeError) Unwrap() error { return e.Err }

// check returns what is wrong with a change.
func (c Change) check() error {
	if err := graph.CheckAccount(c.Account); err != nil {
		return err
	}
	if err := graph.CheckKey(c.Key); err != nil {
		return err
	}
	if c.Subject == "" {
		return nil
	}
	return CheckSubject(c.Subject)
}

// Write commits changes in their order in one atomic and durable batch, and returns its sequence
// number. What a record likes already changes nothing; nor does taking away what is not there.
// Subjects that are new, and their authors, exist from then on, even if the changes fail. Cost: of
// a like some microseconds; of taking one away also a look at some of the actor's subjects, one in
// 64, and a pass over the likes of its own.
//
// Errors: *ChangeError, *graph.InvalidAccountError of the stream, ctx's, or the database's. After
// the first two nothing was written.
func (l *Likes) Write(ctx context.Context, c Changes) (sequence uint64, err error) {
	var subjects []string
	for i, change := range c.List {
		if err := change.check(); err != nil {
			return 0, &ChangeError{i, err}
		}
		if change.Subject != "" {
			subjects = append(subjects, change.Subject)
		}
	}
	if c.Stream != "" {
		if err := graph.CheckAccount(c.Stream); err != nil {
			return 0, err
		}
	}
	for {
		keys, err := l.intern(ctx, subjects)
		if err != nil {
			return 0, err
		}
		sequence, err = l.index.Update(ctx, func(s uproar.Snapshot, b *uproar.Batch) error {
			r, err := l.reader(s)
			if err != nil {
				return err
			}
			w := writer{reader: r, batch: b, subjects: keys}
			if err := w.write(ctx, c.List); err != nil {
				return err
			}
			if c.Stream != "" {
				b.SetInt(graph.PositionField, c.Stream, c.Position)
			}
			return nil
		})
		if !errors.Is(err, errGone) {
			return sequence, err
		}
	}
}

// errGone is met when a subject was deleted since it was interned.
var errGone = errors.New("likes: a subject is gone")

// writer turns changes into the writes of a batch. Not for concurrent use.
type writer struct {
	reader
	batch    *uproar.Batch
	subjects map[string]string // their keys

	actors  map[string]*actor
	removed map[like]bool   // stored records that go
	edges   map[edge]bool   // that lose a record; true: they get one
	held    map[holder]bool // slots that lose one; true: they get one
}

// like is a record: the number of its key, and its edge.
type like struct{ subject, actor, number uint64 }

// edge is a subject and an account that likes it.
type edge struct {
	subject uint64
	actor   *actor
}

// holder is a slot of an account, and the bucket of a subject.
type holder struct {
	actor        *actor
	slot, bucket uint64
}

// record names a record of an actor.
type record struct{ actor, key string }

// wholeFrom is from how many changes of an actor on its slots are read at once.
const wholeFrom = 8

// write writes the difference that changes make.
func (w *writer) write(ctx context.Context, list []Change) error {
	last, order := make(map[record]string, len(list)), make([]record, 0, len(list))
	changes := make(map[string]int)
	for _, c := range list {
		name := record{c.Account, c.Key}
		if _, again := last[name]; !again {
			order = append(order, name)
			changes[c.Account]++
		}
		last[name] = c.Subject
	}
	w.actors, w.removed = make(map[string]*actor), make(map[like]bool)
	w.edges, w.held = make(map[edge]bool), make(map[holder]bool)
	if err := w.readActors(changes); err != nil {
		return err
	}
	for i, name := range order {
		if i%256 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if err := w.apply(ctx, w.actors[name.actor], name.key, last[name]); err != nil {
			return err
		}
	}
	return w.finish(ctx)
}

// readActors looks the actors up, and says that they were read: all else that is read changes only
// together with one.
func (w *writer) readActors(changes map[string]int) error {
	var read []uint64
	var unknown []string
	for name, n := range changes {
		a := &actor{name: name}
		id, err := w.s.ID(name)
		if knownOnly(err) != nil {
			return err
		}
		if a.id, a.exists = id, err == nil; !a.exists {
			unknown = append(unknown, name)
		} else {
			read = append(read, id)
		}
		if a.exists && n >= wholeFrom {
			if a.slots, err = w.slots.Append(nil, id, everyKey, allKeys); err != nil {
				return err
			}
			a.whole = true
		}
		w.actors[name] = a
	}
	slices.Sort(read)
	slices.Sort(unknown)
	w.batch.Reads(read, unknown)
	return nil
}

// apply has a record like a subject, or nothing.
func (w *writer) apply(ctx context.Context, a *actor, key, subject string) error {
	had, number, exists, err := w.find(ctx, a, key)
	if err != nil {
		return err
	}
	var wanted uint64
	if subject != "" {
		wanted, err = w.s.ID(w.subjects[subject])
		if errors.Is(err, uproar.ErrUnknownRecord) {
			return errGone
		}
		if err != nil {
			return err
		}
		if exists && had == wanted {
			return nil
		}
	}
	slot, _, _, err := slotOf(w.likers, key)
	if err != nil {
		return err
	}
	if exists {
		name, err := w.s.Key(had)
		if err != nil {
			return err
		}
		w.batch.ClearEdgeKey(LikersField, name, a.name, key)
		w.removed[like{had, a.id, number}] = true
		w.touch(a, had, slot, false)
	}
	if subject == "" {
		return nil
	}
	text, err := w.slots.AppendText(nil, slot)
	if err != nil {
		return err
	}
	w.batch.SetEdge(LikersField, w.subjects[subject], a.name, key)
	w.batch.SetEdge(SlotsField, a.name, bucketKey(int(wanted%bucketCount)), string(text))
	w.touch(a, wanted, slot, true)
	return nil
}

// touch notes that an edge and a slot get a record, or lose one.
func (w *writer) touch(a *actor, subject, slot uint64, gets bool) {
	e, h := edge{subject, a}, holder{a, slot, subject % bucketCount}
	w.edges[e], w.held[h] = w.edges[e] || gets, w.held[h] || gets
}

// finish takes edges and slots away that have no record left.
func (w *writer) finish(ctx context.Context) error {
	for e, stays := range w.edges {
		if !stays {
			left, err := w.likes(ctx, e.actor, e.subject)
			if err != nil {
				return err
			}
			stays = left
		}
		if !stays {
			name, err := w.s.Key(e.subject)
			if err != nil {
				return err
			}
			w.batch.ClearEdge(LikersField, name, e.actor.name)
		}
	}
	for h, stays := range w.held {
		if stays || h.slot>>clockBits >= textSlots { // texts may share a hash: their slots stay
			continue
		}
		from, to := slotRange(h.slot)
		stays, err := w.reader.subjects(ctx, h.actor, w.buckets[h.bucket], func(id uint64) (bool, error) {
			return w.left(ctx, id, h.actor.id, from, to)
		})
		if err != nil {
			return err
		}
		if !stays {
			text, err := w.slots.AppendText(nil, h.slot)
			if err != nil {
				return err
			}
			w.batch.ClearEdgeKey(SlotsField, h.actor.name, bucketKey(int(h.bucket)), string(text))
		}
	}
	return nil
}

// left reports whether an actor has a record of a subject, from one number up to another, that does
// not go.
func (w *writer) left(ctx context.Context, subject, actor, from, to uint64) (bool, error) {
	numbers, err := w.recordsOf(ctx, subject, actor, from, to)
	return slices.ContainsFunc(numbers, func(n uint64) bool { return !w.removed[like{subject, actor, n}] }), err
}
