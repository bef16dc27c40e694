// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package constellation answers the calls of constellation, which is asked what links to a subject,
// so that its callers need no change: those of blue.microcosm.links, and the older ones. It knows
// the records that a graph keeps with their keys: follows, blocks and list items. Every other
// question is an error, never an answer of nothing (docs/graph.md). An edge of which no record is
// known is one record in every count and total, as those of hidden accounts are; lists of records
// leave it out, for want of a key, and lists of DIDs have its account.
package constellation
