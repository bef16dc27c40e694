// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package swar

//go:noescape
func prefetchAVX2(b []byte)
