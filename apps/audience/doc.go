// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package audience brings people, or whatever else is counted, into an index: one record for each line of a table, with fields that a schema declares. What is asked of them afterwards
// are questions of package uproar: a query selects an audience (Snapshot.Select), of which the top values of fields, groups and overlaps are answers.
package audience
