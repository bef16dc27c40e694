// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package swar

// Each of these does what the function does whose name ends in Generic.

//go:noescape
func prefetchAVX2(b []byte)
