// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package swar

// Prefetch asks for b to be brought near, and waits for nothing: bytes that lie far apart and are
// read one part after the other arrive before their turn. The processor sees by itself what comes
// next within a page.
//
// Nothing is read or written. Asking for memory that is near already has a cost, too, and should be
// avoided.
func Prefetch(b []byte) { prefetch(b) }

// prefetchGeneric asks for nothing.
func prefetchGeneric([]byte) {}
