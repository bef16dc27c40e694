// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package croaring calls CRoaring, the C library, for the comparison in package library. It is
// empty without the build tag croaring; `make croaring` fetches and compiles what it needs then,
// into the folder source, which is not kept in git.
//
// Loops over many sets or questions run in C, so that a call from Go, of some 40 ns, does not weigh
// on an answer of as many.
package croaring
