// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package swar

// HashFactor is 2^64 divided by the golden ratio (Knuth, The Art of Computer Programming 3, 6.4).
const HashFactor = 0x9E37_79B9_7F4A_7C15
