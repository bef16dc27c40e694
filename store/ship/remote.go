// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ship

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/uproar-db/uproar/store"
)

// The names of what a log has on its engine.
const (
	identityName     = "log.json"
	logPrefix        = "log/"
	attachmentPrefix = "attached/"
	horizonPrefix    = "horizon/"
	checkpointPrefix = "checkpoint/"
	nodePrefix       = "nodes/"
)

// numberDigits is how many digits a number in a name has, so that names are in the order of the
// numbers.
const numberDigits = 20

// numbered returns a name with a number.
func numbered(prefix string, n uint64) string { return fmt.Sprintf("%s%0*d", prefix, numberDigits, n) }

// numberOf returns the number in a name.
func numberOf(prefix, name string) (uint64, error) {
	digits := strings.TrimPrefix(name, prefix)
	n, err := strconv.ParseUint(digits[:min(len(digits), numberDigits)], 10, 64)
	if err != nil {
		return 0, damaged(name, "got a name without a number, want one after %s", prefix)
	}
	return n, nil
}

// takenError says that another object stands under the name of one that was to be created.
type takenError struct{ data []byte }

// Error returns the text.
func (e *takenError) Error() string { return "ship: another object has the name" }

// remote is the engine, as the parts of a store use it: calls that fail because it is unavailable
// are made again. Safe for concurrent use.
type remote struct {
	engine Engine
	log    *slog.Logger
	counts counters
}

// hiccup takes note that the engine has failed. The log is told once a second.
func (r *remote) hiccup(err error) {
	r.counts.unavailable.Add(1)
	last := r.counts.warned.Load()
	if now := time.Now().Unix(); now > last && r.counts.warned.CompareAndSwap(last, now) {
		r.log.Warn("the engine fails; asking again", "error", err)
	}
}

// create creates an object. It asks until it knows: an answer that says neither yes nor no, and one
// that says no to a call that may have been made twice, is resolved by reading. Errors:
// *takenError, ctx's, or one of the engine that is not store.ErrUnavailable.
func (r *remote) create(ctx context.Context, name string, data []byte) error {
	wait := newBackoff(shortLimit + time.Duration(len(data))*time.Second/slowest)
	for read := *wait; ; { // an answer to a Get says nothing of how long a Create takes
		err := limited(ctx, wait, func(ctx context.Context) error { return r.engine.Create(ctx, name, data) })
		if err == nil {
			r.counts.objects.Add(1)
			r.counts.bytes.Add(uint64(len(data)))
			return nil
		}
		if errors.Is(err, ErrExists) || errors.Is(err, store.ErrUnavailable) {
			var there []byte
			getErr := limited(ctx, &read, func(ctx context.Context) (err error) {
				there, err = r.engine.Get(ctx, name)
				return err
			})
			switch {
			case getErr == nil && bytes.Equal(there, data):
				return nil
			case getErr == nil:
				return &takenError{there}
			case errors.Is(getErr, store.ErrNotFound):
				// not made, or not yet: the same call again does no harm
			case !errors.Is(getErr, store.ErrUnavailable):
				err = getErr
			}
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if !errors.Is(err, store.ErrUnavailable) && !errors.Is(err, ErrExists) {
			return err
		}
		r.hiccup(err)
		if err := wait.sleep(ctx); err != nil {
			return err
		}
	}
}

// insist is create, but it asks again whatever the engine says. Errors: *takenError, ctx's.
func (r *remote) insist(ctx context.Context, name string, data []byte) error {
	for wait := newBackoff(shortLimit); ; {
		err := r.create(ctx, name, data)
		if _, taken := errors.AsType[*takenError](err); err == nil || taken || ctx.Err() != nil {
			return err
		}
		r.hiccup(fmt.Errorf("creating %s: %w", name, err))
		if err := wait.sleep(ctx); err != nil {
			return err
		}
	}
}

// get returns an object. It asks again while the engine is unavailable. Errors: store.ErrNotFound,
// ctx's, or one of the engine.
func (r *remote) get(ctx context.Context, name string) ([]byte, error) {
	return r.getWithin(ctx, name, shortLimit)
}

// getWithin is get, with a limit for the first call.
func (r *remote) getWithin(ctx context.Context, name string, limit time.Duration) ([]byte, error) {
	for wait := newBackoff(limit); ; {
		var data []byte
		err := limited(ctx, wait, func(ctx context.Context) (err error) {
			data, err = r.engine.Get(ctx, name)
			return err
		})
		if err == nil || !errors.Is(err, store.ErrUnavailable) {
			return data, err
		}
		r.hiccup(err)
		if err := wait.sleep(ctx); err != nil {
			return nil, err
		}
	}
}

// surelyGet is getWithin, but it asks again whatever the engine says. Errors: store.ErrNotFound,
// ctx's.
func (r *remote) surelyGet(ctx context.Context, name string, limit time.Duration) (data []byte, err error) {
	err = r.surely(ctx, "reading "+name, func() error {
		data, err = r.getWithin(ctx, name, limit)
		return err
	})
	return data, err
}

// collected reports whether an object was collected, of which one was sure at a time that it was
// not: it asks only if that was long ago, and again whatever the engine says. Errors: ctx's.
func (r *remote) collected(ctx context.Context, sure instant, keep time.Duration, number uint64) (gone bool,
	err error) {
	if sure.elapsed() < keep/24 {
		return false, nil
	}
	err = r.surely(ctx, "looking for what is kept", func() error {
		h, err := r.horizon(ctx)
		gone = h > number
		return err
	})
	return gone, err
}

// surely calls fn until it returns nil or store.ErrNotFound. Errors: that, or ctx's.
func (r *remote) surely(ctx context.Context, what string, fn func() error) error {
	for wait := newBackoff(shortLimit); ; {
		err := fn()
		if err == nil || errors.Is(err, store.ErrNotFound) {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		r.hiccup(fmt.Errorf("%s: %w", what, err))
		if err := wait.sleep(ctx); err != nil {
			return err
		}
	}
}

// names returns the names with a prefix that are greater than after, at most a number of them. It
// asks again while the engine is unavailable.
func (r *remote) names(ctx context.Context, prefix, after string, most int) (found []string, err error) {
	for wait := newBackoff(shortLimit); ; {
		found = found[:0]
		err = limited(ctx, wait, func(ctx context.Context) error {
			for name, err := range r.engine.List(ctx, prefix, after) {
				if err != nil || len(found) == most {
					return err
				}
				found = append(found, name)
			}
			return nil
		})
		if err == nil || !errors.Is(err, store.ErrUnavailable) {
			return found, err
		}
		r.hiccup(err)
		if err := wait.sleep(ctx); err != nil {
			return nil, err
		}
	}
}

// all returns all names with a prefix.
func (r *remote) all(ctx context.Context, prefix string) ([]string, error) {
	return r.names(ctx, prefix, "", math.MaxInt)
}

// horizon returns the number of the oldest object that is surely kept; 0: nothing was collected.
func (r *remote) horizon(ctx context.Context) (uint64, error) {
	found, err := r.all(ctx, horizonPrefix)
	if err != nil || len(found) == 0 {
		return 0, err
	}
	return numberOf(horizonPrefix, found[len(found)-1])
}

// counters count since the store was opened.
type counters struct {
	objects, bytes, takeovers, fenced, unavailable atomic.Uint64
	logged                                         atomic.Uint64 // bytes of log that were applied or made
	warned                                         atomic.Int64  // the second in which a failure was logged
}

// backoff is how long to wait before asking again: longer each time, and never as long as another
// node.
type backoff struct {
	next  time.Duration
	first time.Duration // the limit of the first call
	limit time.Duration // of the next call
}

func newBackoff(limit time.Duration) *backoff { return &backoff{5 * time.Millisecond, limit, limit} }

// A call of the engine that takes longer than a limit is made again, with a longer one: a
// connection may have been lost without a word. The limits are of the first call.
const (
	shortLimit = 2 * time.Second
	longLimit  = 8 * time.Second  // of objects that are large
	mostLimit  = 10 * time.Minute // of any call

	mostWait = 500 * time.Millisecond // between two calls, on average

	slowest = 1 << 20 // bytes a second: a Create has so much more time
)

// limited makes a call that ends at its limit, with store.ErrUnavailable.
func limited(ctx context.Context, b *backoff, call func(ctx context.Context) error) error {
	short, cancel := context.WithTimeout(ctx, b.limit)
	defer cancel()
	err := call(short)
	switch {
	case err == nil:
	case short.Err() != nil && ctx.Err() == nil:
		err = fmt.Errorf("%w: no answer within %v: %v", store.ErrUnavailable, b.limit, err)
		b.limit = min(2*b.limit, mostLimit)
	default:
		b.limit = b.first // a long call must not hide that the engine is there again
	}
	return err
}

// sleep waits. Errors: ctx's.
func (b *backoff) sleep(ctx context.Context) error {
	t := time.NewTimer(b.next/2 + rand.N(b.next))
	defer t.Stop()
	b.next = min(2*b.next, mostWait)
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// instant is a moment on the two clocks of this machine. One of them stops while a machine sleeps,
// and the other can be set.
type instant struct{ clock time.Time }

// now returns this moment.
func now() instant { return instant{time.Now()} }

// atLeast returns how long ago a moment was at least: by the clock that nobody sets.
func (i instant) atLeast() time.Duration { return time.Since(i.clock) }

// elapsed returns how long ago a moment was at most, by the clock that says more.
func (i instant) elapsed() time.Duration {
	now := time.Now()
	return max(now.Sub(i.clock), now.Round(0).Sub(i.clock.Round(0)))
}
