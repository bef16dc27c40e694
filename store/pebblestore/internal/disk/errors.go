// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package disk

import (
	"errors"
	"fmt"
	"strings"

	"github.com/cockroachdb/pebble/v2"

	"github.com/uproar-db/uproar/store"
)

// FirstLine returns what the engine says, without the stack behind it.
func FirstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

// Error returns an error of the engine as one of ours: in one line, and store.ErrCorrupt when it is
// about damage.
func Error(err error) error {
	if errors.Is(err, store.ErrCorrupt) || !pebble.IsCorruptionError(err) {
		return err
	}
	return fmt.Errorf("%w: %s", store.ErrCorrupt, FirstLine(err.Error()))
}

// Shield is deferred around calls of the engine, and makes an error of its panic. Those of the
// caller's own function, which is running while theirs, are passed on.
func Shield(theirs *bool, err *error) {
	if *theirs {
		return
	}
	if cause := recover(); cause != nil {
		*err = fmt.Errorf("%w: the engine stopped: %s", store.ErrCorrupt, FirstLine(fmt.Sprint(cause)))
	}
}

// Start calls fn, which calls the engine, on a goroutine of its own, and sends its error.
func Start(fn func() error) <-chan error {
	done := make(chan error, 1)
	go func() {
		var err error
		defer func() { done <- err }()
		defer Shield(new(bool), &err)
		err = fn()
	}()
	return done
}
