// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/uproar-db/uproar/internal/posting/memory"
	"github.com/uproar-db/uproar/internal/posting/model"
)

// Cluster has the load give IDs to records that are related to the same ones next to each other,
// instead of in the order of their first appearance: lists are shorter then, and lie in fewer
// containers. It is to be called before anything is given to the load, which then takes pairs of
// one relation and nothing else (Relate), and needs memory for all keys. Records that the index has
// already keep their IDs, and those that come later get the IDs after.
//
// Pairs are sorted twice, and gone through some times to find communities: such a load takes about
// twice as long.
func (l *Loader) Cluster() error {
	if l.ended || l.err != nil || l.known.count > 0 || len(l.edits)+len(l.assigned) > 0 {
		return fmt.Errorf("%w: got a load that has begun, want a new one to cluster", model.ErrInvalid)
	}
	l.clusters, l.named = true, true
	return nil
}

// clusterKey is the memory that a key takes while its place is looked for, beside that of every
// load.
const clusterKey = 5*4 + 2*8

// gather keeps pairs of numbers of keys, whose IDs are given out at the end.
func (l *Loader) gather(p *pairBuffer, keys [][]byte) error {
	if l.raw == nil {
		l.raw = &pairBuffer{field: p.field, inverse: p.inverse}
		l.raw.Runs.memory, l.raw.turned.memory = l.memory/8, l.memory/8
	}
	switch taken := l.known.bytes + l.known.nextGrowth() + clusterKey*int64(l.known.count); {
	case l.raw.field != p.field:
		return fmt.Errorf("%w: got field %d, want the one relation %d of a load that clusters", model.ErrInvalid,
			p.field,
			l.raw.field)
	case taken > l.memory/2+int64(leastTable), l.known.count > mostNumbers-len(keys):
		return &memory.Error{Want: 2 * taken, Left: l.memory, Limit: l.memory}
	}
	l.numbers = l.known.addAll(l.numbers[:0], model.RecordSpace, keys, func(int, int) {})
	for i := 0; i < len(l.numbers); i += 2 {
		l.raw.Words = append(l.raw.Words, uint64(l.numbers[i])<<32|uint64(l.numbers[i+1]))
	}
	if int64(len(l.raw.Words))*loadPair > l.memory/4 {
		return l.hand(l.raw)
	}
	return l.ctx.Err()
}

// leastTable is the memory of the smallest table of keys.
const leastTable = 256 << 10

// arrange gives IDs to the keys gathered, and has their pairs go the way of those of other loads.
func (l *Loader) arrange() error {
	raw := l.raw
	if raw == nil {
		return nil
	}
	if err := l.hand(raw); err != nil {
		return err
	}
	if err := raw.Await(); err != nil {
		return err
	}
	raw.Words, raw.Spare, raw.Scratch = nil, nil, nil
	order, err := clusterOrder(l.ctx, l.known.count, &raw.Runs, &raw.turned)
	if err != nil {
		return err
	}
	var text []byte
	for _, number := range order {
		text = l.known.text(text[:0], int(number))
		l.await(model.RecordSpace, text)
		if err := l.makeRoom(); err != nil {
			return err
		}
	}
	if err := l.Name(); err != nil {
		return err
	}
	ids := make([]uint64, len(order))
	for i, number := range order {
		ids[number] = l.ids[i]
	}
	l.ids = ids
	for number := range order {
		l.edits = append(l.edits, model.Edit{Field: model.Exists, Set: true, Record: uint64(model.KeyRef) |
			uint64(number)})
		if err := l.makeRoom(); err != nil {
			return err
		}
	}
	p := l.Pairs[raw.field]
	err = raw.Runs.Merge(func(row uint32, records []uint32) error {
		for _, record := range records {
			p.Words = append(p.Words, uint64(row|NumberBit)<<32|uint64(record|NumberBit))
		}
		if int64(len(p.Words))*loadPair > l.memory/4 {
			if err := l.hand(p); err != nil {
				return err
			}
		}
		return l.ctx.Err()
	})
	return err
}

// clusterRounds is how often each direction is gone through to find communities.
const clusterRounds = 4

// clusterOrder returns the numbers below n, those of a community next to each other, the most
// popular first. Everybody begins with whom it follows that is most popular, and moves to the
// community that it has most neighbours in, in each direction in turn, beyond those that it would
// have by chance: the moves of the Louvain method (Blondel, Guillaume, Lambiotte, Lefebvre 2008),
// without which the most popular accounts would draw everybody together.
func clusterOrder(ctx context.Context, n int, runs, turned *PairRuns) ([]uint32, error) {
	labels, counts := make([]uint32, n), make([]uint32, n)
	follows, followers := clusterSide{degree: make([]uint32, n), sum: make([]uint64, n)},
		clusterSide{degree: make([]uint32, n), sum: make([]uint64, n)}
	err := turned.Merge(func(row uint32, records []uint32) error {
		followers.degree[row] = uint32(len(records))
		return ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	for i := range labels {
		labels[i] = uint32(i)
	}
	pairs := uint64(0)
	err = runs.Merge(func(row uint32, records []uint32) error {
		follows.degree[row] = uint32(len(records))
		pairs += uint64(len(records))
		labels[row] = slices.MaxFunc(records, func(a, b uint32) int {
			return cmp.Compare(followers.degree[a], followers.degree[b])
		})
		return ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	for i, l := range labels {
		follows.sum[l] += uint64(follows.degree[i])
		followers.sum[l] += uint64(followers.degree[i])
	}
	for range clusterRounds {
		for _, d := range [...]struct {
			lists      *PairRuns
			own, other *clusterSide
		}{{turned, &followers, &follows}, {runs, &follows, &followers}} {
			err := d.lists.Merge(func(row uint32, neighbours []uint32) error {
				for _, x := range neighbours {
					counts[labels[x]]++
				}
				by := float64(d.own.degree[row]) / float64(pairs) // of each label's sum falls to the row by chance
				best := labels[row]
				most := float64(counts[best]) - by*float64(d.other.sum[best])
				for _, x := range neighbours {
					if l := labels[x]; l != best && counts[l] > 0 {
						if gain := float64(counts[l]) - by*float64(d.other.sum[l]); gain > most {
							best, most = l, gain
						}
						counts[l] = 0
					}
				}
				for _, x := range neighbours {
					counts[labels[x]] = 0
				}
				follows.move(row, labels[row], best)
				followers.move(row, labels[row], best)
				labels[row] = best
				return ctx.Err()
			})
			if err != nil {
				return nil, err
			}
		}
	}
	for _, l := range labels {
		counts[l]++
	}
	order := make([]uint32, n)
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(a, b uint32) int {
		la, lb := labels[a], labels[b]
		return cmp.Or(cmp.Compare(counts[lb], counts[la]), cmp.Compare(la, lb),
			cmp.Compare(followers.degree[b], followers.degree[a]), cmp.Compare(a, b))
	})
	return order, nil
}

// clusterSide is one direction: how long the list of each account is, and the sum over each
// community.
type clusterSide struct {
	degree []uint32
	sum    []uint64
}

// move takes an account from a community to another one.
func (s *clusterSide) move(account, from, to uint32) {
	s.sum[from] -= uint64(s.degree[account])
	s.sum[to] += uint64(s.degree[account])
}
