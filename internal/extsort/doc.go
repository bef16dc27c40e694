// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package extsort sorts what may have no room in memory: runs that were sorted in memory wait there
// or in temporary files, and are merged (Knuth, The Art of Computer Programming 3, 5.4).
package extsort
