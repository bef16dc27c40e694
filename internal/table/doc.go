// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package table reads the tables that are imported: separated values and JSON objects, one row a
// line. Every importer reads through it, so that all of them take the same files.
//
// It decompresses, skips a byte order mark, finds the separator and the line ends, and tells what a
// file is that it does not read. Text that cannot be taken apart for certain is an error, never a
// shorter table.
//
// Three kinds of errors come out of it. A [*LineError] is about one line: reading goes on behind
// it. A [*FormatError], [*DamageError], [*QuoteError] or [*ColumnError] is about the table. Every
// other error is that of the reader underneath. None of them names this package: the application
// that reads puts its own name before.
package table
