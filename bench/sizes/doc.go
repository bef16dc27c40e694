// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package sizes measures what databases of today hold: dense sets of half a billion people, a union
// of a hundred thousand sets of 64-bit values, and hundreds of millions of lists in one index. Each
// measurement makes its data, in any size, compares the answers with a plain computation, and
// prints the limit of the machine, measured in the same run, beside each figure.
package sizes
