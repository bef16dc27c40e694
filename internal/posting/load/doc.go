// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package load is bulk loads: writes are gathered, sorted in memory and in temporary files, and
// merged into pages that become visible all at once. It knows the index that it loads into as a
// Host.
package load
