// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ship

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/uproar-db/uproar/store"
)

// TestCallsAreLimited: a call that gets no answer ends as unavailable, and the next may take
// longer. The end of the caller's own time is not that of the engine.
func TestCallsAreLimited(t *testing.T) {
	hang := func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }
	b := newBackoff(5 * time.Millisecond)
	for _, next := range []time.Duration{10, 20, 40} {
		err := limited(t.Context(), b, hang)
		if !errors.Is(err, store.ErrUnavailable) || errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v, want ErrUnavailable", err)
		}
		if b.limit != next*time.Millisecond {
			t.Errorf("got a limit of %v for the next call, want %d ms", b.limit, next)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if err := limited(ctx, newBackoff(shortLimit), hang); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the caller's time is over: got %v", err)
	}
	if err := limited(t.Context(), b, func(context.Context) error { return ErrExists }); err != ErrExists {
		t.Errorf("an answer: got %v, want ErrExists", err)
	}
	if b.limit != 5*time.Millisecond {
		t.Errorf("after an answer: got a limit of %v for the next call, want 5 ms again", b.limit)
	}
}

// TestNumberOf reads the numbers in the names of all kinds of objects.
func TestNumberOf(t *testing.T) {
	for prefix, rest := range map[string]string{logPrefix: "", checkpointPrefix: indexName, horizonPrefix: "",
		blockPrefix: "-0a1b2c3d/000007", attachmentPrefix: "/0a1b2c3d-00000009"} {
		if n, err := numberOf(prefix, numbered(prefix, 1<<40)+rest); n != 1<<40 || err != nil {
			t.Errorf("%s…%s: got %d and %v, want %d", prefix, rest, n, err, uint64(1<<40))
		}
	}
	if _, err := numberOf(logPrefix, logPrefix+"x"); !errors.Is(err, store.ErrCorrupt) {
		t.Errorf("no number: got %v, want ErrCorrupt", err)
	}
}
