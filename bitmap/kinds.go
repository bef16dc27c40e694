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

// Containers are the containers of one kind: Count says how many, Values how many values they have,
// Bytes what their payloads take. All are uint64.
type Containers = view.Containers

// Kinds counts the containers by kind, to show how a set is kept. A single value counts as an array
// of one. Cost: the directory; nothing is allocated.
func (v View) Kinds() Kinds { return Kinds(view.KindsOf(view.View(v))) }
