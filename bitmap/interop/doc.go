// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package interop reads and writes the set formats of other libraries: the portable formats of
// RoaringFormatSpec (CRoaring, RoaringBitmap for Go, Java, Rust, …) and that of sroar (Dgraph,
// Weaviate).
//
// A set that was read from a portable file, and not changed, is written back as that file, byte for
// byte: see [RunsAsStored]. Bytes from outside are never trusted: what breaks the rules of a format
// is an error, and memory is bounded by a small multiple of the bytes. docs/interchange.md tells
// which library writes what.
package interop
