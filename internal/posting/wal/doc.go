// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package wal makes and parses the entries of the log: the commits of one write to the store, each
// with its keys, edits, values and deletions. It knows which bytes they are, and not when they are
// written.
package wal
