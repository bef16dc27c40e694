// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package schema knows what a database keeps about itself: which indexes and fields there are, how
// their names, numbers and values are written, and where the database comes from. It reads and
// writes these entries of the store, and knows no posting list.
package schema
