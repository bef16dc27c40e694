// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package socialgraph

import (
	"math/rand/v2"
	"slices"
)

// model holds the lists of some accounts, made from the follows of the network: what questions
// about them must be answered with. A list is 4 bytes a follow in one slice, whose length is known
// before it is filled: the lists of a large network's best-known accounts, as maps, would keep the
// garbage collector busy for most of a check.
type model struct {
	following, followers map[uint32]*friends
}

// friends are the accounts of one list.
type friends struct {
	base    []uint32 // ascending
	changed map[uint32]bool
	count   int // of base, while it is being filled
}

// newModel returns the lists of the accounts of questions. It walks over the whole network twice:
// to count, and to fill.
func (n *Network) newModel(questions []question) *model {
	m := &model{following: make(map[uint32]*friends), followers: make(map[uint32]*friends)}
	for _, q := range questions {
		for _, a := range q.of {
			if m.following[a] == nil {
				m.following[a], m.followers[a] = new(friends), new(friends)
			}
		}
	}
	wanted := make([]uint64, (n.Accounts+63)/64)
	for a := range m.following {
		wanted[a/64] |= 1 << (a % 64)
	}
	is := func(a uint32) bool { return wanted[a/64]>>(a%64)&1 != 0 }
	for a, b := range n.grouped() {
		if is(a) {
			m.following[a].count++
		}
		if is(b) {
			m.followers[b].count++
		}
	}
	m.each(func(l *friends) { l.base = make([]uint32, 0, l.count) })
	for a, b := range n.grouped() {
		if is(a) {
			m.following[a].base = append(m.following[a].base, b)
		}
		if is(b) {
			m.followers[b].base = append(m.followers[b].base, a)
		}
	}
	m.each(func(l *friends) { slices.Sort(l.base) })
	return m
}

// each calls fn with every list.
func (m *model) each(fn func(l *friends)) {
	for _, lists := range [...]map[uint32]*friends{m.following, m.followers} {
		for _, l := range lists {
			fn(l)
		}
	}
}

// bytes returns how much memory the lists take, about.
func (m *model) bytes() (sum int64) {
	m.each(func(l *friends) { sum += 128 + 4*int64(len(l.base)) })
	return sum
}

// apply changes the lists as an event does.
func (m *model) apply(e event) {
	for _, half := range [...]struct {
		list *friends
		with uint32
	}{{m.following[e.account], e.target}, {m.followers[e.target], e.account}} {
		if half.list == nil {
			continue
		}
		if half.list.changed == nil {
			half.list.changed = make(map[uint32]bool)
		}
		half.list.changed[half.with] = e.follow
	}
}

// accounts returns those of the list, ascending: borrowed, if nothing has changed.
func (l *friends) accounts() []uint32 {
	if len(l.changed) == 0 {
		return l.base
	}
	all := make([]uint32, 0, len(l.base)+len(l.changed))
	for _, a := range l.base {
		if _, changed := l.changed[a]; !changed {
			all = append(all, a)
		}
	}
	for a, in := range l.changed {
		if in {
			all = append(all, a)
		}
	}
	slices.Sort(all)
	return all
}

// contains reports whether an account is in the list.
func (l *friends) contains(account uint32) bool {
	if in, changed := l.changed[account]; changed {
		return in
	}
	_, in := slices.BinarySearch(l.base, account)
	return in
}

// answer returns what a question must be answered with, ascending and borrowed; of doesFollow, the
// target if so.
func (m *model) answer(q question) []uint32 {
	var lists []*friends
	switch q.kind {
	case doesFollow:
		if m.following[q.of[0]].contains(q.of[1]) {
			return []uint32{q.of[1]}
		}
		return nil
	case mutuals:
		lists = append(lists, m.following[q.of[0]], m.followers[q.of[0]])
	case followsFollowing:
		lists = append(lists, m.following[q.of[0]], m.followers[q.of[1]])
	default:
		of := m.following
		if q.kind == followers || q.kind == intersectFollowers {
			of = m.followers
		}
		for _, a := range q.of {
			lists = append(lists, of[a])
		}
	}
	slices.SortFunc(lists, func(a, b *friends) int {
		return len(a.base) + len(a.changed) - len(b.base) - len(b.changed)
	})
	all := lists[0].accounts()
	if len(lists) == 1 {
		return all
	}
	var common []uint32
	for _, a := range all {
		if !slices.ContainsFunc(lists[1:], func(l *friends) bool { return !l.contains(a) }) {
			common = append(common, a)
		}
	}
	return common
}

// event is a follow or its end.
type event struct {
	account, target uint32
	follow          bool
}

// event returns the i-th of the events that change the network: seven of ten are follows, mostly
// new ones, the others undo earlier ones or follows of the network. near are accounts that every
// other event is about.
func (c *chooser) event(i uint64, near []uint32) event {
	rng := rand.New(rand.NewPCG(c.Seed, 0xe7e17+i))
	draw := chooser{c.Network, rng, c.popular}
	account := draw.any()
	if len(near) > 0 && rng.IntN(2) == 0 {
		account = near[rng.IntN(len(near))]
	}
	switch kind := rng.IntN(10); {
	case kind < 7:
		return event{account, draw.followed(), true}
	case kind < 9 && i > 0:
		e := c.event(rng.Uint64N(i), near)
		e.follow = false
		return e
	default:
		return event{account, draw.first(account), false}
	}
}
