// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package hugepage asks the system to keep memory that is there anyway in huge pages: the
// processor's table of addresses (TLB) has one entry for each, where it would have hundreds.
// Nothing is allocated, moved to another address or kept alive by it, so that it can be asked for
// memory of the garbage collector.
package hugepage

import "errors"

// ErrRefused says that the system did not do it: it has no huge page left, does not want any here,
// or does not know how. Asking again later is fine.
var ErrRefused = errors.New("hugepage: refused")

// largest is the largest huge page that is asked for: memory that is in use wholly over more than
// that is rare.
const largest = 4 << 20
