// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package benchwrite

import (
	"encoding/base32"
	"encoding/binary"
	"math"
	"strings"
)

// graph is a synthetic graph of follows: few accounts follow very many and few are followed by very
// many, as in social networks, and numbers that are near each other have nothing in common. It is a
// function of the seed, and takes no memory.
type graph struct {
	seed     uint64
	accounts int
}

// follow returns the i-th follow: the account, and the account that it follows. Some come twice.
func (g *graph) follow(i int64) (account, target int) {
	a, t := mix(g.seed+uint64(2*i)), mix(g.seed+uint64(2*i+1))
	// The square of an evenly spread number gives the first of n accounts a share of n^-1/2, the
	// cube n^-1/3 of all followers.
	u, v := unit(a), unit(t)
	return g.scatter(u*u, 1), g.scatter(v*v*v, 2)
}

// scatter returns an account for a number from 0 to 1, far from that of the next number.
func (g *graph) scatter(x float64, salt uint64) int {
	rank := min(uint64(x*float64(g.accounts)), uint64(g.accounts-1))
	return int((rank*stride(g.accounts) + salt*uint64(g.accounts)/3) % uint64(g.accounts))
}

// stride returns a number that has no divisor in common with n, and is about 0.618 of it.
func stride(n int) uint64 {
	for s := uint64(float64(n) * (math.Sqrt(5) - 1) / 2); ; s++ {
		if a, b := s, uint64(n); s > 0 {
			for b != 0 {
				a, b = b, a%b
			}
			if a == 1 {
				return s
			}
		}
	}
}

// unit returns a number from 0 to below 1.
func unit(x uint64) float64 { return float64(x>>11) / (1 << 53) }

var lower = base32.StdEncoding.WithPadding(base32.NoPadding)

// nameBytes is the length of an account's key.
const nameBytes = 32

// name returns the key of an account, an identifier as the AT Protocol gives them. 15 of its bytes
// are information.
func (g *graph) name(account int) string {
	var b [16]byte
	binary.BigEndian.PutUint64(b[:], mix(g.seed^uint64(account)<<1))
	binary.BigEndian.PutUint64(b[8:], mix(g.seed^uint64(account)<<1^1))
	return "did:plc:" + strings.ToLower(lower.EncodeToString(b[:15]))
}
