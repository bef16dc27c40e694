// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package eliasfano codes ascending lists near their entropy: blocks of lower parts at a fixed
// width and upper parts in unary, see [Packed]. It writes them, decodes them, finds, places and
// removes values in them, and compares them with each other and with arrays, without decoding where
// that pays.
//
// Bytes may be hostile, as package bitset says.
package eliasfano
