// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ship

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"log/slog"
	"math"
	"slices"

	"github.com/uproar-db/uproar/store"
)

// Goal is a point of a log that only the batches tell of: between two of them, or within one.
type Goal interface {
	// Place says where a batch lies.
	Place(ops []store.Op) Place

	// Cut returns what a batch has that lies before the point, of the first one that is Reached.
	// The state before it has all batches before. Its error ends the restore.
	Cut(ops []store.Op) ([]store.Op, error)
}

// Place is where a batch lies, as seen from a Goal.
type Place int

const (
	Elsewhere Place = iota // it does not tell
	Before                 // all of it lies before the point
	Reached                // the point lies in it, or before it
)

// RestoreToGoal writes the content of a log as of a point into an empty store, which becomes no
// node of the log. It returns the object in which the point lies. Errors: those of Goal.Cut, and as
// of RestoreTo.
func RestoreToGoal(ctx context.Context, local store.Store, e Engine, goal Goal, logger *slog.Logger) (object uint64,
	err error) {
	n, err := newRestoration(ctx, local, e, logger)
	if err != nil {
		return 0, err
	}
	s := n.store
	defer s.stop()
	object, err = s.remote.search(ctx, goal)
	if err != nil {
		return 0, err
	}
	// An object that is void may have misled the search: it is near a takeover.
	from := object - min(object, 1+2*maxFlights)
	err = n.restore(ctx, from)
	if errors.Is(err, ErrTrimmed) && object > 0 {
		err = n.restore(ctx, object-1)
	}
	for done := false; err == nil && !done; {
		done, err = n.approach(ctx, goal)
	}
	if err != nil {
		return 0, err
	}
	return s.at.Object + 1, n.detach()
}

// approach applies the next object if it lies before the point. If the point lies in it, it applies
// what is before that.
func (n *restoration) approach(ctx context.Context, goal Goal) (done bool, err error) {
	s := n.store
	data, o, err := n.next(ctx)
	if err != nil {
		return false, err
	}
	_, void, err := s.at.advance(numbered(logPrefix, o.number), o)
	if err != nil {
		return false, err
	}
	if void {
		_, err = s.applyNext(ctx, data)
		return false, err
	}
	var before [][]store.Op
	for ops, err := range s.remote.batches(ctx, o) {
		if err != nil {
			return false, err
		}
		if goal.Place(ops) != Reached {
			before = append(before, slices.Clone(ops))
			continue
		}
		if ops, err = goal.Cut(ops); err != nil {
			return false, err
		}
		s.touched.Store(o.number)
		_, err = s.apply(func(yield func([]store.Op, error) bool) {
			for _, ops := range append(before, ops) {
				if !yield(ops, nil) {
					return
				}
			}
		}, s.at, false)
		return true, err
	}
	_, err = s.applyNext(ctx, data)
	return false, err
}

// search returns the first object in which a point may lie, or the number after the last one. What
// batches tell grows along the log.
func (r *remote) search(ctx context.Context, goal Goal) (object uint64, err error) {
	found, err := r.names(ctx, logPrefix, "", 1)
	if err != nil || len(found) == 0 {
		return 0, err
	}
	low, err := numberOf(logPrefix, found[0])
	if err != nil {
		return 0, err
	}
	high, err := r.end(ctx, low)
	if err != nil {
		return 0, err
	}
	for object = high; low < high; {
		middle := low + (high-low)/2
		at, place := middle, Elsewhere
		for ; at < high && place == Elsewhere; at++ {
			if place, err = r.place(ctx, at, goal); err != nil {
				return 0, err
			}
		}
		switch place {
		case Before:
			low = at
		case Reached:
			object, high = at-1, middle
		default:
			high = middle
		}
	}
	return object, nil
}

// end returns the number after the last object of the log; first is one that is there.
func (r *remote) end(ctx context.Context, first uint64) (uint64, error) {
	after := numbered(logPrefix, first)
	if c, err := r.newestCheckpoint(ctx, math.MaxUint64); err == nil && c.At.Object > first {
		after = numbered(logPrefix, c.At.Object)
	}
	found, err := r.names(ctx, logPrefix, after, math.MaxInt)
	if err != nil {
		return 0, err
	}
	if len(found) > 0 {
		after = found[len(found)-1]
	}
	n, err := numberOf(logPrefix, after)
	return n + 1, err
}

// place returns where an object of the log lies.
func (r *remote) place(ctx context.Context, number uint64, goal Goal) (Place, error) {
	name := numbered(logPrefix, number)
	data, err := r.get(ctx, name)
	if errors.Is(err, store.ErrNotFound) {
		return Elsewhere, nil // beyond the end of the log, where an object is still under way
	}
	if err != nil {
		return Elsewhere, err
	}
	o, err := decodeObject(name, data)
	if err != nil {
		return Elsewhere, err
	}
	place := Elsewhere
	for p := range o.all() {
		place = max(place, goal.Place(p.ops))
	}
	return place, nil
}

// Versions yields values that an entry has had: as of each checkpoint, the newest first, and then
// those that the log has after it. Errors: as of Open, and it ends with the first.
func Versions(ctx context.Context, e Engine, key []byte) iter.Seq2[[]byte, error] {
	r := &remote{engine: e, log: slog.New(slog.DiscardHandler)}
	return func(yield func([]byte, error) bool) {
		found, err := r.all(ctx, checkpointPrefix)
		after := ""
		for _, name := range slices.Backward(found) {
			c, err := r.checkpoint(ctx, name)
			if errors.Is(err, store.ErrNotFound) {
				continue
			}
			if after == "" {
				after = numbered(logPrefix, c.At.Object)
			}
			var value []byte
			if err == nil {
				value, err = r.entry(ctx, c, key)
			}
			if (value != nil || err != nil) && !yield(value, err) || err != nil {
				return
			}
		}
		if err == nil {
			found, err = r.names(ctx, logPrefix, after, math.MaxInt)
		}
		if err != nil {
			yield(nil, err)
			return
		}
		for _, name := range found {
			data, err := r.get(ctx, name)
			if errors.Is(err, store.ErrNotFound) {
				continue
			}
			var o *object
			if err == nil {
				o, err = decodeObject(name, data)
			}
			if err != nil {
				yield(nil, err)
				return
			}
			for p := range o.all() {
				for _, op := range p.ops {
					if bytes.Equal(op.Key, key) && !op.Delete && !yield(op.Value, nil) {
						return
					}
				}
			}
		}
	}
}

// entry returns the value of an entry in a checkpoint; nil when there is none.
func (r *remote) entry(ctx context.Context, c checkpoint, key []byte) (value []byte, err error) {
	for _, b := range c.Blocks {
		data, err := r.getWithin(ctx, b.Name, longLimit)
		o, err := b.object(data, err)
		if err != nil {
			return nil, err
		}
		for p := range o.all() {
			for _, op := range p.ops {
				switch d := bytes.Compare(op.Key, key); {
				case d == 0:
					return op.Value, nil
				case d > 0:
					return nil, nil
				}
			}
		}
	}
	return nil, nil
}
