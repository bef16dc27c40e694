// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !unix

package processor

import "time"

// Time returns -1: the time that the process has run is not known.
func Time() time.Duration { return -1 }
