// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package view

import (
	"github.com/uproar-db/uproar/internal/roaring/container"
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

// KindsOf counts the containers by kind. It shows how a set is kept. A single value counts as an
// array of one, a container that is decoded as a packed one. KindsOf reads the directory and
// allocates nothing.
func KindsOf(v View) (k Kinds) {
	for i := range v.Count() {
		c := &k.Array
		kind := v.KindAt(i)
		switch kind {
		case container.Bitset:
			c = &k.Bitset
		case container.Run:
			c = &k.Run
		case container.Packed:
			c = &k.Packed
		}
		c.Count, c.Values = c.Count+1, c.Values+uint64(v.CardAt(i))
		c.Bytes += uint64(payloadBytes(&v, i, kind))
	}
	return k
}

// payloadBytes returns the bytes of the payload of container i, without the first one of a packed
// container, which is its low width.
func payloadBytes(v *View, i int, kind uint8) int {
	if form := v.Form(); form != FormCompact && form != FormLoose {
		e := v.EntryAt(i)
		return len(e.Data)
	}
	_, _, data := v.PayloadAt(i)
	if kind == container.Packed {
		return max(len(data)-1, 0)
	}
	return len(data)
}

// Plus returns the sum of two counts.
func (k Kinds) Plus(o Kinds) Kinds {
	return Kinds{k.Array.plus(o.Array), k.Bitset.plus(o.Bitset), k.Run.plus(o.Run), k.Packed.plus(o.Packed)}
}

func (c Containers) plus(o Containers) Containers {
	return Containers{c.Count + o.Count, c.Values + o.Values, c.Bytes + o.Bytes}
}
