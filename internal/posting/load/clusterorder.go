// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"cmp"
	"context"
	"slices"
)

// clusterRounds is how often each direction is gone through to find communities.
const clusterRounds = 4

// clusterOrder returns the numbers below n ordered by community, the most popular first. Each
// member begins with the most popular one it follows. It then moves to the community with most of
// its neighbours beyond chance, in each direction in turn. These are the moves of the Louvain
// method (Blondel, Guillaume, Lambiotte, Lefebvre 2008). Without the correction for chance, the
// most popular accounts would draw everybody together.
func clusterOrder(ctx context.Context, n int, runs, turned *pairRuns) ([]uint32, error) {
	labels, counts := make([]uint32, n), make([]uint32, n)
	follows, followers := clusterSide{degree: make([]uint32, n), sum: make([]uint64, n)},
		clusterSide{degree: make([]uint32, n), sum: make([]uint64, n)}
	err := turned.merge(func(row uint32, records []uint32) error {
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
	err = runs.merge(func(row uint32, records []uint32) error {
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
			lists      *pairRuns
			own, other *clusterSide
		}{{turned, &followers, &follows}, {runs, &follows, &followers}} {
			err := d.lists.merge(func(row uint32, neighbours []uint32) error {
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
