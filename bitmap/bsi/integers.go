// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bsi

import (
	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/internal/roaring"
)

// Integers holds a signed 64-bit integer for each of a set of records, as one set of record IDs for
// each bit of the integers: a bit-sliced index (O'Neil & Quass 1997). Questions about all records,
// such as which have at least 100 or what the sum is, read a set per bit instead of a number per
// record.
//
// An integer is stored as its distance from a common base, in as many bits as the largest distance
// needs: 1 000 timestamps of one day take 17 slices. An Integers changes in place: Set and Clear
// add to and remove from its sets. Questions are asked of its [Integers.View]; what is written once
// and read often is better kept in serialized form: see [View.Append].
//
// The zero value has no records and is ready for use. An Integers may be read from any number of
// goroutines as long as nobody changes it; views taken from it are valid until the next change. It
// must not be copied once it is in use.
type Integers roaring.Sliced

// View returns the integers as a View, which borrows the sets until the next change. It costs
// nothing.
func (s *Integers) View() View { return View((*roaring.Sliced)(s).View()) }

// Len returns the number of records that have an integer.
func (s *Integers) Len() uint64 { return (*roaring.Sliced)(s).Len() }

// Value returns the integer of a record; ok is false if it has none.
func (s *Integers) Value(id uint64) (value int64, ok bool) { return (*roaring.Sliced)(s).Value(id) }

// Set gives a record an integer, in place of the one that it may have.
//
// It costs an Add or Remove per slice. An integer out of the range so far makes slices: an empty
// one for each further bit above, a copy of the set of records for each power of two that the base
// goes down; at most 64 in the life of an Integers. Once the base may have to pass the smallest
// int64, and all slices are rewritten.
func (s *Integers) Set(id uint64, value int64) { (*roaring.Sliced)(s).Set(id, value) }

// Clear takes the integer of a record away and reports whether it had one. It costs a Remove per
// slice.
func (s *Integers) Clear(id uint64) bool { return (*roaring.Sliced)(s).Clear(id) }

// Pack rewrites all sets with the layout given, and with the base and number of slices that suit
// the integers: the smallest one and as many as the bits of the difference between the largest and
// the smallest.
func (s *Integers) Pack(layout bitmap.Layout) { (*roaring.Sliced)(s).Pack(roaring.Layout(layout)) }

// Clone returns a copy. It allocates the sets.
func (s *Integers) Clone() *Integers { return (*Integers)((*roaring.Sliced)(s).Clone()) }
