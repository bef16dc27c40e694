// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package replica

import (
	"context"
	"errors"
	"testing"
	"time"

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

// finding is a copy that follows, and knows of no writer before some time.
type finding struct {
	leading
	node, writer ship.Node
	from         time.Time
}

func (f finding) Status() ship.Status {
	if time.Now().Before(f.from) {
		return ship.Status{Node: f.node, Writer: f.node}
	}
	return ship.Status{Node: f.node, Writer: f.writer}
}

// TestAwaitWriter: a write to a copy that does not know yet which one leads waits for that, and not
// for long.
func TestAwaitWriter(t *testing.T) {
	own, other := ship.Node{ID: "own", URL: "http://own"}, ship.Node{ID: "other", URL: "http://other"}
	for _, c := range []struct {
		what   string
		writer ship.Node
		after  time.Duration
		want   string
		most   time.Duration
	}{
		{"known", other, 0, "http://other/v1/x?a=b", writerWait / 2},
		{"soon", other, writerWait / 4, "http://other/v1/x?a=b", writerWait},
		{"never", own, 0, "", 2 * writerWait},
	} {
		of, err := New(finding{node: own, writer: c.writer, from: time.Now().Add(c.after)}, 0, "")
		if err != nil {
			t.Fatal(err)
		}
		begun := time.Now()
		location, err := of.Admit(t.Context(), &call.Request{Path: "/v1/x", Query: "a=b"}, true, false)
		if took := time.Since(begun); location != c.want || (err == nil) != (c.want != "") || took > c.most {
			t.Errorf("%s: got %q, %v after %v; want %q within %v", c.what, location, err, took, c.want, c.most)
		}
		if err != nil && call.Failure(err).Reason != api.ReasonNoWriter {
			t.Errorf("%s: got %v, want the reason %s", c.what, err, api.ReasonNoWriter)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), writerWait/10)
	defer cancel()
	of, _ := New(finding{node: own, writer: own}, 0, "")
	begun := time.Now()
	if _, err := of.Admit(ctx, new(call.Request), true, false); err == nil || time.Since(begun) > writerWait/2 {
		t.Errorf("the caller's time is over: got %v after %v", err, time.Since(begun))
	}
}
