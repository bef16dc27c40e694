// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitmap

import (
	"iter"

	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/pair"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// Of returns the set of the given values, which may be in any order and repeat. It is packed as
// [Fastest].
func Of(values ...uint64) *Bitmap { return (*Bitmap)(pair.Of(values...)) }

// FromSorted returns the set of values, which should ascend; repeated values count once. Values
// that do not ascend are sorted, in a copy. The set is packed as [Fastest]. Beside the set itself
// nothing is allocated, once the package's builders are warm.
func FromSorted(values []uint64) *Bitmap { return (*Bitmap)(pair.FromSorted(values)) }

// AppendBody appends the smallest body of the set of values to dst and returns the longer slice.
// The body is as it stands in a page. The values should ascend, see [FromSorted]. Only dst is
// allocated, once the package's builders are warm.
func AppendBody(dst []byte, values []uint64) []byte { return pack.AppendBody(dst, values) }

// AppendChecked appends the stand-alone bytes of the set with a checksum to dst. It returns the
// longer slice. [View.Validate] verifies the checksum.
func (v View) AppendChecked(dst []byte) []byte { return pack.AppendChecked(view.View(v), dst) }

// Collect returns the set of the values of a sequence, which may be in any order and repeat. It is
// packed as [Fastest]. Beside the set it needs memory for 65 536 values.
func Collect(values iter.Seq[uint64]) *Bitmap { return (*Bitmap)(mutable.Collect(values)) }

// AddSeq puts the values of a sequence into the set, and returns how many were not there. They may
// come in any order and repeat. They are added as by [Bitmap.AddMany], up to 65 536 at a time. The
// sequence may read the set meanwhile, as its loops do: see [Bitmap.All].
func (b *Bitmap) AddSeq(values iter.Seq[uint64]) (added uint64) {
	return (*mutable.Bitmap)(b).AddSeq(values)
}
