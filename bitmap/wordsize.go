// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitmap

import "math"

// An int has 64 bits: a compile-time check. Distances and sizes in packed containers are computed as ints, and those of values far from each other need more than 32 bits: sets were damaged without a word
// where there are no more.
const _ uint64 = math.MaxInt - math.MaxInt64
