// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package pack writes the bodies of sets: a [Builder] takes values or blocks in ascending order,
// and chooses the form of the body and the kinds of its containers.
package pack
