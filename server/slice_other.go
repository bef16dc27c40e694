// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !linux

package server

import "time"

// shortenSlices does nothing: threads cannot ask for slices here.
func shortenSlices(time.Duration) error { return nil }

func yield() {}
