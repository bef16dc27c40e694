// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package sorted has the inner loops over sorted lists of whole values: of 64 bits, of 32 bits
// (offsets), and of four to seven bytes each as they lie in a set (fixed lists). It compares two,
// and looks values up in lists and in bits.
//
// Bytes may be hostile, as package bitset says.
package sorted
