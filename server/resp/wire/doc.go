// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package wire reads and writes the protocol of Redis, versions 2 and 3: commands as arrays or as
// lines of words, and replies. It knows no command.
//
// Nothing that arrives is trusted. Memory grows with the bytes that have arrived, never with a
// length that a client has only announced.
package wire
