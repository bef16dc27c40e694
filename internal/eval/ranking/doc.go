// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package ranking finds the rows of a field that have the most records of a set, by count, lift or
// likeness, and the records that are in the most of some rows. All answers are exact.
package ranking
