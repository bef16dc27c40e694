// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package model has the words that all of posting speaks: fields and their kinds, IDs and
// references to keys, edits of lists and of values, and the errors. It knows no stored byte, no
// store and no lock.
package model
