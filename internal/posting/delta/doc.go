// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package delta holds the writes of an index that are not in pages yet: edits of lists in sorted
// levels, values, new keys, and what was deleted. One writer changes a Table; what it has published
// never changes, and is read without a lock.
package delta
