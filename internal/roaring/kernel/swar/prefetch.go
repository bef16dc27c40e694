// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package swar

// Prefetch asks for b to be brought near, and waits for nothing. Memory that has just been
// allocated is far away as a rule: its last owner used it before the collector ran. A copy to it
// waits for each page's first lines, as the processor looks no further than to the end of a page;
// asked for a page earlier, lines arrive in time, and the copy takes less than half.
//
// Nothing is read or written. Asking for memory that is near already has a cost, too, and should be
// avoided.
func Prefetch(b []byte) { prefetch(b) }

// prefetchGeneric asks for nothing.
func prefetchGeneric([]byte) {}
