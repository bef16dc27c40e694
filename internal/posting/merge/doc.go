// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package merge makes new pages of old ones and edits: lists, columns, keys and values. It reads
// pages through a source and writes them in batches; which of them count is decided elsewhere.
package merge
