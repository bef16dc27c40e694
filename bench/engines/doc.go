// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package engines measures key-value engines beside each other and beside the disk alone: below the
// database, and by themselves. It prints the table by which the engine of databases is chosen.
package engines
