// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package standingapi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/apps/standing"
	"github.com/uproar-db/uproar/server/call"
)

// maxKeys is how many keys a reply has before it ends, at the end of an event.
const maxKeys = 20_000

// longestRead is how long a request reads at most, and never longer than half of its time: who
// asks again behind what was read gets on, however much others have changed.
const longestRead = 5 * time.Second

// Handlers answers the calls about standing queries.
type Handlers struct {
	db     *uproar.DB
	events call.Events
}

// New returns the handlers of a database.
func New(db *uproar.DB) *Handlers { return &Handlers{db: db} }

// Endpoints lists the calls.
func (h *Handlers) Endpoints() []call.Endpoint {
	return []call.Endpoint{
		call.Get(listPath, "standing", call.Bind(call.DecodeIndex, h.list)),
		call.Post(setPath, "standing-set", call.Bind(decodeSet, h.set)),
		call.Post(dropPath, "standing-drop", call.Bind(decodeDrop, h.drop)),
		call.Get(eventsPath, "standing-events", h.follow),
	}
}

func decodeSet(c call.Request) (api.StandingRequest, error) {
	req, err := call.DecodeBody[api.StandingRequest](c)
	if err == nil && (req.Index == "" || req.Name == "" || req.Query == "") {
		err = call.Invalid("\"index\", \"name\" or \"q\" is missing or empty")
	}
	return req, err
}

func decodeDrop(c call.Request) (api.StandingDropRequest, error) {
	req, err := call.DecodeBody[api.StandingDropRequest](c)
	if err == nil && (req.Index == "" || req.Name == "") {
		err = call.Invalid("\"index\" or \"name\" is missing or empty")
	}
	return req, err
}

func (h *Handlers) list(ctx context.Context, index string) (call.Reply, error) {
	if _, err := h.db.Index(index); err != nil {
		return nil, err
	}
	list, err := standing.List(ctx, h.db, index)
	r := api.StandingReply{Queries: []api.StandingQuery{}}
	for _, q := range list {
		r.Queries = append(r.Queries, described(q))
	}
	return r, err
}

func described(q standing.Query) api.StandingQuery {
	return api.StandingQuery{Name: q.Name, Query: q.Text, Records: q.Records, AsOf: q.AsOf,
		Error: call.Public(errors.New(q.Error))}
}

func (h *Handlers) set(ctx context.Context, req api.StandingRequest) (call.Reply, error) {
	if err := standing.Set(ctx, h.db, req.Index, req.Name, req.Query); err != nil {
		return nil, err
	}
	q, err := standing.Find(ctx, h.db, req.Index, req.Name)
	return api.StandingReply{Queries: []api.StandingQuery{described(q)}}, named(err)
}

func (h *Handlers) drop(ctx context.Context, req api.StandingDropRequest) (call.Reply, error) {
	if _, err := h.db.Index(req.Index); err != nil {
		return nil, err
	}
	if err := standing.Drop(ctx, h.db, req.Index, req.Name); err != nil {
		return nil, named(err)
	}
	return api.StandingReply{Queries: []api.StandingQuery{}}, nil
}

// named gives an error about an unknown query its code.
func named(err error) error {
	if errors.Is(err, standing.ErrUnknown) {
		return &api.Error{Code: api.CodeUnknownSet, Message: err.Error()}
	}
	return err
}

func decodeEvents(c call.Request) (api.StandingEventsRequest, error) {
	p := call.ParseParams(c.Query)
	req := api.StandingEventsRequest{Index: p.Required("index"), Name: p.Required("name"), After: p.Sequence("after"),
		Wait: p.Wait()}
	req.Limit, _ = p.Limit()
	return req, p.Finish()
}

// follow answers events, those that there are or as they come.
func (h *Handlers) follow(ctx context.Context, c call.Request) (call.Reply, error) {
	req, err := decodeEvents(c)
	if err != nil {
		return nil, err
	}
	after, seen, stream, err := call.AsksForEvents(&c)
	if err != nil {
		return nil, err
	}
	if seen {
		req.After = after
	}
	members, err := h.members(ctx, &req)
	if err != nil {
		return nil, err
	}
	r, err := events(ctx, members, &req)
	if err != nil {
		return nil, err
	}
	if stream {
		req.After = r.Last
		return h.events.Send(ctx, appendEvents(r), func(ctx context.Context) ([]byte, error) {
			b, err := next(ctx, members, &req)
			return b, h.gone(ctx, members, &req, err)
		})
	}
	waiting, cancel := call.Waiting(ctx, req.Wait)
	defer cancel()
	for len(r.Events) == 0 && req.Wait > 0 {
		err := members.Wait(waiting, r.Last) // at once, if there is more
		if waiting.Err() != nil && ctx.Err() == nil {
			break
		}
		if err != nil {
			return nil, h.gone(ctx, members, &req, err)
		}
		req.After = r.Last
		if r, err = events(ctx, members, &req); err != nil {
			return nil, h.gone(ctx, members, &req, err)
		}
	}
	return r, nil
}

// gone returns why a query cannot be followed any more, if that is why there is an error.
func (h *Handlers) gone(ctx context.Context, followed *uproar.Index, req *api.StandingEventsRequest, err error) error {
	if !errors.Is(err, uproar.ErrClosed) {
		return err
	}
	now, other := h.members(ctx, req)
	if other == nil && now != followed {
		other = call.Another(req.Index, now)
	}
	return cmp.Or(other, err)
}

// members returns the index of the results, once it is there: the first standing query of an index
// makes it.
func (h *Handlers) members(ctx context.Context, req *api.StandingEventsRequest) (*uproar.Index, error) {
	if _, err := h.db.Index(req.Index); err != nil {
		return nil, err
	}
	if _, err := standing.Find(ctx, h.db, req.Index, req.Name); err != nil {
		return nil, named(err)
	}
	return standing.Members(ctx, h.db, req.Index)
}

// events reads the events that there are, or those that there is time for.
func events(ctx context.Context, members *uproar.Index, req *api.StandingEventsRequest) (r api.StandingEventsReply,
	err error) {
	r.Events = []api.StandingEvent{}
	s := members.Snapshot()
	newest := max(s.Sequence(), req.After)
	s.Close()
	limit := longestRead
	if until, ok := ctx.Deadline(); ok {
		limit = min(limit, time.Until(until)/2)
	}
	reading, stop := context.WithTimeout(ctx, limit)
	defer stop()
	keys := 0
	for e, err := range standing.Events(reading, members, req.Name, req.After) {
		if err != nil && reading.Err() != nil && ctx.Err() == nil {
			r.Last, r.More = e.Position, e.Position < newest
			return r, nil
		}
		if err != nil {
			return r, err
		}
		keys += len(e.Entered) + len(e.Left)
		if err := uproar.Grow(ctx, keys*call.EntryBytes); err != nil {
			return r, err
		}
		r.Events = append(r.Events, api.StandingEvent{Position: e.Position, AsOf: e.AsOf, Entered: some(e.Entered),
			Left: some(e.Left), Error: call.Public(errors.New(e.Error))})
		newest = max(newest, e.Position)
		if len(r.Events) == req.Limit || keys >= maxKeys {
			r.Last, r.More = e.Position, e.Position < newest
			return r, nil
		}
	}
	r.Last = newest
	return r, nil
}

// some returns a list that is an empty one in JSON, and not null.
func some(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// next waits for the events that come next.
func next(ctx context.Context, members *uproar.Index, req *api.StandingEventsRequest) ([]byte, error) {
	for {
		if err := members.Wait(ctx, req.After); err != nil {
			return nil, err
		}
		r, err := events(ctx, members, req)
		if err != nil {
			return nil, err
		}
		req.After = r.Last
		if b := appendEvents(r); len(b) > 0 {
			return b, nil
		}
	}
}

// appendEvents returns events as a stream has them. Where they end for lack of time, a position
// without an event tells from where a reader whose connection is lost goes on.
func appendEvents(r api.StandingEventsReply) (dst []byte) {
	for _, e := range r.Events {
		dst = fmt.Appendf(dst, "id: %d\nevent: change\ndata: ", e.Position)
		dst = append(e.AppendJSON(dst), "\n\n"...)
	}
	if n := len(r.Events); r.More && (n == 0 || r.Events[n-1].Position < r.Last) {
		dst = fmt.Appendf(dst, "id: %d\n\n", r.Last)
	}
	return dst
}
