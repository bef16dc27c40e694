// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build (amd64 || arm64) && !purego

package bitset

import "github.com/uproar-db/uproar/internal/roaring/kernel/swar"

// zerosBefore has the zeros before each one of a byte.
//
//lint:ignore U1000 assembly uses it
var zerosBefore = swar.ZerosBefore()
