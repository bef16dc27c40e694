// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"sync"
	"time"

	"github.com/uproar-db/uproar/api"
)

// trouble is what is known of the disk. It is noted when a write fails for it, and forgotten when
// one succeeds. Safe for concurrent use.
type trouble struct {
	mu         sync.Mutex
	err        error     // nil: none
	checked    time.Time // when it was last tried whether it is still there
	complained time.Time
}

// note is told of an error that a call is answered with. now reports whether the log is to say so.
func (t *trouble) note(err error) (now bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.err = err
	if now = time.Since(t.complained) >= complainEvery; now {
		t.complained = time.Now()
	}
	return now
}

// look calls check if it is time to, and returns what is known then. ended reports whether it is
// over.
func (t *trouble) look(check func(tried bool) error) (err error, ended bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	before := t.err
	switch {
	case before == nil:
		t.err = check(false)
	case time.Since(t.checked) >= checkEvery:
		t.checked, t.err = time.Now(), check(true)
	}
	return t.err, before != nil && t.err == nil
}

// isDisk reports whether an error is the disk's.
func isDisk(e *api.Error) bool {
	return e.Code == api.CodeUnavailable && (e.Reason == api.ReasonFull || e.Reason == api.ReasonFailed)
}
