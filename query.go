// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"context"
	"errors"
	"time"

	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/internal/binding"
	"github.com/uproar-db/uproar/internal/eval"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/query"
)

// Count returns the number of records that a query fits, without listing them. The records that a
// conjunction of some relations names are looked up together, as in CountAnd.
//
// A record that a query names and that does not exist has no row, and a value that no record ever
// had has no records: such a leaf is empty. See Unknown. Errors of Count, IDs, Keys and Contains:
// ErrUnknownField, ErrUnknownSet, ErrInvalid, ErrLimit, query.ErrInvalid, ErrCorrupt, ctx's, or the
// store's; of Contains also ErrUnknownRecord for the record that it is given.
func (s Snapshot) Count(ctx context.Context, q query.Expr) (uint64, error) {
	s = s.Under(ctx)
	var room [relatedMost]query.Related
	if of := allRelated(&room, q); len(of) > 0 {
		n, err := s.CountAnd(ctx, of...)
		if errors.Is(err, ErrUnknownRecord) {
			return 0, nil
		}
		return n, err
	}
	return eval.Count(ctx, s.lists, q, s.bindQuery)
}

// CountAnd returns the number of records that fit every one of some relations: Count of their
// conjunction, without a query. It allocates nothing when all pages are in the cache. Of no
// relations it is 0. Errors as of Count, and ErrUnknownRecord for a record that does not exist.
func (s Snapshot) CountAnd(ctx context.Context, of ...query.Related) (uint64, error) {
	s = s.Under(ctx)
	var room relatedRoom
	rows, err := s.bindRelated(&room, of)
	if err != nil {
		return 0, err
	}
	return eval.CountAnd(ctx, s.lists, rows...)
}

// IDs returns a page of the record IDs that a query fits. It allocates the page only.
func (s Snapshot) IDs(ctx context.Context, q query.Expr, p Page) (IDs, error) {
	s = s.Under(ctx)
	if p.Limit < 0 {
		return IDs{}, invalid("limit: got %d, want 0 or more", p.Limit)
	}
	ids, more, err := eval.AppendIDs(ctx, nil, s.lists, q, s.bindQuery, p.From, p.Limit)
	if err != nil {
		return IDs{}, err
	}
	out := IDs{IDs: ids, More: more}
	if more {
		out.Next = ids[len(ids)-1] + 1
	}
	return out, nil
}

// Step is one operation of the plan of a query. Its Steps are its operands, in the order of
// execution.
type Step struct {
	Does      string `json:"does"`            // "list", "and", "or", "xor", "at least n", "integers"
	Query     string `json:"query,omitempty"` // what it is of the simplified query; none: the planner added it
	Not       bool   `json:"not,omitempty"`   // the step above subtracts it
	Estimated uint64 `json:"estimated"`       // records at most, as the planner knows before it reads them
	Records   uint64 `json:"records"`         // that it has
	Bytes     int64  `json:"bytes,omitempty"` // of pages and pending writes that it reads, of a list

	// Prepared is what finding its lists took, and gathering them where they are not of the index.
	Prepared time.Duration `json:"prepared,omitempty"`
	Took     time.Duration `json:"took"` // counting its records, with all steps below it
	Steps    []Step        `json:"steps,omitempty"`
}

// String returns the plan as text: a line a step, those below it indented.
func (s Step) String() string { return s.planned().String() }

// planned returns the step as the evaluation has it.
func (s Step) planned() eval.Step {
	p := eval.Step{Does: s.Does, Query: s.Query, Not: s.Not, Estimated: s.Estimated, Records: s.Records, Bytes: s.Bytes,
		Prepared: s.Prepared, Took: s.Took}
	for _, below := range s.Steps {
		p.Steps = append(p.Steps, below.planned())
	}
	return p
}

// stepOf returns a step as users see it.
func stepOf(p eval.Step) Step {
	s := Step{Does: p.Does, Query: p.Query, Not: p.Not, Estimated: p.Estimated, Records: p.Records, Bytes: p.Bytes,
		Prepared: p.Prepared, Took: p.Took}
	for _, below := range p.Steps {
		s.Steps = append(s.Steps, stepOf(below))
	}
	return s
}

// Explain plans a query and counts its records and those of each step. It says how long that took.
// Errors as of Count.
func (s Snapshot) Explain(ctx context.Context, q query.Expr) (Step, error) {
	s = s.Under(ctx)
	step, err := eval.Explain(ctx, s.lists, q, s.bindQuery)
	return stepOf(step), err
}

// Bitmap returns the IDs of the records that a query fits as a serialized bitmap. The caller owns
// it. Its bytes may stand in a query.Bitmap.
func (s Snapshot) Bitmap(ctx context.Context, q query.Expr) (*bitmap.Bitmap, error) {
	set, err := recordsOf(ctx, s, q)
	return (*bitmap.Bitmap)(set), err
}

// recordsOf finds the records that a query fits.
func recordsOf(ctx context.Context, s Snapshot, q query.Expr) (*mutable.Bitmap, error) {
	s = s.Under(ctx)
	return eval.Bitmap(ctx, s.lists, q, s.bindQuery, pack.Fastest)
}

// Contains reports whether a query fits one record. It probes each posting list of the query once;
// a query.Any costs as much as in a count.
func (s Snapshot) Contains(ctx context.Context, q query.Expr, record string) (bool, error) {
	s = s.Under(ctx)
	id, err := s.ID(record)
	if err != nil {
		return false, err
	}
	return eval.Contains(ctx, s.lists, q, s.bindQuery, id)
}

// bindQuery says what a leaf of a query is in the index. It reads nothing but the names of saved
// sets: keys are looked up together, by eval.
func (s Snapshot) bindQuery(leaf query.Expr) (eval.Leaf, error) {
	switch leaf := leaf.(type) {
	case query.Saved:
		return s.bindSaved(leaf)
	case query.Bitmap:
		return binding.Literal(leaf)
	}
	name, ok := binding.FieldOf(leaf)
	if !ok {
		return eval.Leaf{}, invalid("query: got a leaf of type %T", leaf)
	}
	f, err := s.field(name)
	if err != nil {
		return eval.Leaf{}, err
	}
	return binding.Leaf(f, leaf)
}

// Page says which part of an answer is wanted: at most Limit records (0: all) with record IDs of
// From or more. Because IDs never change and are never used twice, the Next of a page is a stable
// place to go on from, whatever is written meanwhile.
type Page struct {
	From  uint64
	Limit int
}

// IDs is a page of record IDs, ascending. If More is true, there are further records: ask for the
// next page with Page.From set to Next.
type IDs struct {
	IDs  []uint64
	Next uint64
	More bool
}
