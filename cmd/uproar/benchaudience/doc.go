// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package benchaudience makes a synthetic population of any size, the same on every machine, loads it, and measures what is asked of audiences.
package benchaudience
