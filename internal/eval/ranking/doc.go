// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package ranking finds the rows of a field that have the most records of a set. It ranks by count,
// lift or likeness. It also finds the records that are in the most of some rows. All answers are
// exact.
package ranking
