// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package wire has the sources of live events: Jetstream, in both forms that there are, and tap.
//
//	source, err := wire.Open("jetstream2://jetstream.example.com")
//
// What a server sends is not trusted: a frame that cannot be read is counted, and changes nothing.
package wire
