// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package intern finds keys among those that were given places one after the other. One goroutine
// adds keys, while others look for those that were there before, and wait for nobody.
package intern
