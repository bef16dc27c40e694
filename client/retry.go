// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package client

import (
	"context"
	"errors"
	"math/rand/v2"
	"net"
	"time"

	"github.com/uproar-db/uproar/api"
)

// The time before a request is sent again, when the server does not say: it doubles from the first
// to the longest. Each is shortened by up to a half at random, so that clients that were refused
// together do not come back together.
const (
	firstWait   = 50 * time.Millisecond
	longestWait = 2 * time.Second
)

// again decides whether a request that failed may be sent again, and when.
func (r *request) again(err error, tried int) (wait time.Duration, ok bool) {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return 0, false
	}
	wait = min(firstWait<<min(tried, 10), longestWait)
	if e, answered := errors.AsType[*Error](err); answered {
		switch {
		case e.Reason == api.ReasonNoWriter: // nothing was done, and it takes no second until there is one
			return wait/2 + rand.N(wait/2), true
		case e.Code == api.CodeOverloaded || e.Code == api.CodeRequestTimeout: // nothing was done
		case e.Code == api.CodeUnavailable && !r.writes:
		case e.Code == "" && (e.Status == 502 || e.Status == 503 || e.Status == 429) && !r.writes: // of a proxy
		default:
			return 0, false
		}
		wait = max(wait, min(e.RetryAfter, longestWait))
	} else if r.writes && !unsent(err) {
		return 0, false
	} else if _, broken := errors.AsType[net.Error](err); !broken {
		return 0, false
	}
	return wait/2 + rand.N(wait/2), true
}

// unsent reports whether a request cannot have arrived, because there was no connection.
func unsent(err error) bool {
	op, ok := errors.AsType[*net.OpError](err)
	return ok && op.Op == "dial"
}
