// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !linux && !darwin && !freebsd

package bboltstore

import "math"

// diskRoom returns that there is room: this system is not asked.
func diskRoom(string) int64 { return math.MaxInt64 }
