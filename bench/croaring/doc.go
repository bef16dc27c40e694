// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package croaring calls CRoaring, the C library, for the comparison in package library. It is
// empty without the build tag croaring; `make croaring` fetches and compiles what it needs then,
// into the folder source, which is not kept in git.
//
// Loops over many sets or questions run in C: the cost of a call from Go would outweigh a short
// answer.
package croaring
