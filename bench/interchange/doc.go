// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package interchange tests the formats that the bitmap package shares with its peers, against
// them. The peers are RoaringBitmap/roaring and roaring64, Dgraph's and Weaviate's sroar in the
// same process, and CRoaring through Python's pyroaring. Each writes files in the test that the
// other reads, and that are compared byte for byte.
package interchange
