// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

// threes are the operands of calls on many sets.
func (o *operands) threes() [][]View {
	return [][]View{{o.a, o.b}, {o.b, o.a, o.b}, {o.a, o.a, o.b, {}}}
}

// three calls f with several sets.
func (o *operands) three(f func(views ...View) uint64) (sum uint64) {
	for _, views := range o.threes() {
		sum = sum*31 + f(views...)
	}
	return sum
}

// body opens a body that was written.
func (o *operands) body(b []byte) uint64 {
	o.t.Helper()
	v, err := OpenBody(b)
	if err != nil {
		o.t.Fatalf("a body that was written cannot be opened: %v", err)
	}
	return v.Len() + uint64(len(b))
}

// pairCalls are the calls on several sets.
var pairCalls = []call[*operands]{
	{"AndLen", func(o *operands) uint64 { return AndLen(o.a, o.b) }},
	{"OrLen", func(o *operands) uint64 { return OrLen(o.a, o.b) }},
	{"AndNotLen", func(o *operands) uint64 { return AndNotLen(o.a, o.b) }},
	{"XorLen", func(o *operands) uint64 { return XorLen(o.a, o.b) }},
	{"Intersects", func(o *operands) uint64 { return one(Intersects(o.a, o.b)) }},
	{"IsSubset", func(o *operands) uint64 { return one(IsSubset(o.a, o.b)) }},
	{"Equal", func(o *operands) uint64 { return one(Equal(o.a, o.b)) }},
	{"Jaccard", func(o *operands) uint64 { return uint64(1000 * Jaccard(o.a, o.b)) }},
	{"And", func(o *operands) uint64 { return o.made(And(o.a, o.b)) }},
	{"Or", func(o *operands) uint64 { return o.made(Or(o.a, o.b)) }},
	{"AndNot", func(o *operands) uint64 { return o.made(AndNot(o.a, o.b)) }},
	{"Xor", func(o *operands) uint64 { return o.made(Xor(o.a, o.b)) }},
	{"AppendAnd", func(o *operands) uint64 { return o.body(AppendAnd(nil, o.a, o.b)) }},
	{"AppendOr", func(o *operands) uint64 { return o.body(AppendOr(nil, o.a, o.b)) }},
	{"AppendAndNot", func(o *operands) uint64 { return o.body(AppendAndNot(nil, o.a, o.b)) }},
	{"AppendXor", func(o *operands) uint64 { return o.body(AppendXor(nil, o.a, o.b)) }},
	{"AndAllLen", func(o *operands) uint64 { return o.three(AndAllLen) }},
	{"OrAllLen", func(o *operands) uint64 { return o.three(OrAllLen) }},
	{"XorAllLen", func(o *operands) uint64 { return o.three(XorAllLen) }},
	{"AndNotAllLen", func(o *operands) uint64 {
		return o.three(func(views ...View) uint64 { return AndNotAllLen(views[0], views[1:]...) })
	}},
	{"AndAll", func(o *operands) uint64 {
		return o.three(func(views ...View) uint64 { return o.made(AndAll(views...)) })
	}},
	{"OrAll", func(o *operands) uint64 {
		return o.three(func(views ...View) uint64 { return o.made(OrAll(views...)) })
	}},
	{"XorAll", func(o *operands) uint64 {
		return o.three(func(views ...View) uint64 { return o.made(XorAll(views...)) })
	}},
	{"AndNotAll", func(o *operands) uint64 {
		return o.three(func(views ...View) uint64 { return o.made(AndNotAll(views[0], views[1:]...)) })
	}},
	{"AppendAndAll", func(o *operands) uint64 { return o.body(AppendAndAll(nil, o.a, o.b, o.a)) }},
	{"AppendOrAll", func(o *operands) uint64 { return o.body(AppendOrAll(nil, o.a, o.b, o.a)) }},
	{"AppendXorAll", func(o *operands) uint64 { return o.body(AppendXorAll(nil, o.a, o.b, o.a)) }},
	{"AppendAndNotAll", func(o *operands) uint64 { return o.body(AppendAndNotAll(nil, o.a, o.b, o.a)) }},
	{"ParallelXorAll", func(o *operands) uint64 { return o.made(ParallelXorAll(2, o.a, o.b, o.a)) }},
	{"ParallelAndNotAll", func(o *operands) uint64 { return o.made(ParallelAndNotAll(2, o.a, o.b, o.a)) }},
	{"ParallelOrAll", func(o *operands) uint64 { return o.made(ParallelOrAll(2, o.a, o.b, o.a)) }},
	{"ParallelAndAll", func(o *operands) uint64 { return o.made(ParallelAndAll(2, o.a, o.b, o.a)) }},
}
