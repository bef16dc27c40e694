// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package catalogapi

import (
	"context"
	"slices"
	"sync/atomic"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/apps/catalog"
	"github.com/uproar-db/uproar/server/call"
)

// searching is searches that are read, and carried out while they are answered.
type searching struct {
	call.FromSource
	ctx  context.Context
	of   *catalog.Catalog
	req  searchRequest
	most int // bytes of answers after which none is added
}

func (h *Handlers) search(ctx context.Context, req searchRequest) (call.Reply, error) {
	of, err := h.catalog(req.Catalog)
	return &searching{ctx: ctx, of: of, req: req, most: h.mostOf(len(req.Searches))}, err
}

// Append carries out all searches in one state.
func (r *searching) Append(dst []byte) ([]byte, error) {
	start := len(dst)
	err := r.of.Ask(r.ctx, func(s catalog.Snapshot) (err error) {
		dst, err = r.appendAll(dst[:start], s)
		return err
	})
	return dst, err
}

// searchesPerPart is how many searches a processor carries out before its answers are appended: the
// answers of one round are all that is held beside the reply.
const searchesPerPart = 128

// appendAll appends the answers in the order of the searches, which the processors share.
func (r *searching) appendAll(dst []byte, s catalog.Snapshot) ([]byte, error) {
	show, err := showing(s, r.req.Show)
	if err != nil {
		return dst, err
	}
	all := len(r.req.Searches)
	parts, ctx := make([]searcher, call.PartsOf(all, searchesPerPart)), r.ctx
	if len(parts) > 1 { // memory is taken for all of them at once
		if err := uproar.Grow(ctx, call.SmallAnswer+1); err != nil {
			return dst, err
		}
		ctx = uproar.WithGrow(ctx, r.bound)
	}
	for i := range parts {
		parts[i].searching, parts[i].ctx, parts[i].snap, parts[i].show = r, ctx, s, show
	}
	dst = append(dst, `{"answers":[`...)
	start := len(dst)
	var held atomic.Int64 // bytes of answers, with those of the round
	for done := 0; done < all; {
		n := min(all-done, len(parts)*searchesPerPart)
		if err := uproar.Grow(r.ctx, len(dst)-start); err != nil {
			return dst, err
		}
		held.Store(int64(len(dst) - start))
		err := call.InParts(n, len(parts), func(part, from, to int) error {
			return parts[part].carryOut(done+from, done+to, &held)
		})
		if err != nil {
			return dst, err
		}
		for i := range parts {
			if dst, err = parts[i].appendTo(dst, start); err != nil {
				return dst, err
			}
		}
		if done += n; done < all {
			left := (len(dst) - start) / done * (all - done) // if the others are as long
			dst = slices.Grow(dst, min(left, max(call.SmallAnswer, len(dst))))
		}
	}
	return append(dst, ']', '}'), nil
}

// bound refuses an answer to one search that is larger than a reply may be. Safe for concurrent
// use.
func (r *searching) bound(bytes int) error {
	if bytes > r.most {
		return call.AnswerTooLarge("the answer has more than %d bytes; ask for less at a time", r.most)
	}
	return nil
}

// searcher carries out consecutive searches. It is used by one goroutine at a time.
type searcher struct {
	*searching
	ctx        context.Context
	snap       catalog.Snapshot
	show       shown
	conditions []catalog.Condition // memory of one search after the other, as is found
	found      catalog.Answer

	from, to int
	answers  []byte
	ends     []int // ends of the answers; a missing one did not fit
}

// carryOut carries out the searches from, up to and without to. It stops when all answers together
// exceed what a reply may have.
func (r *searcher) carryOut(from, to int, held *atomic.Int64) (err error) {
	r.from, r.to, r.answers, r.ends = from, to, r.answers[:0], r.ends[:0]
	for i := from; i < to && held.Load() <= int64(r.most); i++ {
		before := len(r.answers)
		if r.answers, err = r.appendAnswer(r.answers, i); err != nil {
			return err
		}
		r.ends = append(r.ends, len(r.answers))
		held.Add(int64(len(r.answers) - before))
	}
	return nil
}

// appendTo appends the answers to a reply, whose answers begin at start. Once they have too many
// bytes, each further answer is an error.
func (r *searcher) appendTo(dst []byte, start int) (out []byte, err error) {
	begin := 0
	for i := r.from; i < r.to; i++ {
		if i > 0 {
			dst = append(dst, ',')
		}
		n, at := len(dst)-start, i-r.from
		switch {
		case n > r.most:
			dst = api.SearchAnswer{Error: call.Failure(
				call.Invalid("the answers before this one have %d bytes; ask again, in another request",
					n))}.AppendJSON(dst)
		case at < len(r.ends):
			dst = append(dst, r.answers[begin:r.ends[at]]...)
			begin = r.ends[at]
		default: // other parts had too many bytes, but those before this answer have not
			if dst, err = r.appendAnswer(dst, i); err != nil {
				return dst, err
			}
		}
	}
	return dst, nil
}

// appendAnswer carries out a search, and appends its answer.
func (r *searcher) appendAnswer(dst []byte, i int) ([]byte, error) {
	own := r.req.wrong[i]
	if own == nil {
		out, err := r.appendFound(dst, i)
		if err == nil {
			return out, nil
		}
		own = call.Failure(err)
		if own.Code != api.CodeInvalidRequest && own.Code != api.CodeUnknownField && own.Code != api.CodeInvalidQuery {
			return dst, err // not this search's fault
		}
	}
	return api.SearchAnswer{Error: own}.AppendJSON(dst), nil
}

// appendFound carries out a search, and appends what it has found, as api.SearchAnswer has it.
func (r *searcher) appendFound(dst []byte, i int) (out []byte, err error) {
	if err := r.ctx.Err(); err != nil {
		return dst, err
	}
	if r.conditions, err = r.req.appendConditions(r.conditions[:0], i); err != nil {
		return dst, err
	}
	if err := r.snap.Search(r.ctx, &r.found, r.req.Limit, r.conditions...); err != nil {
		return dst, err
	}
	dst = api.AppendString(append(dst, `{"found":`...), r.found.Kind.String())
	if len(r.found.IDs) > 0 {
		if dst, err = r.show.appendRecords(r.ctx, append(dst, `,"records":`...), r.snap, r.found.IDs); err != nil {
			return dst, err
		}
	}
	if r.found.More {
		dst = append(dst, `,"more":true`...)
	}
	if r.found.Kind == catalog.Several && !r.req.Brief {
		if dst, err = r.appendDeciding(append(dst, `,"deciding":[`...)); err != nil {
			return dst, err
		}
		dst = append(dst, ']')
	}
	if at := r.found.Unknown; r.found.Kind == catalog.Nothing && at >= 0 {
		dst = api.AppendString(append(dst, `,"unknown":`...), r.conditions[at].Attribute)
	}
	return append(dst, '}'), nil
}

// appendDeciding appends the names of the attributes in which the records that were found differ.
func (r *searcher) appendDeciding(dst []byte) (out []byte, err error) {
	tied := r.found.IDs
	if r.found.More {
		if tied, err = r.snap.Tied(r.ctx, r.conditions...); err != nil {
			return dst, err
		}
	}
	names, err := r.snap.Deciding(r.ctx, tied, r.conditions...)
	for i, name := range names {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = api.AppendString(dst, name)
	}
	return dst, err
}
