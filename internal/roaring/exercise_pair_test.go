// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"github.com/uproar-db/uproar/internal/roaring/pair"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// threes are the operands of calls on many sets.
func (o *operands) threes() [][]view.View {
	return [][]view.View{{o.a, o.b}, {o.b, o.a, o.b}, {o.a, o.a, o.b, {}}}
}

// three calls f with several sets.
func (o *operands) three(f func(views ...view.View) uint64) (sum uint64) {
	for _, views := range o.threes() {
		sum = sum*31 + f(views...)
	}
	return sum
}

// body opens a body that was written.
func (o *operands) body(b []byte) uint64 {
	o.t.Helper()
	v, err := view.OpenBody(b)
	if err != nil {
		o.t.Fatalf("a body that was written cannot be opened: %v", err)
	}
	return v.Len() + uint64(len(b))
}

// pairCalls are the calls on several sets.
var pairCalls = []roaringtest.Call[*operands]{
	{Name: "AndLen", Do: func(o *operands) uint64 { return pair.AndLen(o.a, o.b) }},
	{Name: "OrLen", Do: func(o *operands) uint64 { return pair.OrLen(o.a, o.b) }},
	{Name: "AndNotLen", Do: func(o *operands) uint64 { return pair.AndNotLen(o.a, o.b) }},
	{Name: "XorLen", Do: func(o *operands) uint64 { return pair.XorLen(o.a, o.b) }},
	{Name: "Intersects", Do: func(o *operands) uint64 { return roaringtest.One(pair.Intersects(o.a, o.b)) }},
	{Name: "IsSubset", Do: func(o *operands) uint64 { return roaringtest.One(pair.IsSubset(o.a, o.b)) }},
	{Name: "Equal", Do: func(o *operands) uint64 { return roaringtest.One(pair.Equal(o.a, o.b)) }},
	{Name: "Jaccard", Do: func(o *operands) uint64 { return uint64(1000 * Jaccard(o.a, o.b)) }},
	{Name: "And", Do: func(o *operands) uint64 { return o.result(pair.And(o.a, o.b)) }},
	{Name: "Or", Do: func(o *operands) uint64 { return o.result(pair.Or(o.a, o.b)) }},
	{Name: "AndNot", Do: func(o *operands) uint64 { return o.result(pair.AndNot(o.a, o.b)) }},
	{Name: "Xor", Do: func(o *operands) uint64 { return o.result(pair.Xor(o.a, o.b)) }},
	{Name: "AppendAnd", Do: func(o *operands) uint64 { return o.body(AppendAnd(nil, o.a, o.b)) }},
	{Name: "AppendOr", Do: func(o *operands) uint64 { return o.body(AppendOr(nil, o.a, o.b)) }},
	{Name: "AppendAndNot", Do: func(o *operands) uint64 { return o.body(AppendAndNot(nil, o.a, o.b)) }},
	{Name: "AppendXor", Do: func(o *operands) uint64 { return o.body(AppendXor(nil, o.a, o.b)) }},
	{Name: "AndAllLen", Do: func(o *operands) uint64 { return o.three(AndAllLen) }},
	{Name: "OrAllLen", Do: func(o *operands) uint64 { return o.three(OrAllLen) }},
	{Name: "XorAllLen", Do: func(o *operands) uint64 { return o.three(XorAllLen) }},
	{Name: "AndNotAllLen", Do: func(o *operands) uint64 {
		return o.three(func(views ...view.View) uint64 { return AndNotAllLen(views[0], views[1:]...) })
	}},
	{Name: "AndAll", Do: func(o *operands) uint64 {
		return o.three(func(views ...view.View) uint64 { return o.result(AndAll(views...)) })
	}},
	{Name: "OrAll", Do: func(o *operands) uint64 {
		return o.three(func(views ...view.View) uint64 { return o.result(OrAll(views...)) })
	}},
	{Name: "XorAll", Do: func(o *operands) uint64 {
		return o.three(func(views ...view.View) uint64 { return o.result(XorAll(views...)) })
	}},
	{Name: "AndNotAll", Do: func(o *operands) uint64 {
		return o.three(func(views ...view.View) uint64 { return o.result(AndNotAll(views[0], views[1:]...)) })
	}},
	{Name: "AppendAndAll", Do: func(o *operands) uint64 { return o.body(AppendAndAll(nil, o.a, o.b, o.a)) }},
	{Name: "AppendOrAll", Do: func(o *operands) uint64 { return o.body(AppendOrAll(nil, o.a, o.b, o.a)) }},
	{Name: "AppendXorAll", Do: func(o *operands) uint64 { return o.body(AppendXorAll(nil, o.a, o.b, o.a)) }},
	{Name: "AppendAndNotAll", Do: func(o *operands) uint64 { return o.body(AppendAndNotAll(nil, o.a, o.b, o.a)) }},
	{Name: "ParallelXorAll", Do: func(o *operands) uint64 { return o.result(ParallelXorAll(2, o.a, o.b, o.a)) }},
	{Name: "ParallelAndNotAll", Do: func(o *operands) uint64 { return o.result(ParallelAndNotAll(2, o.a, o.b, o.a)) }},
	{Name: "ParallelOrAll", Do: func(o *operands) uint64 { return o.result(ParallelOrAll(2, o.a, o.b, o.a)) }},
	{Name: "ParallelAndAll", Do: func(o *operands) uint64 { return o.result(ParallelAndAll(2, o.a, o.b, o.a)) }},
}
