// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build (amd64 || arm64) && !purego

package run

import "github.com/uproar-db/uproar/internal/roaring/kernel/swar"

// together has the shuffles that move lanes of 16 bits together.
//
//lint:ignore U1000 assembly uses it
var together = swar.Together()
