// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package database is what commands work on: a database in a folder, or one that a server has open.
package database
