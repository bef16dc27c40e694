// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package indexapi

import (
	"context"
	"iter"
	"slices"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/internal/export"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/server/call"
	"github.com/uproar-db/uproar/server/streaming"
)

// rankedAtOnce is how many values of a ranking are found at a time: each time costs a walk over the
// field.
const rankedAtOnce = 1 << 16

// listed are the questions whose answers are lists.
var listed = []api.Answer{api.AnswerTop, api.AnswerGroups, api.AnswerSample}

// checkListed refuses questions whose answers are no list.
func checkListed(questions []api.Question) error {
	if len(questions) != 1 {
		return call.Invalid("\"answers\" has %d questions, want 1: a table has one answer", len(questions))
	}
	if q := &questions[0]; !slices.Contains(listed, q.Answer) {
		return call.Invalid("%s: \"answer\" is %s, want top, groups or sample: others are no tables",
			call.Quote(q.Name), call.Quote(string(q.Answer)))
	}
	return nil
}

// listOf returns the list that a question asks for. ctx is that of the list.
func (a *queryHandler) listOf(ctx context.Context, q *api.Question) (streaming.List, error) {
	// Asked about no records, a question tells what is wrong with it before the answer begins.
	none, err := a.snapshot.Select(a.ctx, query.Nothing{})
	switch {
	case err != nil:
		return streaming.List{}, err
	case q.Answer == api.AnswerTop:
		return a.topList(ctx, none, q)
	case q.Answer == api.AnswerGroups:
		return a.groupList(ctx, none, q)
	}
	return streaming.Keys(a.of, a.of.Sample(q.Limit, q.Seed)), nil
}

// topList lists the values of a field.
func (a *queryHandler) topList(ctx context.Context, none *uproar.Selection, q *api.Question) (streaming.List, error) {
	o, _, err := a.ranking(q)
	if err == nil {
		_, err = none.Top(a.ctx, q.Field, o)
	}
	if err != nil {
		return streaming.List{}, err
	}
	left := streaming.AtMost(q.Limit)
	next := func(out *streaming.Out) (more bool, err error) {
		o.Limit = min(left, rankedAtOnce)
		top, err := a.of.Top(ctx, q.Field, o)
		for i := 0; i < len(top) && err == nil; i++ {
			r := &top[i]
			err = out.Entry(api.Row{Key: r.Key, Count: r.Count, Total: r.Total, Score: r.Score},
				export.Cell{Text: r.Key}, export.Cell{Integer: int64(r.Count)}, export.Cell{Integer: int64(r.Total)},
				export.Cell{Float: r.Score})
			o.After = r
		}
		left -= len(top)
		return len(top) == o.Limit && left > 0, err
	}
	columns := []export.Column{{Name: q.Field}, {Name: "count", Kind: export.Unsigned},
		{Name: "total", Kind: export.Unsigned}, {Name: "score", Kind: export.Float}}
	return streaming.List{Columns: columns, Next: next, Late: q.Limit == 0 || q.Limit > api.MaxLimit}, nil
}

// groupList lists groups by fields.
func (a *queryHandler) groupList(ctx context.Context, none *uproar.Selection, q *api.Question) (streaming.List, error) {
	if q.Cursor != "" {
		return streaming.List{}, call.Invalid("%s: \"cursor\" with a table, which has no pages", call.Quote(q.Name))
	}
	if _, err := none.Groups(a.ctx, 1, q.Fields...); err != nil {
		return streaming.List{}, err
	}
	l := &groups{left: streaming.AtMost(q.Limit)}
	for _, name := range q.Fields {
		by, err := uproar.ParseBy(name)
		if err != nil {
			return streaming.List{}, err
		}
		f, err := a.field(by.Field)
		if err != nil {
			return streaming.List{}, err
		}
		l.fields, l.columns = append(l.fields, f), append(l.columns, streaming.ColumnOf(f, name, true))
	}
	l.pull, l.stop = iter.Pull2(a.of.AllGroups(ctx, q.Fields...))
	columns := append(slices.Clone(l.columns), export.Column{Name: "count", Kind: export.Unsigned})
	return streaming.List{Columns: columns, Next: l.next, Late: true, End: l.stop}, nil
}

// groups is groups of records, the largest first.
type groups struct {
	fields  []uproar.Field
	columns []export.Column
	pull    func() (uproar.Group, error, bool)
	stop    func()
	left    int
	cells   []export.Cell
}

// next writes the next groups.
func (l *groups) next(out *streaming.Out) (more bool, err error) {
	for range min(l.left, streaming.AtOnce) {
		g, err, ok := l.pull()
		if err != nil || !ok {
			return false, err
		}
		l.left--
		l.cells = l.cells[:0]
		for i, key := range g.Keys {
			cell, err := streaming.CellOf(l.fields[i], l.columns[i], key)
			if err != nil {
				return false, err
			}
			l.cells = append(l.cells, cell)
		}
		l.cells = append(l.cells, export.Cell{Integer: int64(g.Count)})
		if err := out.Entry(api.Group{Keys: g.Keys, Count: g.Count}, l.cells...); err != nil {
			return false, err
		}
	}
	return l.left > 0, nil
}

// stream sends the records of a query as a list.
func (h *Handlers) stream(ctx context.Context, req *queryRequest, expr query.Expr, p uproar.Page) (call.Reply, error) {
	return h.askIndex(req.Index, func(index *uproar.Index) (call.Reply, error) {
		return h.streams.Send(ctx, index, expr, req.form, func(_ context.Context, _ uproar.Snapshot,
			of *uproar.Selection) (streaming.List, error) {
			return streaming.Records(of, req.Answer, p), nil
		})
	})
}

// streamAnswer sends the answer to a question about the records of a query as a list.
func (h *Handlers) streamAnswer(ctx context.Context, req *answersRequest, expr query.Expr) (call.Reply, error) {
	return h.askIndex(req.Index, func(index *uproar.Index) (call.Reply, error) {
		return h.streams.Send(ctx, index, expr, req.form, func(own context.Context, s uproar.Snapshot,
			of *uproar.Selection) (streaming.List, error) {
			a := queryHandler{ctx: ctx, db: h.db, index: index, snapshot: s, of: of,
				asked: req.Index + " " + expr.String() + " "}
			return a.listOf(own, &req.Answers[0])
		})
	})
}
