// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package kerneltest is what the tests of kernels share: memory between pages that may not be
// touched, sets and payloads drawn at random, the comparison of functions in assembly with those
// that say what they do, and of all paths with plain Go.
//
// It knows no kernel, so that the tests of each may import it.
package kerneltest
