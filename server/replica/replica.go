// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package replica decides which calls one of several copies of a database answers, and says how the
// copy is doing.
package replica

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/server/call"
	"github.com/uproar-db/uproar/store/ship"
)

// Fields of requests and answers.
const (
	Position = "Uproar-Position" // how far the copy had come when it answered
	Age      = "Uproar-Age"      // how long before, in milliseconds, that was known to be the end
	AtLeast  = "Uproar-At-Least" // the position that the copy must have reached
	MaxAge   = "Uproar-Max-Age"  // the greatest age that will do, in milliseconds

	ownFields = "Uproar-"
)

// Copy is one of several copies. The nil Copy is a database of which there is one. Safe for
// concurrent use.
type Copy struct {
	replica Replica
	maxAge  time.Duration // how old it may be to be asked; 0: however old
	forward Forward

	kept, fresh *http.Transport // of calls that are passed on; fresh keeps no connection
	passed      atomic.Uint64

	looking chan struct{} // has one while the log is looked at
	looked  time.Time     // when it was
	seen    ship.Overview
}

// Replica is a store that is a copy, as a *ship.Store is.
type Replica interface {
	// Status returns how the copy is doing. It is cheap.
	Status() ship.Status

	// Wait waits until the copy has come to a position, until ctx ends.
	Wait(ctx context.Context, position uint64) error

	// HandOver has another copy lead. Errors: ship.ErrNotLeading, ctx's.
	HandOver(ctx context.Context) error

	// Confirm returns nil if no other copy has begun to lead before the call. Errors: any says that
	// one may have.
	Confirm(ctx context.Context) error

	// Look returns what the log knows of the copies.
	Look(ctx context.Context) (ship.Overview, error)
}

// New returns a copy, nil for no replica.
func New(r Replica, maxAge time.Duration, forward Forward) (*Copy, error) {
	if r == nil {
		return nil, nil
	}
	c := &Copy{replica: r, maxAge: maxAge, forward: forward, looking: make(chan struct{}, 1)}
	switch forward {
	case "":
		c.forward = Redirect
	case Redirect, Refuse:
	case Proxy:
		c.kept, c.fresh = newTransport(true), newTransport(false)
	default:
		return nil, fmt.Errorf("server: got Forward %q, want %q, %q or %q", forward, Redirect, Proxy, Refuse)
	}
	return c, nil
}

// Status returns how the copy is doing.
func (c *Copy) Status() ship.Status { return c.replica.Status() }

// Admit looks whether this copy may answer a call, and waits until it has come as far as the caller
// wants, unless the call is about the server. location is where a call that writes is to go
// instead, if it is not empty.
func (c *Copy) Admit(ctx context.Context, req *call.Request, writes, ofServer bool) (location string, err error) {
	if writes && !c.replica.Status().Leads {
		if st := c.awaitWriter(ctx); !st.Leads {
			return c.elsewhere(req, st)
		}
	}
	if req.Transport == nil || ofServer {
		return "", nil
	}
	if err := c.await(ctx, req.Transport.Header(AtLeast)); err != nil {
		return "", err
	}
	most := c.maxAge
	if text := req.Transport.Header(MaxAge); text != "" {
		ms, err := strconv.ParseUint(text, 10, 40)
		if err != nil {
			return "", &api.Error{Code: api.CodeInvalidRequest,
				Message: MaxAge + ": got " + call.Quote(text) + ", want milliseconds"}
		}
		most = time.Duration(ms) * time.Millisecond
	}
	return "", c.young(most)
}

// await waits until the copy has come to a position, if one is wanted.
func (c *Copy) await(ctx context.Context, text string) error {
	if text == "" {
		return nil
	}
	position, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return &api.Error{Code: api.CodeInvalidRequest,
			Message: AtLeast + ": got " + call.Quote(text) + ", want a position, as " + Position + " has it"}
	}
	err = c.replica.Wait(ctx, position)
	switch {
	case err == nil:
		return nil
	case c.replica.Status().Failure != nil:
		return errStopped
	case errors.Is(err, context.DeadlineExceeded):
		return &api.Error{Code: api.CodeUnavailable, Reason: api.ReasonStale, Message: fmt.Sprintf(
			"this copy is at position %d, want %d; ask another, or try again", c.replica.Status().Object, position)}
	}
	return err
}

// Refused returns the error of a write that was begun while this copy led, or was about to: nothing
// was written, and another copy takes writes. What a copy refuses by its state it refuses for good
// only if no other has made a newer one: it asks the log. Other errors are as they are.
func (c *Copy) Refused(ctx context.Context, err error) error {
	code := call.Failure(err).Code
	byState := code.Status() == http.StatusNotFound || code.Status() == http.StatusConflict
	if code != api.CodeReadOnly && (!byState || c.replica.Confirm(ctx) == nil) {
		return err
	}
	return noWriter("another copy takes the writes now, or may, and nothing was written; ask again")
}

// errStopped is the error of a copy that will never have what it is asked for.
var errStopped = &api.Error{Code: api.CodeUnavailable, Reason: api.ReasonStopped,
	Message: "this copy follows no more, and its server must be started again, whose log says why; ask another"}

// young returns an error when the copy is older than it may be; 0: it may be however old.
func (c *Copy) young(most time.Duration) error {
	if st := c.replica.Status(); most > 0 && st.Age > most {
		return &api.Error{Code: api.CodeUnavailable, Reason: api.ReasonStale, Message: fmt.Sprintf(
			"this copy was last known to be up to date %v ago, want at most %v; ask another",
			st.Age.Round(time.Millisecond), most)}
	}
	return nil
}

// Ready returns why the copy is not to be asked, nil if it is.
func (c *Copy) Ready() error {
	if c == nil {
		return nil
	}
	if c.replica.Status().Failure != nil {
		return errStopped
	}
	return c.young(c.maxAge)
}

// Reply says how the copy is doing; nil of the nil Copy.
func (c *Copy) Reply() *api.CopyReply {
	if c == nil {
		return nil
	}
	st := c.replica.Status()
	return &api.CopyReply{Node: st.Node.ID, Leads: st.Leads, Writer: st.Writer.ID, WriterURL: st.Writer.URL,
		Epoch: st.Epoch, Position: st.Object, AgeMillis: st.Age.Milliseconds(), Forward: string(c.forward)}
}

// HandOver is a handler: another copy is to take the writes.
func (c *Copy) HandOver(ctx context.Context, _ call.NoParameters) (call.Reply, error) {
	if c == nil {
		return nil, errNoCopies
	}
	if err := c.replica.HandOver(ctx); errors.Is(err, ship.ErrNotLeading) {
		return nil, &api.Error{Code: api.CodeInvalidRequest, Message: "this copy does not lead: ask the one that does"}
	} else if err != nil {
		return nil, err
	}
	return api.HealthReply{Status: "ok", Copy: c.Reply()}, nil
}

var errNoCopies = &api.Error{Code: api.CodeInvalidRequest, Message: "the database of this server has no other copies"}

// lookEvery is how often the log is looked at, at most, however many ask.
const lookEvery = time.Second

// Cluster is a handler: which copies there are, as the log knows them.
func (c *Copy) Cluster(ctx context.Context, _ call.NoParameters) (call.Reply, error) {
	if c == nil {
		return nil, errNoCopies
	}
	select {
	case c.looking <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-c.looking }()
	if time.Since(c.looked) > lookEvery {
		seen, err := c.replica.Look(ctx)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			return nil, &api.Error{Code: api.CodeUnavailable, Message: "the log cannot be read now; try again later"}
		}
		c.seen, c.looked = seen, time.Now()
	}
	return Known(c.seen), nil
}

// Known returns what a log knows of its copies.
func Known(o ship.Overview) api.ClusterReply {
	reply := api.ClusterReply{Log: o.Log, Horizon: o.Horizon, Nodes: []api.ClusterNode{},
		Checkpoints: []api.ClusterCheckpoint{}}
	for _, n := range o.Nodes {
		reply.Nodes = append(reply.Nodes, api.ClusterNode{Node: n.ID, URL: n.URL, Leads: n.Leads, Epoch: n.Epoch,
			Position: n.Object, AgeMillis: max(0, time.Since(n.Time).Milliseconds())})
	}
	for _, k := range o.Checkpoints {
		reply.Checkpoints = append(reply.Checkpoints, api.ClusterCheckpoint{Position: k.Object, Bytes: k.Bytes,
			Time: k.Time})
	}
	return reply
}

// codeOf returns the code of an error that another copy has answered with; "" if it is none.
func codeOf(text []byte) api.Code {
	var failed api.ErrorReply
	_ = json.Unmarshal(text, &failed) // compatible calls have forms of their own
	return failed.Error.Code
}

// Figure is one of the figures of a copy.
type Figure struct {
	Name, Help string
	Value      func() float64
}

// Figures returns what there is to be watched; none of the nil Copy.
func (c *Copy) Figures() []Figure {
	if c == nil {
		return nil
	}
	of := func(value func(st ship.Status) float64) func() float64 {
		return func() float64 { return value(c.replica.Status()) }
	}
	return []Figure{
		{"leads", "1 while this copy takes the writes.", of(func(st ship.Status) float64 {
			if st.Leads {
				return 1
			}
			return 0
		})},
		{"position", "Objects of the log that this copy has.",
			of(func(st ship.Status) float64 { return float64(st.Object) })},
		{"epoch", "How often the writer has changed.", of(func(st ship.Status) float64 { return float64(st.Epoch) })},
		{"age_seconds", "Since this copy was known to be up to date.",
			of(func(st ship.Status) float64 { return st.Age.Seconds() })},
		{"objects_made", "Objects that this copy has made.",
			of(func(st ship.Status) float64 { return float64(st.Objects) })},
		{"bytes_made", "Bytes of them.", of(func(st ship.Status) float64 { return float64(st.Bytes) })},
		{"takeovers", "How often this copy has taken over.",
			of(func(st ship.Status) float64 { return float64(st.Takeovers) })},
		{"fenced", "How often another has taken over from it.",
			of(func(st ship.Status) float64 { return float64(st.Fenced) })},
		{"writes_passed_on", "Calls that this copy has sent on to the one that leads.",
			func() float64 { return float64(c.passed.Load()) }},
		{"engine_failures", "Calls of the storage that failed.",
			of(func(st ship.Status) float64 { return float64(st.Unavailable) })},
	}
}
