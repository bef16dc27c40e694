// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package shell asks a database line by line: with history and completion on a terminal, and from a
// pipe for scripts.
package shell
