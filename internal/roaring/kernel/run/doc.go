// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package run has the inner loops over runs: pairs (start, length − 1) of little-endian uint16. It
// combines two lists of them, and runs with arrays and bitsets, and converts both.
//
// Bytes may be hostile, as package bitset says.
package run
