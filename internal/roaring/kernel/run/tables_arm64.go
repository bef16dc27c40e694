// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package run

import "github.com/uproar-db/uproar/internal/roaring/kernel/swar"

// laneWeights is what each lane of a mask counts.
//
//lint:ignore U1000 assembly uses it
var laneWeights = swar.LaneWeights()
