// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package constellation

import (
	"context"
	"errors"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/server/call"
)

// Errors is how failures of the server are written. Those of a request have a status and mostly no
// body, as constellation's have.
var Errors = &call.ErrorFormat{ContentType: call.ContentJSON, Fail: fail,
	Access: func(call.Endpoint) (call.Access, bool) { return call.AccessRead, false }}

// names are XRPC's of errors, by their status.
var names = map[int]string{400: "InvalidRequest", 401: "AuthenticationRequired", 403: "Forbidden", 404: "NotFound",
	405: "MethodNotAllowed", 406: "NotAcceptable", 413: "PayloadTooLarge", 415: "UnsupportedMediaType",
	501: "MethodNotImplemented", 503: "NotEnoughResources"}

// fail appends an error as calls of XRPC write it.
func fail(dst []byte, e *api.Error, _ error) (body []byte, status int) {
	status = e.Code.Status()
	name, ok := names[status]
	switch {
	case ok:
	case status < 500:
		name = names[400]
	default:
		name = "InternalServerError"
	}
	text := e.Message
	switch e.Code {
	case api.CodeInternal:
		text += ": " + e.RequestID
	case api.CodeDeadlineExceeded: // which speaks of writes, and there are none
		text = "the answer took longer than this server allows"
	}
	dst = api.AppendString(append(dst, `{"error":`...), name)
	return append(api.AppendString(append(dst, `,"message":`...), text), '}'), status
}

// failure is what a request is refused with. An empty text is no body.
func failure(status int, text string) error { return &call.StatusError{Status: status, Text: text} }

// refusal refuses a limit that is too large, a cursor of another form, and the like.
var refusal = failure(400, "")

// Options says what the handlers are told by the server.
type Options struct {
	// Graph returns the graph, nil while it is not loaded. What is not loaded is answered with 503.
	Graph func(context.Context) (*graph.Graph, error)

	// Page answers those who would rather read about the server. nil: there is no path "/".
	Page call.Handler
}

// Handlers answers the calls of constellation. Safe for concurrent use.
type Handlers struct{ opts Options }

// New returns handlers.
func New(opts Options) *Handlers { return &Handlers{opts} }

// Endpoints lists the calls: those of XRPC, and the older ones.
func (h *Handlers) Endpoints() []call.Endpoint {
	const xrpc = "/xrpc/blue.microcosm.links."
	get := func(path, name string, handle answer) call.Endpoint {
		return call.Get(path, "constellation-"+name, h.handler(handle))
	}
	all := []call.Endpoint{
		get(xrpc+"getBacklinks", "backlinks", backlinks),
		get(xrpc+"getBacklinksCount", "backlinks-count", counted(bySource, countRecords)),
		get(xrpc+"getBacklinkDids", "backlink-dids", distinctDids(bySource)),
		get(xrpc+"getManyToMany", "many-to-many", manyToMany),
		get(xrpc+"getManyToManyCounts", "many-to-many-counts", manyToManyCounts),
		get("/links", "links", oldLinks),
		get("/links/count", "links-count", counted(byPath, countRecords)),
		get("/links/distinct-dids", "links-distinct-dids", distinctDids(byPath)),
		get("/links/count/distinct-dids", "links-count-distinct-dids", counted(byPath, countDIDs)),
		get("/links/all", "links-all", everything(false)),
		get("/links/all/count", "links-all-count", everything(true)),
	}
	if h.opts.Page != nil {
		all = append(all, call.Get("/", "constellation-stats", h.statsOrPage))
	}
	return all
}

// asked is a question in one state.
type asked struct {
	ctx   context.Context
	graph *graph.Graph
	state uproar.Snapshot
	*params
}

// links returns what links to a subject from a source, which is given by its collection and path.
func (a *asked) links(collection, path, subject string, dids map[string]bool) (*links, error) {
	if a.err != nil {
		return nil, a.err
	}
	of, err := find(a.graph, collection, path)
	if err != nil {
		return nil, err
	}
	return read(a.ctx, a.state, of, subject, dids)
}

// answer answers a question.
type answer func(*asked) (call.Reply, error)

// handler makes a handler of an answer.
func (h *Handlers) handler(of answer) call.Handler {
	return func(ctx context.Context, c call.Request) (call.Reply, error) {
		reply, err := h.ask(ctx, c, of)
		if own, ok := errors.AsType[*call.StatusError](err); ok {
			return call.Text{ContentType: "text/plain; charset=utf-8", Body: []byte(own.Text), Status: own.Status}, nil
		}
		return reply, err
	}
}

func (h *Handlers) ask(ctx context.Context, c call.Request, of answer) (call.Reply, error) {
	p := parse(c.Query)
	g, err := h.opts.Graph(ctx)
	if err != nil {
		return nil, err
	}
	if g == nil {
		return nil, failure(503, "not loaded yet")
	}
	s := g.Index().Snapshot().Under(ctx)
	defer s.Close()
	if follows, err := graph.Unfinished(ctx, s); err != nil {
		return nil, err
	} else if follows > 0 {
		return nil, failure(503, "not loaded yet")
	}
	return of(&asked{ctx: ctx, graph: g, state: s, params: p})
}

// bySource reads which links are meant, as calls of XRPC say it.
func bySource(p *params) (collection, path, subject string) {
	subject = p.required("subject")
	collection, path = p.source()
	return collection, path, subject
}

// byPath reads which links are meant, as the older calls say it.
func byPath(p *params) (collection, path, subject string) {
	return p.required("collection"), p.required("path"), p.required("target")
}

// backlinks lists records by their time, the newest first, or with reverse the oldest.
func backlinks(a *asked) (call.Reply, error) {
	collection, path, subject := bySource(a.params)
	return a.records("records", collection, path, subject, a.filter("did"), a.flag("reverse"))
}

// oldLinks is backlinks as it was before.
func oldLinks(a *asked) (call.Reply, error) {
	collection, path, subject := byPath(a.params)
	return a.records("linking_records", collection, path, subject, a.oldFilter(), false)
}

// records returns a page of records, and counts all that there are, hidden ones and those without a
// key too.
func (a *asked) records(name, collection, path, subject string, dids map[string]bool, oldest bool) (call.Reply, error) {
	p := page{most: a.limit(), oldest: oldest, after: a.after()}
	l, err := a.links(collection, path, subject, dids)
	if err != nil {
		return nil, err
	}
	p.shown = l.shown
	r := &recordsReply{name: name}
	err = l.each(func(one link) error {
		if r.total++; !one.keyed {
			return nil
		}
		return p.offer(one)
	})
	if err != nil {
		return nil, err
	}
	list, cursor := p.end()
	r.cursor = cursor
	for _, one := range list {
		named, err := l.record(one)
		if err != nil {
			return nil, err
		}
		r.records = append(r.records, named)
	}
	return r, nil
}

// after returns the link that a cursor names, nil if there is no cursor.
func (p *params) after() *link {
	var l link
	if !p.cursor(&l.key, &l.row) {
		return nil
	}
	return &l
}

// distinctDids lists accounts by their first link, the newest first.
func distinctDids(which func(*params) (collection, path, subject string)) answer {
	return func(a *asked) (call.Reply, error) {
		collection, path, subject := which(a.params)
		p := page{most: a.limit(), after: a.after()}
		l, err := a.links(collection, path, subject, nil)
		if err != nil {
			return nil, err
		}
		p.shown = l.shown
		r := &didsReply{}
		err = l.eachAccount(func(one link) error {
			r.total++
			return p.offer(one)
		})
		if err != nil {
			return nil, err
		}
		list, cursor := p.end()
		r.cursor = cursor
		for _, one := range list {
			did, err := l.account(one)
			if err != nil {
				return nil, err
			}
			r.dids = append(r.dids, did)
		}
		return r, nil
	}
}

// eachAccount tells the first link of each account.
func (l *links) eachAccount(tell func(link) error) error {
	if l.of.relation != graph.Members {
		last := uint64(allKeys)
		return l.each(func(one link) error {
			if one.row == last {
				return nil
			}
			last = one.row
			return tell(one)
		})
	}
	first := make(map[*holder]link)
	err := l.each(func(one link) error {
		h := l.owners[one.row]
		if before, met := first[h]; !met || one.compare(before) < 0 {
			first[h] = one
		}
		return l.grow(len(first))
	})
	for _, one := range first {
		if err == nil {
			err = tell(one)
		}
	}
	return err
}

// counted counts.
func counted(which func(*params) (collection, path, subject string), of func(*links) (uint64, error)) answer {
	return func(a *asked) (call.Reply, error) {
		collection, path, subject := which(a.params)
		l, err := a.links(collection, path, subject, nil)
		if err != nil {
			return nil, err
		}
		n, err := of(l)
		return total(n), err
	}
}

// countRecords counts records.
func countRecords(l *links) (n uint64, err error) {
	err = l.each(func(link) error { n++; return nil })
	return n, err
}

// countDIDs counts accounts. Those of follows and blocks are the edges, which need not be read.
func countDIDs(l *links) (n uint64, err error) {
	if l.known && l.dids == nil && l.of.relation != graph.Members {
		return l.snapshot.CountAnd(l.ctx, query.Related{Field: l.of.inverse, Key: l.name})
	}
	err = l.eachAccount(func(link) error { n++; return nil })
	return n, err
}

// everything counts the links from each source.
func everything(brief bool) answer {
	return func(a *asked) (call.Reply, error) {
		subject := a.required("target")
		r := &allReply{brief: brief}
		known, err := indexed(a.graph)
		if err != nil {
			return nil, err
		}
		for _, of := range known {
			l, err := a.links(of.collection, of.path, subject, nil)
			if err != nil {
				return nil, err
			}
			c := count{}
			if c.total, err = countRecords(l); err == nil && !brief && c.total > 0 {
				c.distinct, err = countDIDs(l)
			}
			if err != nil {
				return nil, err
			}
			if c.total > 0 {
				r.of, r.counts = append(r.of, of), append(r.counts, c)
			}
		}
		return r, nil
	}
}
