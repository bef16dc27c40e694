// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/query"
)

// Step is one operation of a plan. Its own steps come in the order in which they are carried out.
type Step struct {
	Does string `json:"does"` // "list", "and", "or", "xor", "at least n", "integers"
	// what it is of the simplified query; none: the planner added it
	Query     string `json:"query,omitempty"`
	Not       bool   `json:"not,omitempty"`   // the step above subtracts it
	Estimated uint64 `json:"estimated"`       // records at most, as the planner knows before it reads them
	Records   uint64 `json:"records"`         // that it has
	Bytes     int64  `json:"bytes,omitempty"` // of pages and pending writes that it reads, of a list
	// nanoseconds that finding its lists took, and gathering them where they are not of the index
	Prepared time.Duration `json:"prepared,omitempty"`
	// nanoseconds that counting its records takes, with all steps below it
	Took  time.Duration `json:"took"`
	Steps []Step        `json:"steps,omitempty"`
}

// Explain plans a query and counts its records, and those of every step by itself. It costs about
// as much as counting each part of the query once. Errors as of Count.
func Explain(ctx context.Context, snap reader.Snapshot, e query.Expr, bind Bind) (Step, error) {
	p, err := newExplained(ctx, snap, e, bind, map[*node]made{})
	if err != nil {
		return Step{}, err
	}
	defer p.release()
	if p.root == nil {
		return Step{Does: "nothing", Query: query.Simplify(e).String()}, nil
	}
	return p.step(p.root, false)
}

// explained makes a node and notes what it was made of.
func (p *plan) explained(e query.Expr, fn func() (*node, error)) (*node, error) {
	if p.explain == nil {
		return fn()
	}
	start := time.Now()
	n, err := fn()
	if n != nil {
		if _, known := p.explain[n]; !known { // an operator of one operand may be that operand
			p.explain[n] = made{e, time.Since(start)}
		}
	}
	return n, err
}

// step describes a node, and counts its records.
func (p *plan) step(n *node, not bool) (Step, error) {
	s := Step{Not: not, Estimated: n.atMost, Prepared: p.explain[n].took}
	if e := p.explain[n].expr; e != nil {
		s.Query = e.String()
	}
	switch n.op {
	case opList:
		s.Does, s.Bytes = "list", n.list.Bytes()
	case opAnd:
		s.Does = "and"
	case opOr:
		s.Does = "or"
	case opXor:
		s.Does = "xor"
	case opCount:
		s.Does = fmt.Sprintf("at least %d", n.least)
	case opIntegers:
		s.Does = "integers"
	}
	root := p.root
	p.root = n
	start := time.Now()
	records, err := p.count()
	s.Took, p.root = time.Since(start), root
	if err != nil {
		return s, err
	}
	s.Records = records
	for i, of := range [...][]*node{n.plus, n.minus} {
		for _, k := range of {
			below, err := p.step(k, i == 1)
			if err != nil {
				return s, err
			}
			s.Steps = append(s.Steps, below)
		}
	}
	return s, nil
}

// maxStepText is how much of a step's query its text shows, in bytes.
const maxStepText = 80

// String returns the plan as text: a line a step, those below it indented.
func (s Step) String() string {
	var b strings.Builder
	s.write(&b, "")
	return b.String()
}

func (s Step) write(b *strings.Builder, indent string) {
	b.WriteString(indent)
	if s.Not {
		b.WriteString("not ")
	}
	b.WriteString(s.Does)
	if s.Query != "" {
		text := s.Query
		if len(text) > maxStepText {
			text = strings.ToValidUTF8(text[:maxStepText], "") + "…"
		}
		fmt.Fprintf(b, " [%s]", text)
	}
	fmt.Fprintf(b, ": %d records of at most %d in %v", s.Records, s.Estimated, s.Took)
	if s.Prepared > 0 {
		fmt.Fprintf(b, ", prepared in %v", s.Prepared)
	}
	if s.Bytes > 0 {
		fmt.Fprintf(b, ", %d bytes", s.Bytes)
	}
	b.WriteByte('\n')
	for _, below := range s.Steps {
		below.write(b, indent+"  ")
	}
}
