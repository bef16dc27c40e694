// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package parquet reads Parquet files into an import of package audience. It is a package of its
// own, so that only readers of such files link the library for it.
package parquet
