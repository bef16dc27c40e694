// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package beside

// draw gives follows as they are in social networks: few accounts follow many, few are followed by
// many.
type draw struct{ accounts int }

func newDraw(accounts int) *draw { return &draw{accounts} }

// follow returns the follow of a number, always the same.
func (d *draw) follow(i uint64) follow {
	u, v := unit(2*i), unit(2*i+1)
	return follow{int(u * u * float64(d.accounts)), int(v * v * v * float64(d.accounts))}
}

// unit returns a number from 0 to below 1 that looks random (splitmix64, Steele, Lea and Flood
// 2014).
func unit(x uint64) float64 {
	x = (x + 1) * 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return float64((x^x>>31)>>11) / (1 << 53)
}
