// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package binding says what batches and the leaves of queries mean in an index: it turns the names
// of fields, keys and values into numbers, and the numbers of an answer into keys. It knows the
// fields and one snapshot, and neither commits nor evaluates.
package binding
