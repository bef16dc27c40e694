// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package value brings numbers, days and times, as people and programs write them, into the plain
// forms that fields read. Tables, batches and queries share it, so that a value which can be
// imported can be asked for in the same words.
package value
