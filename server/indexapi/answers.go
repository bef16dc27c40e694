// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package indexapi

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/bitmap/interop"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/server/call"
	"github.com/uproar-db/uproar/server/streaming"
)

// argumentsOf says which members of a question each kind of it takes.
var argumentsOf = map[api.Answer][]string{
	api.AnswerCount:     {},
	api.AnswerTop:       {"field", "by", "limit", "least", "over", "cursor"},
	api.AnswerGroups:    {"fields", "limit", "cursor"},
	api.AnswerDistinct:  {"field"},
	api.AnswerNumbers:   {"field", "quantiles"},
	api.AnswerHistogram: {"field", "bounds"},
	api.AnswerSample:    {"limit", "seed"},
	api.AnswerBitmap:    {"portable"},
	api.AnswerOverlap:   {"with"},
}

// answersRequest is a request, and the form of its answers.
type answersRequest struct {
	api.AnswersRequest
	form streaming.Form
}

func decodeAnswers(c call.Request) (req answersRequest, err error) {
	if req.form, err = streaming.Accepted(&c); err != nil {
		return req, err
	}
	req.AnswersRequest, err = call.DecodeBody[api.AnswersRequest](c)
	if err == nil {
		err = call.CheckAsked(req.Index, req.Query != nil)
	}
	switch {
	case err != nil:
		return req, err
	case len(req.Answers) == 0 || len(req.Answers) > api.MaxQuestions:
		return req, call.Invalid("\"answers\" has %d questions, want 1 to %d", len(req.Answers), api.MaxQuestions)
	}
	names := make(map[string]bool)
	for i := range req.Answers {
		q := &req.Answers[i]
		if q.Name == "" || names[q.Name] {
			return req, call.Invalid("\"name\" of question %d is %s, want one that no other has", i+1,
				call.Quote(q.Name))
		}
		names[q.Name] = true
		if err := checkQuestion(q, req.form); err != nil {
			return req, err
		}
	}
	if !req.form.IsJSON() {
		err = checkListed(req.Answers)
	}
	return req, err
}

// checkQuestion checks a question, and sets its defaults.
func checkQuestion(q *api.Question, form streaming.Form) error {
	allowed, ok := argumentsOf[q.Answer]
	if !ok {
		return call.Invalid("%s: \"answer\" is %s, want count, top, groups, distinct, numbers, histogram, "+
			"sample, bitmap or overlap", call.Quote(q.Name), call.Quote(string(q.Answer)))
	}
	for _, a := range []struct {
		name  string
		given bool
	}{
		{"field", q.Field != ""}, {"fields", q.Fields != nil}, {"by", q.By != ""}, {"limit", q.Limit != 0},
		{"least", q.Least != 0}, {"over", q.Over != nil},
		{"quantiles", q.Quantiles != nil}, {"bounds", q.Bounds != nil}, {"seed", q.Seed != 0},
		{"with", q.With != nil}, {"cursor", q.Cursor != ""}, {"portable", q.Portable},
	} {
		takes := slices.Contains(allowed, a.name)
		if a.given && !takes {
			return call.Invalid("%s: %q with \"answer\" %q, which has none", call.Quote(q.Name), a.name, q.Answer)
		}
		if takes && !a.given && (a.name == "field" || a.name == "fields" || a.name == "with") {
			return call.Invalid("%s: %q is missing or empty", call.Quote(q.Name), a.name)
		}
	}
	switch {
	case q.Limit < 0 || q.Limit > api.MaxLimit && form.IsJSON():
		return call.Invalid("%s: \"limit\" is %d, want 1 to %d", call.Quote(q.Name), q.Limit, api.MaxLimit)
	case len(q.Quantiles) > api.MaxQuantiles:
		return call.Invalid("%s: got %d quantiles, want at most %d", call.Quote(q.Name), len(q.Quantiles),
			api.MaxQuantiles)
	case len(q.Bounds) > api.MaxBounds:
		return call.Invalid("%s: got %d bounds, want at most %d", call.Quote(q.Name), len(q.Bounds), api.MaxBounds)
	case len(q.With) >= api.MaxSets:
		return call.Invalid("%s: \"with\" has %d queries, want at most %d", call.Quote(q.Name), len(q.With),
			api.MaxSets-1)
	case q.Limit == 0 && (form.IsJSON() || q.Answer == api.AnswerSample):
		q.Limit = api.DefaultLimit
	}
	return nil
}

// answers finds the records of a query once, and answers every question about them, all in one
// snapshot.
func (h *Handlers) answers(ctx context.Context, req answersRequest) (call.Reply, error) {
	expr, err := call.ParseAsked(ctx, h.db, req.Index, req.Query)
	if err != nil {
		return nil, err
	}
	if !req.form.IsJSON() {
		return h.streamAnswer(ctx, &req, expr)
	}
	return h.askIndex(req.Index, func(index *uproar.Index) (call.Reply, error) {
		return h.answerAll(ctx, index, expr, req.AnswersRequest)
	})
}

func (h *Handlers) answerAll(ctx context.Context, index *uproar.Index, expr query.Expr,
	req api.AnswersRequest) (call.Reply, error) {
	snapshot := index.Snapshot().Under(ctx)
	defer snapshot.Close()
	of, err := snapshot.Select(ctx, expr)
	if err != nil {
		return nil, err
	}
	a := queryHandler{ctx: ctx, db: h.db, index: index, snapshot: snapshot, of: of,
		asked: req.Index + " " + expr.String() + " "}
	out, size := api.AnswersReply{Records: of.Len()}, 0
	if out.Unknown, err = unknownIn(ctx, snapshot, expr); err != nil {
		return nil, err
	}
	for i := range req.Answers {
		if err := uproar.Grow(ctx, size+call.EntriesBytes(req.Answers[i].Limit)); err != nil {
			return nil, err
		}
		r, err := a.answer(&req.Answers[i])
		if err != nil {
			return nil, err
		}
		size += sizeOf(&r)
		out.Answers = append(out.Answers, r)
	}
	return out, nil
}

// sizeOf returns about how many bytes an answer has.
func sizeOf(r *api.Reply) int {
	n := 2*len(r.Bitmap) + call.EntryBytes*(len(r.Rows)+len(r.Groups)+len(r.Bands)+len(r.Keys))
	for _, x := range r.Rows {
		n += len(x.Key)
	}
	for _, x := range r.Groups {
		for _, key := range x.Keys {
			n += call.EntryBytes/4 + len(key)
		}
	}
	for _, key := range r.Keys {
		n += len(key)
	}
	return n
}

// queryHandler answers questions about one selection.
type queryHandler struct {
	ctx      context.Context
	db       *uproar.DB
	index    *uproar.Index
	snapshot uproar.Snapshot
	of       *uproar.Selection
	asked    string // index and query
}

func (a *queryHandler) answer(q *api.Question) (r api.Reply, err error) {
	r.Name = q.Name
	switch q.Answer {
	case api.AnswerCount:
		n := a.of.Len()
		r.Count = &n
	case api.AnswerDistinct:
		n, err := a.of.Distinct(a.ctx, q.Field)
		r.Count = &n
		return r, err
	case api.AnswerTop:
		r.Rows, r.Cursor, err = a.top(q)
	case api.AnswerGroups:
		r.Groups, r.Cursor, err = a.groups(q)
	case api.AnswerNumbers:
		err = a.numbers(q, &r)
	case api.AnswerHistogram:
		r.Bands, err = a.histogram(q)
	case api.AnswerSample:
		if r.IDs = a.of.Sample(q.Limit, q.Seed); r.IDs == nil {
			r.IDs = []uint64{} // which would be left out
		}
		r.Keys, err = a.of.Keys(r.IDs)
	case api.AnswerBitmap:
		if q.Portable {
			r.Bitmap = interop.AppendPortable64(nil, a.of.View(), interop.RunsIfSmaller)
		} else {
			r.Bitmap, err = a.of.View().MarshalBinary()
		}
	case api.AnswerOverlap:
		of := []*uproar.Selection{a.of}
		for _, raw := range q.With {
			with, err := a.selection(raw)
			if err != nil {
				return r, err
			}
			of = append(of, with)
		}
		r.Matrix, err = uproar.Overlap(a.ctx, of...)
	}
	return r, err
}

func (a *queryHandler) selection(raw json.RawMessage) (*uproar.Selection, error) {
	expr, err := call.ParseAsked(a.ctx, a.db, a.index.Name(), raw)
	if err != nil {
		return nil, err
	}
	return a.snapshot.Select(a.ctx, expr)
}

// question returns the text of a question that has pages.
func (a *queryHandler) question(q *api.Question) call.Question {
	of := *q
	of.Name, of.Limit, of.Cursor = "", 0, ""
	text, _ := json.Marshal(of) // which has been JSON
	return call.Question(a.asked + string(text))
}

// ranking returns which values a question asks for, without a limit, and its text.
func (a *queryHandler) ranking(q *api.Question) (o uproar.TopOptions, of call.Question, err error) {
	o, of = uproar.TopOptions{By: uproar.Measure(q.By), Least: q.Least}, a.question(q)
	if o.After, err = call.AfterRanked(q.Cursor, of); err == nil && q.Over != nil {
		o.Background, err = a.selection(q.Over)
	}
	return o, of, err
}

// top ranks one value more than is wanted, to know whether there is one.
func (a *queryHandler) top(q *api.Question) (rows []api.Row, cursor string, err error) {
	o, of, err := a.ranking(q)
	if err != nil {
		return nil, "", err
	}
	o.Limit = q.Limit + 1
	top, err := a.of.Top(a.ctx, q.Field, o)
	if len(top) > q.Limit {
		top = top[:q.Limit]
		cursor = call.BehindRanked(top[len(top)-1], of)
	}
	rows = []api.Row{} // and not nil, which would be left out
	for _, r := range top {
		rows = append(rows, api.Row{Key: r.Key, Count: r.Count, Total: r.Total, Score: r.Score})
	}
	return rows, cursor, err
}

func (a *queryHandler) groups(q *api.Question) (groups []api.Group, cursor string, err error) {
	of := a.question(q)
	after, err := call.AfterGroup(q.Cursor, of, len(q.Fields))
	if err != nil {
		return nil, "", err
	}
	found, err := a.of.GroupsAfter(a.ctx, after, q.Limit+1, q.Fields...)
	if len(found) > q.Limit {
		found = found[:q.Limit]
		cursor = call.BehindGroup(found[len(found)-1], of)
	}
	groups = []api.Group{} // and not nil, which would be left out
	for _, g := range found {
		groups = append(groups, api.Group{Keys: g.Keys, Count: g.Count})
	}
	return groups, cursor, err
}

func (a *queryHandler) numbers(q *api.Question, r *api.Reply) error {
	n, err := a.of.Numbers(a.ctx, q.Field, q.Quantiles...)
	if err != nil {
		return err
	}
	r.Count = &n.Sum.Len
	if n.Sum.Len == 0 {
		return nil
	}
	f, err := a.field(q.Field)
	if err != nil {
		return err
	}
	value := func(x int64) json.RawMessage { return integer(f, f.Text(x)) }
	r.Min, r.Max = value(n.Min), value(n.Max)
	for _, x := range n.Quantiles {
		r.Quantiles = append(r.Quantiles, value(x))
	}
	if f.Format == uproar.Number {
		mean := f.Mean(n.Sum)
		r.Mean, r.Sum = &mean, json.RawMessage(f.SumText(n.Sum))
	}
	return err
}

// field returns the declaration of a field. Errors: uproar.ErrUnknownField, when it was dropped
// since the snapshot.
func (a *queryHandler) field(name string) (uproar.Field, error) {
	for _, f := range a.index.Fields() {
		if f.Name == name {
			return f, nil
		}
	}
	return uproar.Field{}, &uproar.UnknownError{What: "field", Name: name}
}

// integer returns the text of an integer of a field in JSON: a number, or of days and times a
// string.
func integer(f uproar.Field, text string) json.RawMessage {
	if f.Format != uproar.Number {
		return json.RawMessage(`"` + text + `"`)
	}
	return json.RawMessage(text)
}

func (a *queryHandler) histogram(q *api.Question) ([]api.Band, error) {
	bounds := make([]string, len(q.Bounds))
	for i, raw := range q.Bounds {
		if json.Unmarshal(raw, &bounds[i]) == nil {
			continue
		}
		if json.Unmarshal(raw, new(json.Number)) != nil {
			return nil, call.Invalid("%s: bound %d is %s, want a number, or a day or time as text", call.Quote(q.Name), i+1,
				call.Cut(string(raw), maxBound))
		}
		bounds[i] = string(raw)
	}
	found, err := a.of.Histogram(a.ctx, q.Field, bounds...)
	if err != nil {
		return nil, err
	}
	bands := make([]api.Band, len(found)) // and not nil, which would be left out
	if len(found) == 0 {
		return bands, nil
	}
	by, err := uproar.ParseBy(q.Field)
	if err != nil {
		return nil, err
	}
	f, err := a.field(by.Field)
	if err != nil {
		return nil, err
	}
	for i, b := range found {
		if bands[i].Count = b.Count; b.From != "" {
			bands[i].From = integer(f, b.From)
		}
		if b.Below != "" {
			bands[i].Below = integer(f, b.Below)
		}
	}
	return bands, nil
}

// maxBound bounds what an error repeats of a bound, in bytes.
const maxBound = 64

func decodeSave(c call.Request) (api.SaveRequest, error) {
	req, err := call.DecodeBody[api.SaveRequest](c)
	if err == nil {
		err = call.CheckAsked(req.Index, req.Query != nil)
	}
	return req, err
}

// save stores the result of a query under a name, also in place of a saved audience that follows
// the data: both kinds share one space of names.
func (h *Handlers) save(ctx context.Context, req api.SaveRequest) (call.Reply, error) {
	index, err := h.db.Index(req.Index)
	if err != nil {
		return nil, err
	}
	expr, err := call.ParseAsked(ctx, h.db, req.Index, req.Query)
	if err != nil {
		return nil, err
	}
	n, err := call.Save(ctx, h.db, req.Index, req.Name, expr)
	if err != nil {
		return nil, err
	}
	snapshot := index.Snapshot()
	defer snapshot.Close()
	unknown, err := unknownIn(ctx, snapshot, expr)
	return api.CountReply{Count: n, Unknown: unknown}, err
}
