// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !linux && !darwin

package roaring

import (
	"testing"
	"time"
)

// guarded is memory of exactly the size of what stands in it, where no memory can be protected:
// only reads by index are checked.
type guarded struct{}

func newGuarded(testing.TB, int) *guarded { return new(guarded) }

func (*guarded) place(b []byte, _ bool) []byte {
	return append(make([]byte, 0, len(b)), b...)[:len(b):len(b)]
}

// processorTime is not known here: a call that does not end is found by its time alone.
func processorTime() time.Duration { return 0 }
