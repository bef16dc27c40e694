// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package call

import (
	"context"
	"strconv"
	"time"
)

const (
	// maxWait is the longest time that a request may ask to wait for something to happen.
	maxWait = time.Minute

	// answerTime is left of the time of a request when it stops waiting.
	answerTime = 500 * time.Millisecond
)

// Wait takes the parameter "wait": how long a request waits for something to happen; 0: not at all.
func (p *Params) Wait() time.Duration {
	text, ok := p.Optional("wait")
	if !ok {
		return 0
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 || d > maxWait {
		p.Fail(Invalid("parameter \"wait\" is %s, want a time from 0s to %v", Quote(text), maxWait))
	}
	return d
}

// Sequence takes a parameter that is the number of a commit.
func (p *Params) Sequence(name string) uint64 {
	text := p.Required(name)
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		p.Fail(Invalid("parameter %q is %s, want a sequence number, or 0", name, Quote(text)))
	}
	return n
}

// Waiting returns a context that ends after wait, when the time of the request is nearly over, or
// when the server begins to stop: a stop does not wait for callers that only wait.
func Waiting(ctx context.Context, wait time.Duration) (waiting context.Context, cancel func()) {
	if until, ok := ctx.Deadline(); ok {
		wait = min(wait, time.Until(until)-answerTime)
	}
	waiting, end := context.WithTimeout(ctx, wait)
	stopping, ok := ctx.Value(StoppingKey{}).(context.Context)
	if !ok {
		return waiting, end
	}
	detach := context.AfterFunc(stopping, end)
	return waiting, func() { detach(); end() }
}
