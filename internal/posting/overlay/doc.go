// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package overlay reads a posting list as pages and deltas together say it: it walks over its
// blocks, and intersects and counts two lists without merging them. It reads memory only: no store,
// no lock, no context.
package overlay
