// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package dump knows the format of backups: it writes and reads their heads and blocks, and puts
// them into an empty store (docs/format/backup.md). It knows catalogs and exports of indexes, and
// no database that is open.
package dump
