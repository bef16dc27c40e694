// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package terminal

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"
)

// A reader that never gives anything does not keep an import from being interrupted.
func TestInterruptible(t *testing.T) {
	never, hold := io.Pipe()
	defer hold.Close()
	ctx, cancel := context.WithCancel(t.Context())
	r := interruptible(ctx, never)
	time.AfterFunc(10*time.Millisecond, cancel)
	if n, err := r.Read(make([]byte, 8)); n != 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("got %d, %v, want 0, %v", n, err, context.Canceled)
	}
	if b, err := io.ReadAll(interruptible(t.Context(), strings.NewReader("abc"))); string(b) != "abc" || err != nil {
		t.Errorf("got %q, %v, want abc", b, err)
	}
}
