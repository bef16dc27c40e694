// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package store says what posting lists need of a key-value engine, and no more: read one value,
// walk a prefix in order, commit a batch.
//
// It speaks of bytes only and imports the standard library only. The back ends live in folders of
// their own, which are the only places that import their engines: memstore (in memory, for tests
// and throw-away indexes), bboltstore (one file, for databases that are read much and written
// little) and pebblestore (a log and sorted tables, for heavy writing). All of them run the
// conformance suite of package storetest, which checks every sentence of the contract below.
//
// # Keys and values
//
// A key is 1 to [MaxKey] bytes, any bytes; keys are ordered as [bytes.Compare] orders them. A value
// is 0 to [MaxValue] bytes; no value and an empty value are the same when written, and an empty
// value is an entry like any other when read. An empty key is refused with [ErrEmptyKey], on
// reading and on writing.
//
// # Optional powers
//
// What only some engines can do stands in small interfaces of its own, found by type assertion:
// [Sizer], [Spacer], [Compacter], [Pacer], [Ingester], [Verifier].
package store
