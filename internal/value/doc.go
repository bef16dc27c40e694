// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package value turns numbers, days and times, as people and programs write them, into plain forms.
// Fields read the plain forms. Tables, batches and queries share the package, so that a value which
// can be imported can be asked for in the same words.
package value
