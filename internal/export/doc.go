// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package export writes rows of records as other programs read them: CSV, TSV, Parquet and
// Arrow. It knows columns and cells, and neither databases nor HTTP. Memory is that of
// some thousand rows, whatever their number.
package export
