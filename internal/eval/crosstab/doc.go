// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package crosstab groups the records of a set by the values of one to three fields, integers by
// bands. It counts tuples of values record by record, or tables of few rows list by list.
package crosstab
