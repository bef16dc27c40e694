// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package container knows the part of a set inside one chunk of 65 536 values: its kinds, and what
// two of them have in common.
//
// A [Block] is an array, a bitset or runs. It borrows its bytes. A [Scratch] holds the bytes of
// blocks that are computed. This package has the algebra of every pair of kinds. Package pair
// copies it for kinds whose result can be written where it is to lie. It knows neither how sets are
// laid out nor where they are stored.
package container
