// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package swar

// Prefetch asks for b to be brought near, and waits for nothing: bytes that lie far apart and are
// read one part after the other arrive before their turn. The processor sees by itself what comes
// next within a page.
//
// Nothing is read or written. Memory that is near should not be asked for: each 64 bytes cost some
// of what a read does.
func Prefetch(b []byte) { prefetch(b) }

// prefetchGeneric asks for nothing.
func prefetchGeneric([]byte) {}
