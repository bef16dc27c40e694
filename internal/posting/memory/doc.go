// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package memory counts what the indexes of a database hold against one bound. The page cache gives
// way to them. An index must answer two requests: to flush, and to look again.
package memory
