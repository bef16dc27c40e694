// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package mutable

import (
	"sync"

	"github.com/uproar-db/uproar/internal/roaring/pack"
)

// builders keeps builders with the memory that they have grown to: growing took most of the time in
// which a set of a hundred kilobytes was made.
var builders = sync.Pool{New: func() any { return new(pack.Builder) }}

// keptBuilder is the largest size in bytes of a set whose builder is kept.
const keptBuilder = 1 << 20

// Build returns the set that fill has appended to a builder. The builder is not to be used behind
// fill. Errors: those of fill.
func Build(layout pack.Layout, fill func(*pack.Builder) error) (*Bitmap, error) {
	b := builders.Get().(*pack.Builder)
	b.Reset()
	if err := fill(b); err != nil {
		return nil, err
	}
	set := NewBitmap(b, layout)
	if len(set.Bytes()) <= keptBuilder {
		builders.Put(b)
	}
	return set, nil
}
