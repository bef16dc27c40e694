// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !linux && !darwin && !freebsd

package pebblestore

import "math"

// diskRoom returns that there is room: this system is not asked.
func diskRoom(string) int64 { return math.MaxInt64 }

// filesRoom returns that there is room: this system is not asked.
func filesRoom(string) int64 { return math.MaxInt64 }
