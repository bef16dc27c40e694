// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package memory counts what the indexes of a database hold, against one bound, and makes the cache
// of pages give way to it. It knows an index by what it asks of it: to flush, and to look again.
package memory
