// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
)

// TestEveryOperationIsExercised: every operation of package bitmap, which has those of this one by
// the same names, and of package container is called on hostile bytes.
func TestEveryOperationIsExercised(t *testing.T) {
	var ran []string
	for _, c := range setCalls() {
		ran = append(ran, c.Name)
	}
	for _, c := range readCalls() {
		ran = append(ran, c.Name)
	}
	roaringtest.CheckExercised(t, ran, []string{"../../bitmap", "container"},
		[]string{".", "view", "pack", "mutable", "pair", "container", "../../bitmap"},
		slices.Concat(partsOfBitmap, roaringtest.Marshalled))
}

// partsOfBitmap are the operations of package container that take a block apart for this package.
// They are no operations on sets: hostile bytes come to them through the calls of others.
var partsOfBitmap = []string{"Block.Words", "Scratch.Combine", "Scratch.Holds", "ArrayBlock", "BitsetBlock",
	"RunBlock", "AndLenOf", "IntersectsOf", "Pair", "NextLow", "PreviousLow", "Fill", "OfWords", "WithKey", "EdgeCount",
	"IsCoded", "Fits", "Decode"}
