// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package replica

import (
	"context"
	"errors"
	"testing"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/server/call"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/ship"
)

// leading is a copy that leads, or does not know that another does.
type leading struct{ sure bool }

func (leading) Status() ship.Status { return ship.Status{Leads: true} }
func (l leading) Confirm(context.Context) error {
	if l.sure {
		return nil
	}
	return store.ErrFenced
}
func (leading) Wait(context.Context, uint64) error              { return nil }
func (leading) HandOver(context.Context) error                  { return nil }
func (leading) Look(context.Context) (o ship.Overview, _ error) { return o, nil }

// TestRefused: what a copy refuses by its state it refuses for good only if no other can have made
// a newer one. What is wrong whatever the state is said in any case.
func TestRefused(t *testing.T) {
	for _, c := range []struct {
		code       api.Code
		sure, kept bool
	}{
		{api.CodeUnknownAccount, true, true}, {api.CodeUnknownAccount, false, false},
		{api.CodeConditionFailed, true, true}, {api.CodeConditionFailed, false, false},
		{api.CodeInvalidRequest, true, true}, {api.CodeInvalidRequest, false, true},
		{api.CodeReadOnly, true, false}, {api.CodeReadOnly, false, false},
	} {
		of, err := New(leading{c.sure}, 0, "")
		if err != nil {
			t.Fatal(err)
		}
		refusal := &api.Error{Code: c.code, Message: "no"}
		got := call.Failure(of.Refused(t.Context(), refusal))
		if kept := got.Code == c.code; kept != c.kept || !kept && got.Code != api.CodeUnavailable {
			t.Errorf("%s, sure: %v: got %s, want it kept: %v, else %s", c.code, c.sure, got.Code, c.kept,
				api.CodeUnavailable)
		}
		if other := errors.New("else"); of.Refused(t.Context(), other) != other {
			t.Errorf("another error was changed")
		}
	}
}
