// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package exported writes an index into a store from what an export gave of another one. It trusts
// no entry: each is checked, and compared with what the entries before it say.
//
// It knows how an index lies in a store, and nothing of an index that is open.
package exported

import "errors"

// Mark says how far an export reaches. A later one of the same index goes on from there.
type Mark struct {
	Sequence   uint64 // of the last commit in it
	Flushed    uint64 // the log up to this number is in its pages
	Generation uint64 // greater than that of each of its pages, and at most that of each page that came later
	Tail       uint32 // the checksum of the log entry that ends with that commit; 0 where it was no longer kept
}

// ErrOtherHistory is matched when an export is to continue from a mark that the index never
// reached.
var ErrOtherHistory = errors.New("exported: the index has another history")
