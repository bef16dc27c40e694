// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ship

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
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

// numbered returns a name with a number, so that names are in the order of the numbers.
func numbered(prefix string, n uint64) string { return fmt.Sprintf("%s%020d", prefix, n) }

// takenError says that another object stands under the name of one that was to be created.
type takenError struct{ data []byte }

// Error returns the text.
func (e *takenError) Error() string { return "ship: another object has the name" }

// create creates an object. It asks until it knows: an answer that says neither yes nor no, and one
// that says no to a call that may have been made twice, is resolved by reading. Errors: *takenError,
// ctx's, or one of the engine that is not store.ErrUnavailable.
func create(ctx context.Context, e Engine, name string, data []byte, tell func(error)) error {
	for wait := newBackoff(); ; {
		err := e.Create(ctx, name, data)
		if err == nil {
			return nil
		}
		if errors.Is(err, ErrExists) || errors.Is(err, store.ErrUnavailable) {
			var there []byte
			there, getErr := e.Get(ctx, name)
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
		tell(err)
		if err := wait.sleep(ctx); err != nil {
			return err
		}
	}
}

// get returns an object. It asks again while the engine is unavailable. Errors: store.ErrNotFound,
// ctx's, or one of the engine.
func get(ctx context.Context, e Engine, name string, tell func(error)) ([]byte, error) {
	for wait := newBackoff(); ; {
		data, err := e.Get(ctx, name)
		if err == nil || !errors.Is(err, store.ErrUnavailable) {
			return data, err
		}
		tell(err)
		if err := wait.sleep(ctx); err != nil {
			return nil, err
		}
	}
}

// names returns the names with a prefix, greater than after, at most a number of them. It asks again
// while the engine is unavailable.
func names(ctx context.Context, e Engine, prefix, after string, most int, tell func(error)) (found []string, err error) {
	for wait := newBackoff(); ; {
		found, err = found[:0], nil
		for name, listErr := range e.List(ctx, prefix, after) {
			if err = listErr; err != nil || len(found) == most {
				break
			}
			found = append(found, name)
		}
		if err == nil || !errors.Is(err, store.ErrUnavailable) {
			return found, err
		}
		tell(err)
		if err := wait.sleep(ctx); err != nil {
			return nil, err
		}
	}
}

// backoff is how long to wait before asking again: longer each time, and never as long as another
// node.
type backoff struct{ next time.Duration }

func newBackoff() *backoff { return &backoff{5 * time.Millisecond} }

// sleep waits. Errors: ctx's.
func (b *backoff) sleep(ctx context.Context) error {
	t := time.NewTimer(b.next/2 + rand.N(b.next))
	defer t.Stop()
	b.next = min(2*b.next, time.Second)
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

// elapsed returns how long ago a moment was, by the clock that says more.
func (i instant) elapsed() time.Duration {
	now := time.Now()
	return max(now.Sub(i.clock), now.Round(0).Sub(i.clock.Round(0)))
}
