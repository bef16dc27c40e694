// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package redis

import (
	"context"
	"iter"
	"math/rand/v2"
	"strconv"

	"golang.org/x/sync/errgroup"
)

// allMembers is the key of the set of all members.
const allMembers = "all"

// membersPrime is above the number of members, and that of each.
const membersPrime = 1_000_000_007

// memberOf returns a member by its number. Members that follow each other have numbers far apart.
func memberOf(i int) string { return "user:" + strconv.Itoa(i*618_033_989%membersPrime) }

// scattered draws two sets of n members of all, ascending, half of which are common.
func scattered(n, all int) (first, second []int) {
	rng := rand.New(rand.NewPCG(uint64(n), uint64(all)))
	left := n + (n+1)/2
	drawn := 0
	for i := 0; left > 0; i++ {
		if rng.IntN(all-i) >= left { // of all-i, left are to be drawn
			continue
		}
		left--
		if drawn%3 != 0 {
			first = append(first, i)
		}
		if drawn%3 != 1 {
			second = append(second, i)
		}
		drawn++
	}
	return first, second
}

// How members are added: so many by a command, so many commands together, over so many connections.
const (
	addEach        = 100
	addTogether    = 100
	addConnections = 8
)

// add adds members to a set.
func (s *server) add(ctx context.Context, key string, members iter.Seq[int]) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(addConnections)
	send := func(batch []int) {
		g.Go(func() error {
			pipe := s.c.Pipeline()
			for from := 0; from < len(batch); from += addEach {
				var some []any
				for _, i := range batch[from:min(from+addEach, len(batch))] {
					some = append(some, memberOf(i))
				}
				pipe.SAdd(ctx, key, some...)
			}
			_, err := pipe.Exec(ctx)
			return err
		})
	}
	var batch []int
	for i := range members {
		if batch = append(batch, i); len(batch) == addEach*addTogether {
			send(batch)
			batch = nil
		}
		if ctx.Err() != nil {
			break
		}
	}
	if len(batch) > 0 {
		send(batch)
	}
	return g.Wait()
}
