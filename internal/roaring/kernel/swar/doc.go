// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package swar has what all kernels share: words that are loaded from bytes, loops within a word
// (SIMD within a register), and tables that assembly reads. It knows no container.
//
// All functions are small, so that they are compiled into the loops that call them.
package swar
