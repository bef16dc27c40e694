// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package benchgraph

import (
	"math/rand/v2"
	"slices"
)

// model holds the lists of some accounts, made from the follows of the network: what questions about them must be answered with.
type model struct {
	following, followers map[uint32]map[uint32]bool
}

// newModel returns the lists of the accounts of questions. It walks over the whole network.
func (n *Network) newModel(questions []question) *model {
	m := &model{following: make(map[uint32]map[uint32]bool), followers: make(map[uint32]map[uint32]bool)}
	for _, q := range questions {
		for _, a := range q.of {
			m.following[a], m.followers[a] = make(map[uint32]bool), make(map[uint32]bool)
		}
	}
	wanted := make([]uint64, (n.Accounts+63)/64)
	for a := range m.following {
		wanted[a/64] |= 1 << (a % 64)
	}
	for a, b := range n.grouped() {
		if wanted[a/64]>>(a%64)&1 != 0 {
			m.following[a][b] = true
		}
		if wanted[b/64]>>(b%64)&1 != 0 {
			m.followers[b][a] = true
		}
	}
	return m
}

// apply changes the lists as an event does.
func (m *model) apply(e event) {
	for _, half := range [...]struct {
		list map[uint32]bool
		with uint32
	}{{m.following[e.account], e.target}, {m.followers[e.target], e.account}} {
		switch {
		case half.list == nil:
		case e.follow:
			half.list[half.with] = true
		default:
			delete(half.list, half.with)
		}
	}
}

// answer returns what a question must be answered with, ascending; of doesFollow, the target if so.
func (m *model) answer(q question) []uint32 {
	var lists []map[uint32]bool
	switch q.kind {
	case doesFollow:
		if m.following[q.of[0]][q.of[1]] {
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
	slices.SortFunc(lists, func(a, b map[uint32]bool) int { return len(a) - len(b) })
	var all []uint32
	for a := range lists[0] {
		if !slices.ContainsFunc(lists[1:], func(l map[uint32]bool) bool { return !l[a] }) {
			all = append(all, a)
		}
	}
	slices.Sort(all)
	return all
}

// event is a follow or its end.
type event struct {
	account, target uint32
	follow          bool
}

// event returns the i-th of the events that change the network: seven of ten are follows, mostly new ones, the others undo earlier ones or follows of the
// network. near are accounts that every other event is about.
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
