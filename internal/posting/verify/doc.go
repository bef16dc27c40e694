// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package verify checks everything that the pages of a snapshot promise: checksums, bitmaps,
// counts, and that lists, columns, keys and hashes agree with each other. It reads past the cache,
// and repairs nothing.
package verify
