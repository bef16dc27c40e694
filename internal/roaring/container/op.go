// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package container

// Op is a set operation on two operands as its truth table: bit 2·(in a) + (in b) says whether such
// a value is in the result.
type Op uint

// The four operations.
const (
	And    Op = 0b1000
	Or     Op = 0b1110
	AndNot Op = 0b0100
	Xor    Op = 0b0110
)
