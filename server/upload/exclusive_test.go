// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package upload

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/uproar-db/uproar/api"
)

// TestExclusive has many calls begin at once: one is under way at a time, and each has its turn.
func TestExclusive(t *testing.T) {
	turn := &Exclusive{What: "test runs", Patience: time.Minute}
	var under atomic.Int32
	var calls sync.WaitGroup
	for range 20 {
		calls.Go(func() {
			_, end, err := turn.Begin(t.Context())
			if err != nil {
				t.Errorf("got %v, want a turn", err)
				return
			}
			if n := under.Add(1); n != 1 {
				t.Errorf("got %d calls under way, want 1", n)
			}
			time.Sleep(time.Millisecond)
			under.Add(-1)
			end()
		})
	}
	calls.Wait()
}

// TestExclusiveImpatient asks beside a call that goes on, and beside one that is stopped.
func TestExclusiveImpatient(t *testing.T) {
	turn := &Exclusive{What: "test runs", Patience: time.Millisecond}
	ctx, end, err := turn.Begin(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	refused := func(when string) {
		t.Helper()
		_, _, err := turn.Begin(context.Background())
		if e, ok := errors.AsType[*api.Error](err); !ok || e.Code != api.CodeUnavailable {
			t.Errorf("%s: got %v, want %s", when, err, api.CodeUnavailable)
		}
	}
	refused("beside another")
	turn.Stop()
	if ctx.Err() == nil {
		t.Error("Stop: got a call that goes on")
	}
	refused("while it stops")
	end()
	refused("after Stop")
}
