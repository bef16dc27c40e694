// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/kernel"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
)

var kindNames = [...]string{"array", "bitset", "run", "packed"}

// packed annotates a packed block that ends at a given byte.
func (g *golden) packed(p kernel.Packed, end int) {
	var values []uint64
	it := p.Iter()
	for d, ok := it.Next(); ok; d, ok = it.Next() {
		values = append(values, d)
	}
	upper := 8*len(p.Block) - p.N*int(p.Low)
	g.take(end-g.at, "packed block: %d upper bits, %d × %d lower bits: %s", upper, p.N, p.Low, roaringtest.Few(values))
}

// payload annotates the payload of container i.
func (g *golden) payload(v *View, i int) {
	e := v.entryAt(i)
	what := fmt.Sprintf("payload of key %d, %s", e.key, kindNames[e.kind])
	block := container.Block{Key: e.key, Data: e.data, N: int32(e.n), Kind: e.kind}
	switch e.kind {
	case container.Packed:
		g.take(1, "%s: low width %d", what, e.low)
		g.packed(e.packed(), g.at+len(e.data))
	case container.Run:
		var runs [][2]int
		for j := range len(e.data) / 4 {
			lo, hi := kernel.Run(e.data, j)
			runs = append(runs, [2]int{lo, hi - 1})
		}
		g.take(len(e.data), "%s: first and last %s", what, roaringtest.Few(runs))
	default:
		g.take(len(e.data), "%s: %s", what, roaringtest.Few(block.AppendLow(nil)))
	}
}

func (g *golden) compact(v *View) {
	g.take(1, "directory")
	g.take(1, "compact: keys of %d bytes, ends of %d", v.kw(), v.ow())
	g.take(int(v.kw()), "count − 1: %d containers", v.count())
	for i := range v.count() {
		g.take(int(v.kw()), "key %d", v.keyAt(i))
	}
	for i := range v.count() {
		g.take(2, "cardinality − 1: %d values", v.cardAt(i))
	}
	end := 0
	for i := range v.count() {
		e := v.entryAt(i)
		end += e.size()
		g.take(int(v.ow()), "end %d, %s", end, kindNames[e.kind])
	}
	for i := range v.count() {
		g.payload(v, i)
	}
}

func (g *golden) loose(v *View, start int) {
	body := v.Body()
	room := binary.LittleEndian.Uint64(body[looseRoomAt:])
	g.take(8, "directory, loose")
	g.take(8, "count: %d containers", v.count())
	g.take(8, "directory at body byte %d, which is byte %d", v.directory(), start+v.directory())
	g.take(8, "room for %d entries", room)
	g.take(8, "hole bytes: %d", binary.LittleEndian.Uint64(body[looseHolesAt:]))
	// What lies where: the directory is -1.
	type region struct{ off, container int }
	regions := []region{{v.directory(), -1}}
	for i := range v.count() {
		second := binary.LittleEndian.Uint64(body[v.directory()+i*entryBytes+8:])
		regions = append(regions, region{int(second >> 16), i})
	}
	slices.SortFunc(regions, func(a, b region) int { return a.off - b.off })
	for _, r := range regions {
		g.take(start+r.off-g.at, "hole")
		if r.container >= 0 {
			e := v.entryAt(r.container)
			g.payload(v, r.container)
			g.take(int(roomFor(uint64(e.size())))-e.size(), "rest of the room")
			continue
		}
		for i := range v.count() {
			e := v.entryAt(i)
			g.take(8, "key %d, %d values", e.key, e.n)
			second := binary.LittleEndian.Uint64(body[v.directory()+i*entryBytes+8:])
			g.take(8, "at body byte %d, %s, %d bytes", second>>16, kindNames[e.kind], e.size())
		}
		g.take((int(room)-v.count())*entryBytes, "unused entries")
	}
	g.take(start+len(body)-g.at, "hole")
}
