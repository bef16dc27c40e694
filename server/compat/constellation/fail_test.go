// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package constellation

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/server/call"
)

// TestFailures: errors of the server have XRPC's names by their status, and speak of no writes.
func TestFailures(t *testing.T) {
	for err, want := range map[error]struct {
		status int
		name   string
	}{
		context.DeadlineExceeded: {503, "NotEnoughResources"},
		uproar.ErrMemory:         {503, "NotEnoughResources"},
		context.Canceled:         {499, "InvalidRequest"},
		errors.New("secret"):     {500, "InternalServerError"},
	} {
		body, status := Errors.Fail(nil, call.Failure(err), err)
		if status != want.status || !strings.HasPrefix(string(body), `{"error":"`+want.name+`","message":"`) ||
			strings.Contains(string(body), "write") {
			t.Errorf("%v: got %d %s, want %d %s", err, status, body, want.status, want.name)
		}
	}
}
