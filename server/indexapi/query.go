// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package indexapi

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/server/call"
	"github.com/uproar-db/uproar/server/streaming"
)

// Endpoints lists the calls about any index.
func (h *Handlers) Endpoints() []call.Endpoint {
	return []call.Endpoint{
		call.Get("/v1/changes", "changes", h.watch),
		call.Get("/v1/query", "query", call.Bind(decodeQuery, h.query)),
		call.Post("/v1/query", "query", call.Bind(decodeQueryBody, h.query)),
		call.Post("/v1/answers", "answers", call.Bind(decodeAnswers, h.answers)),
		call.Post("/v1/save", "save", call.Bind(decodeSave, h.save)),
		call.Get(statsPath, "stats", call.Bind(decodeStats, h.stats)),
		call.Get(fieldsPath, "fields", call.Bind(call.DecodeIndex, h.fields)),
		call.Post(fieldsPath, "fields-change", call.Bind(decodeFields, h.changeFields)),
		call.Get(indexesPath, "indexes", call.Bind(decodeIndexes, h.indexes)),
		call.Post(indexesPath+"/create", "index-create", call.Bind(decodeCreate, h.create)),
		call.Post(indexesPath+"/drop", "index-drop", call.Bind(decodeDrop, h.drop)),
		call.Post(indexesPath+"/alias", "index-alias", call.Bind(decodeAlias, h.alias)),
	}
}

// queryRequest is a request in either form.
type queryRequest struct {
	api.QueryRequest
	text string // of the query, as a parameter; "": Query has it
	form streaming.Form
}

// parse reads the query.
func (r *queryRequest) parse() (query.Expr, error) {
	if r.text != "" {
		return query.Parse(r.text)
	}
	return call.ParseQuery(r.Query)
}

func decodeQuery(c call.Request) (req queryRequest, err error) {
	if req.form, err = streaming.Accepted(&c); err != nil {
		return req, err
	}
	p := call.ParseParams(c.Query)
	req.Index, req.text = p.Required("index"), p.Required("q")
	answer, _ := p.Optional("answer")
	limit, limited := p.Limit()
	cursor := p.Cursor()
	if limited {
		req.Limit = limit
	}
	req.Answer, req.Cursor = api.Answer(answer), cursor
	if err := p.Finish(); err != nil {
		return req, err
	}
	return checkQuery(req)
}

func decodeQueryBody(c call.Request) (req queryRequest, err error) {
	if req.form, err = streaming.Accepted(&c); err != nil {
		return req, err
	}
	body, err := call.DecodeBody[struct {
		Index  string          `json:"index"`
		Query  json.RawMessage `json:"q"`
		Answer api.Answer      `json:"answer"`
		Limit  *int            `json:"limit"` // to tell 0 from none
		Cursor *string         `json:"cursor"`
	}](c)
	req.Index, req.Query, req.Answer = body.Index, body.Query, body.Answer
	switch {
	case err != nil:
		return req, err
	case body.Limit != nil && *body.Limit == 0:
		return req, call.Invalid("\"limit\" is 0, want 1 to %d", api.MaxLimit)
	case body.Cursor != nil && *body.Cursor == "":
		return req, call.BadCursor("")
	}
	if body.Limit != nil {
		req.Limit = *body.Limit
	}
	if body.Cursor != nil {
		req.Cursor = *body.Cursor
	}
	return checkQuery(req)
}

// noQueries are what stands for no query in a body.
var noQueries = []string{"null", `""`}

// checkQuery checks a request in either form, and sets its defaults.
func checkQuery(req queryRequest) (queryRequest, error) {
	switch req.Answer {
	case "":
		req.Answer = api.AnswerKeys
	case api.AnswerKeys, api.AnswerIDs, api.AnswerRecords:
	case api.AnswerCount, api.AnswerExplain:
		if req.Limit != 0 || req.Cursor != "" {
			return req, call.Invalid("\"answer\" is %s, with \"limit\" or \"cursor\": a count has no pages", req.Answer)
		}
		req.form = streaming.Form{} // it is no list
	default:
		return req, call.Invalid("\"answer\" is %s, want keys, ids, records, count or explain", call.Quote(string(req.Answer)))
	}
	switch {
	case req.Index == "":
		return req, call.Invalid("\"index\" is missing or empty")
	case req.text == "" && (req.Query == nil || slices.Contains(noQueries, string(req.Query))):
		return req, call.Invalid("\"q\" is missing or empty")
	case req.Limit < 0 || req.Limit > api.MaxLimit && req.form.IsJSON():
		return req, call.Invalid("\"limit\" is %d, want 1 to %d", req.Limit, api.MaxLimit)
	case req.Limit == 0 && req.form.IsJSON():
		req.Limit = api.DefaultLimit
	}
	return req, nil
}

func (h *Handlers) query(ctx context.Context, req queryRequest) (call.Reply, error) {
	expr, err := req.parse()
	if err == nil {
		expr, err = call.Expand(ctx, h.db, req.Index, expr)
	}
	if err != nil {
		return nil, err
	}
	of := call.Question(req.Index + " " + expr.String())
	p, err := call.Page(req.Limit, req.Cursor, of)
	if err != nil {
		return nil, err
	}
	if !req.form.IsJSON() {
		return h.stream(ctx, &req, expr, p)
	}
	return h.askIndex(req.Index, func(index *uproar.Index) (call.Reply, error) {
		snapshot := index.Snapshot()
		defer snapshot.Close()
		return ask(ctx, snapshot, expr, req.Answer, p, of)
	})
}

// askIndex calls fn with the index of a name. If another one has taken its place meanwhile, as when
// a catalog is replaced, and it is gone, fn is called again with that.
func (h *Handlers) askIndex(name string, fn func(*uproar.Index) (call.Reply, error)) (call.Reply, error) {
	for {
		index, err := h.db.Index(name)
		if err != nil {
			return nil, err
		}
		r, err := fn(index)
		if !errors.Is(err, uproar.ErrClosed) {
			return r, err
		}
		if now, gone := h.db.Index(name); gone != nil || now == index {
			return nil, err
		}
	}
}

// ask gives the answer that is wanted to a query.
func ask(ctx context.Context, s uproar.Snapshot, expr query.Expr, answer api.Answer, p uproar.Page,
	of call.Question) (call.Reply,
	error) {
	var unknown []string
	if p.From == 0 {
		var err error
		if unknown, err = unknownIn(ctx, s, expr); err != nil {
			return nil, err
		}
	}
	switch answer {
	case api.AnswerCount:
		n, err := s.Count(ctx, expr)
		return api.CountReply{Count: n, Unknown: unknown}, err
	case api.AnswerExplain:
		step, err := s.Explain(ctx, expr)
		if err != nil {
			return nil, err
		}
		plan, err := json.Marshal(step)
		return api.PlanReply{Plan: plan, Unknown: unknown}, err
	case api.AnswerIDs:
		ids, err := s.IDs(ctx, expr, p)
		return api.IDsReply{IDs: ids.IDs, Cursor: call.NextCursor(ids.Next, ids.More, of), Unknown: unknown}, err
	case api.AnswerRecords:
		return identified(ctx, s, expr, p, of, unknown)
	default:
		keys, err := s.Keys(ctx, expr, p)
		return api.KeysReply{Keys: keys.Keys, Cursor: call.NextCursor(keys.Next, keys.More, of), Unknown: unknown}, err
	}
}

// identified answers the IDs of records, with their keys.
func identified(ctx context.Context, s uproar.Snapshot, expr query.Expr, p uproar.Page, of call.Question,
	unknown []string) (call.Reply, error) {
	if err := uproar.Grow(ctx, call.EntriesBytes(p.Limit)); err != nil {
		return nil, err
	}
	ids, err := s.IDs(ctx, expr, p)
	if err != nil {
		return nil, err
	}
	keys, err := s.KeysOf(ids.IDs)
	if err != nil {
		return nil, err
	}
	r := api.IdentifiedReply{Records: make([]api.Identified, len(keys)), Unknown: unknown,
		Cursor: call.NextCursor(ids.Next, ids.More, of)}
	for i, key := range keys {
		r.Records[i] = api.Identified{ID: ids.IDs[i], Key: key}
	}
	return r, nil
}

// unknownIn returns the parts of a query that name records which do not exist, as texts for
// replies.
func unknownIn(ctx context.Context, s uproar.Snapshot, expr query.Expr) ([]string, error) {
	unknown, err := s.Unknown(ctx, expr, api.MaxUnknown)
	var texts []string
	for _, e := range unknown {
		text := e.String()
		if len(text) > api.MaxUnknownText {
			text = strings.ToValidUTF8(text[:api.MaxUnknownText], "") + "…"
		}
		texts = append(texts, text)
	}
	return texts, err
}

// Handlers answers the calls about any index.
type Handlers struct {
	db      *uproar.DB
	events  call.Events
	streams *streaming.Streams

	unfinished Unfinished
}

// Unfinished returns how many follows a load has stored in an index that has not ended, mostly 0.
type Unfinished func(ctx context.Context, db *uproar.DB, index string) (follows int64, err error)

// New returns the handlers of a database. Their streams are counted with those of others.
func New(db *uproar.DB, streams *streaming.Streams, unfinished Unfinished) *Handlers {
	return &Handlers{db: db, streams: streams, unfinished: unfinished}
}
