// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package rowcount counts the records of a set in every row of a field. It knows three ways, over
// lists, a value column or the rest of one, and what each costs.
package rowcount
