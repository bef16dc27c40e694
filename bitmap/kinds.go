// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitmap

import (
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// Kinds says which containers a set has. What a set takes beside them is its directory.
type Kinds struct {
	Array, Bitset, Run, Packed Containers
}

// Containers are the containers of one kind: how many, how many values they have, and the bytes of
// their payloads.
type Containers struct {
	Count, Values, Bytes uint64
}

// Kinds counts the containers by kind, to show how a set is kept. A single value counts as an array
// of one. Cost: the directory; nothing is allocated.
func (v View) Kinds() Kinds {
	k := view.KindsOf(view.View(v))
	return Kinds{Containers(k.Array), Containers(k.Bitset), Containers(k.Run), Containers(k.Packed)}
}
