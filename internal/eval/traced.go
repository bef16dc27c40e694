// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"cmp"
	"context"

	"github.com/uproar-db/uproar/internal/trace"
)

// traced tells whoever traces requests of a plan. The zero value tells nobody.
type traced struct {
	whole    *trace.Step // until the plan is released
	planning *trace.Step // until it is made
	err      error       // why it was not
}

// begin begins the steps of a plan, below that of ctx.
func (t *traced) begin(ctx context.Context) context.Context {
	if ctx, t.whole = trace.Begin(ctx, "evaluate"); t.whole != nil {
		_, t.planning = trace.Begin(ctx, "plan")
	}
	return ctx
}

// planned ends the step of planning.
func (t *traced) planned(err error) {
	if t.whole != nil {
		t.planning.End(err)
		t.planning, t.err = nil, err
	}
}

// end ends all steps. It notes how many lists the plan has, and how many pages these lie on.
func (t *traced) end(p *plan) {
	if t.whole == nil {
		return
	}
	t.planned(t.err)
	lists := 0
	for _, n := range p.nodes[:p.used] {
		if n.op == opList {
			lists++
		}
	}
	t.whole.Int("uproar.lists", int64(lists))
	t.whole.Int("uproar.list_pages", int64(p.pages.Len()))
	t.whole.End(cmp.Or(p.check.err, t.err))
	*t = traced{}
}
