// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package call

import (
	"runtime"
	"runtime/debug"
	"sync"
)

// PartsOf returns into how many parts the processors share n pieces of work. Each part has at least
// least pieces.
func PartsOf(n, least int) int { return max(1, min(runtime.GOMAXPROCS(0), n/least)) }

// InParts calls work for consecutive parts of n pieces at the same time, and returns when all have
// ended: the error of the first part that has one. A panic of work is such an error.
func InParts(n, parts int, work func(part, from, to int) error) error {
	failures := make([]error, parts)
	one := func(part int) {
		defer func() {
			if value := recover(); value != nil {
				failures[part] = &Panicked{value, debug.Stack()}
			}
		}()
		failures[part] = work(part, part*n/parts, (part+1)*n/parts)
	}
	var others sync.WaitGroup
	for part := 1; part < parts; part++ {
		others.Go(func() { one(part) })
	}
	one(0)
	others.Wait()
	for _, err := range failures {
		if err != nil {
			return err
		}
	}
	return nil
}
