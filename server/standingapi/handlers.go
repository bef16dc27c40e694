// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package standingapi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/apps/standing"
	"github.com/uproar-db/uproar/server/call"
)

// maxKeys is how many keys a reply has before it ends, at the end of an event.
const maxKeys = 20_000

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
		r.Queries = append(r.Queries, api.StandingQuery{Name: q.Name, Query: q.Text, Records: q.Records, AsOf: q.AsOf})
	}
	return r, err
}

func (h *Handlers) set(ctx context.Context, req api.StandingRequest) (call.Reply, error) {
	if err := standing.Set(ctx, h.db, req.Index, req.Name, req.Query); err != nil {
		return nil, err
	}
	return h.list(ctx, req.Index)
}

func (h *Handlers) drop(ctx context.Context, req api.StandingDropRequest) (call.Reply, error) {
	if _, err := h.db.Index(req.Index); err != nil {
		return nil, err
	}
	if err := standing.Drop(ctx, h.db, req.Index, req.Name); err != nil {
		return nil, named(err)
	}
	return h.list(ctx, req.Index)
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
		err := members.Wait(waiting, r.Last)
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
	list, err := standing.List(ctx, h.db, req.Index)
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(list, func(q standing.Query) bool { return q.Name == req.Name }) {
		return nil, named(fmt.Errorf("%w %q of index %q", standing.ErrUnknown, req.Name, req.Index))
	}
	return standing.Members(ctx, h.db, req.Index)
}

// events reads the events that there are.
func events(ctx context.Context, members *uproar.Index, req *api.StandingEventsRequest) (r api.StandingEventsReply,
	err error) {
	r.Events = []api.StandingEvent{}
	s := members.Snapshot()
	r.Last = max(s.Sequence(), req.After)
	s.Close()
	keys := 0
	for e, err := range standing.Events(ctx, members, req.Name, req.After) {
		if err != nil {
			return r, err
		}
		keys += len(e.Entered) + len(e.Left)
		if err := uproar.Grow(ctx, keys*call.EntryBytes); err != nil {
			return r, err
		}
		r.Events = append(r.Events, api.StandingEvent{Position: e.Position, AsOf: e.AsOf, Entered: some(e.Entered),
			Left: some(e.Left)})
		if len(r.Events) == req.Limit || keys >= maxKeys {
			r.Last = e.Position
			return r, nil
		}
		r.Last = max(r.Last, e.Position)
	}
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
		if req.After = r.Last; len(r.Events) > 0 {
			return appendEvents(r), nil
		}
	}
}

// appendEvents returns events as a stream has them.
func appendEvents(r api.StandingEventsReply) (dst []byte) {
	for _, e := range r.Events {
		dst = fmt.Appendf(dst, "id: %d\nevent: change\ndata: ", e.Position)
		dst = append(e.AppendJSON(dst), "\n\n"...)
	}
	return dst
}
