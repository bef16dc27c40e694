// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package benchwrite

import "math/rand/v2"

// randomText returns hexadecimal digits: bytes that can be compressed to half, and no further.
func randomText(seed uint64, n int) []byte {
	text := make([]byte, n)
	r := rand.New(rand.NewPCG(seed, 1))
	for i := 0; i < n; {
		for word, left := r.Uint64(), 16; left > 0 && i < n; i, left, word = i+1, left-1, word>>4 {
			text[i] = "0123456789abcdef"[word&15]
		}
	}
	return text
}

// mix returns a number that looks random, another one for each x (splitmix64, Steele, Lea and Flood
// 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
