// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package groups compares groups and cross-tabs with DuckDB, in one run and on the same records. It
// checks that the answers are equal.
package groups
