// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build (!amd64 && !arm64) || purego

package swar

func prefetch(b []byte) { prefetchGeneric(b) }
