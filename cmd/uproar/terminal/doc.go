// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package terminal is how commands speak to people: consoles, progress, tables, sizes and times. It
// knows of no database.
package terminal
