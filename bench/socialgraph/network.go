// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package socialgraph

import (
	"errors"
	"fmt"
	"iter"
	"math"
)

// Network is a synthetic network of follows, the same for the same numbers. Activity and popularity
// follow power laws, as in social networks, and have nothing to do with each other. An account is a
// number below Accounts, which is also its rank by popularity: 0 has the most followers. Its key,
// see Key, tells nothing of that.
//
// A Network takes no memory; walking over its follows takes 4 bytes an account, and the window.
type Network struct {
	Accounts int
	Follows  int64
	Seed     uint64

	// Communities is how many groups accounts fall into. Inside is the share of follows, from 0 to
	// 1, that stay in the group of the one who follows. With 0 there are none: nothing but
	// popularity relates the lists of two accounts.
	Communities int
	Inside      float64

	// Star is the share of the accounts, from 0 to 1, that follow account 0 before anybody else.
	// With 0, account 0 has the followers that its popularity brings.
	Star float64
}

// Sizes are the networks that docs/benchmarks/graph.md measures. Small and Large are two of them.
var (
	Small = Network{Accounts: 550_000, Follows: 16_400_000, Seed: 1}
	Large = Network{Accounts: 5_500_000, Follows: 164_000_000, Seed: 1}
	Sizes = map[string]Network{"S": Small, "L": Large,
		"XL": {Accounts: 25_000_000, Follows: 1_410_000_000, Seed: 1},
		// some 35 million follow account 0
		"XXL": {Accounts: 43_000_000, Follows: 3_000_000_000, Seed: 1, Star: 0.8}}
)

const (
	// flatness makes the heads of the two distributions flatter: that of followers such that the
	// first account of Small has some 80 000 of them, that of follows such that the most active
	// account of Small follows some 11 000.
	flatPopularity = 2.5
	flatActivity   = 36
	// window is how many follows are shuffled among each other, so that the lines of an account lie
	// apart.
	window = 4 << 20
	// tries is how often a target is drawn, before the next account that is not followed yet is
	// taken.
	tries = 32
)

// Check fails for a network that cannot be.
func (n *Network) Check() error {
	switch {
	case n.Accounts < 2 || n.Accounts > math.MaxUint32 || n.Follows < 0:
		return fmt.Errorf("got %d accounts and %d follows, want 2 to %d accounts", n.Accounts, n.Follows,
			uint32(math.MaxUint32))
	case n.Inside < 0 || n.Inside > 1 || n.Communities < 0 || n.Communities > n.Accounts/2 || n.Inside > 0 &&
		n.Communities == 0:
		return fmt.Errorf("got %d communities with %g of all follows inside, want at most one for two accounts, and "+
			"a share from 0 to 1", n.Communities, n.Inside)
	case n.Star < 0 || n.Star > 1:
		return fmt.Errorf("got a share of %g that follows one account, want 0 to 1", n.Star)
	case int64(n.degree(0)) > int64(n.Accounts/2):
		return errors.New(
			"got too many follows for so few accounts: the most active one would follow more than half of them")
	}
	return nil
}

// spread is a power law over the ranks below n: the share of rank x falls with (x+flat)^-3/4.
type spread struct{ flat, low, high, n float64 }

func newSpread(n int, flat float64) spread {
	return spread{flat: flat, low: math.Sqrt(math.Sqrt(flat)), high: math.Sqrt(math.Sqrt(float64(n) + flat)),
		n: float64(n)}
}

// rank returns the rank at a share from 0 to below 1 of all.
func (s *spread) rank(share float64) uint32 {
	// The conversions keep processors that can from fusing operations, which would round otherwise,
	// and make another network.
	x := s.low + float64(share*(s.high-s.low))
	x = float64(x * x)
	return uint32(max(0, min(float64(x*x)-s.flat, s.n-1)))
}

// share returns the share of all ranks below one.
func (s *spread) share(rank int) float64 {
	return (math.Sqrt(math.Sqrt(float64(rank)+s.flat)) - s.low) / (s.high - s.low)
}

// degree returns how many accounts the one of a rank by activity follows. The sum over all ranks is
// Follows.
func (n *Network) degree(rank int) int {
	s := newSpread(n.Accounts, flatActivity)
	before := func(rank int) int64 {
		if rank == n.Accounts {
			return n.Follows
		}
		return int64(s.share(rank) * float64(n.Follows))
	}
	return int(before(rank+1) - before(rank))
}

// Degree returns how many accounts one follows.
func (n *Network) Degree(account uint32) int {
	activity := n.activity()
	return n.degree(activity.at(int(account)))
}

// Active returns the account of a rank by activity: 0 follows the most.
func (n *Network) Active(rank int) uint32 {
	activity := n.activity()
	return uint32(activity.inverse(rank))
}

func (n *Network) activity() permutation { return newPermutation(n.Accounts, n.Seed^0xac71) }

// All yields every follow once, account and target, in the order of the text. Nobody follows
// itself.
func (n *Network) All() iter.Seq2[uint32, uint32] {
	return func(yield func(account, target uint32) bool) {
		type follow struct{ account, target uint32 }
		waiting := make([]follow, 0, min(window, n.Follows))
		rng := random(n.Seed ^ 0x0bd3)
		for account, target := range n.grouped() {
			if int64(len(waiting)) < min(window, n.Follows) {
				waiting = append(waiting, follow{account, target})
				continue
			}
			out := &waiting[rng.below(len(waiting))]
			if !yield(out.account, out.target) {
				return
			}
			*out = follow{account, target}
		}
		for left := len(waiting); left > 0; left-- {
			at := rng.below(left)
			out := waiting[at]
			waiting[at] = waiting[left-1]
			if !yield(out.account, out.target) {
				return
			}
		}
	}
}

// grouped yields every follow once, those of an account together, accounts in no order.
func (n *Network) grouped() iter.Seq2[uint32, uint32] {
	return func(yield func(account, target uint32) bool) {
		order, activity, popular := newPermutation(n.Accounts, n.Seed^0x07de), n.activity(),
			newSpread(n.Accounts, flatPopularity)
		followed := make([]uint32, n.Accounts) // by whom last, +1
		for i := range n.Accounts {
			account := uint32(order.at(i))
			rng := random(mix(n.Seed ^ uint64(account)<<20))
			followed[account] = account + 1
			for k := range n.degree(activity.at(int(account))) {
				target := n.target(account, &popular, &rng)
				if k == 0 && n.admires(account) {
					target = 0
				}
				for try := 1; followed[target] == account+1; try++ {
					if try < tries {
						target = n.target(account, &popular, &rng)
					} else {
						target = (target + 1) % uint32(n.Accounts)
					}
				}
				followed[target] = account + 1
				if !yield(account, target) {
					return
				}
			}
		}
	}
}

// admires reports whether an account follows account 0 before anybody else.
func (n *Network) admires(account uint32) bool {
	rng := random(mix(n.Seed ^ 0x57a7 ^ uint64(account)<<24))
	return account > 0 && n.Star > 0 && rng.unit() < n.Star
}

// target draws whom an account follows.
func (n *Network) target(account uint32, popular *spread, rng *random) uint32 {
	target := popular.rank(rng.unit())
	if n.Inside > 0 && rng.unit() < n.Inside {
		groups := uint32(n.Communities)
		if near := target - target%groups + account%groups; near < uint32(n.Accounts) {
			return near
		}
	}
	return target
}
