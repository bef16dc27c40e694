// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/eliasfano"
	"github.com/uproar-db/uproar/internal/roaring/kernel/run"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

var kindNames = [...]string{"array", "bitset", "run", "packed"}

// packed annotates a packed block that ends at a given byte.
func (g *golden) packed(p eliasfano.Packed, end int) {
	var values []uint64
	it := p.Iter()
	for d, ok := it.Next(); ok; d, ok = it.Next() {
		values = append(values, d)
	}
	upper := 8*len(p.Block) - p.N*int(p.Low)
	g.take(end-g.at, "packed block: %d upper bits, %d × %d lower bits: %s", upper, p.N, p.Low, roaringtest.Few(values))
}

// payload annotates the payload of container i.
func (g *golden) payload(v *view.View, i int) {
	e := v.EntryAt(i)
	what := fmt.Sprintf("payload of key %d, %s", e.Key, kindNames[e.Kind])
	block := container.Block{Key: e.Key, Data: e.Data, N: int32(e.N), Kind: e.Kind}
	switch e.Kind {
	case container.Packed:
		g.take(1, "%s: low width %d", what, e.Low)
		g.packed(e.Packed(), g.at+len(e.Data))
	case container.Run:
		var runs [][2]int
		for j := range len(e.Data) / 4 {
			lo, hi := run.At(e.Data, j)
			runs = append(runs, [2]int{lo, hi - 1})
		}
		g.take(len(e.Data), "%s: first and last %s", what, roaringtest.Few(runs))
	default:
		g.take(len(e.Data), "%s: %s", what, roaringtest.Few(block.AppendLow(nil)))
	}
}

func (g *golden) compact(v *view.View) {
	g.take(1, "directory")
	g.take(1, "compact: keys of %d bytes, ends of %d", v.Kw(), v.Ow())
	g.take(int(v.Kw()), "count − 1: %d containers", v.Count())
	for i := range v.Count() {
		g.take(int(v.Kw()), "key %d", v.KeyAt(i))
	}
	for i := range v.Count() {
		g.take(2, "cardinality − 1: %d values", v.CardAt(i))
	}
	end := 0
	for i := range v.Count() {
		e := v.EntryAt(i)
		end += e.Size()
		g.take(int(v.Ow()), "end %d, %s", end, kindNames[e.Kind])
	}
	for i := range v.Count() {
		g.payload(v, i)
	}
}

func (g *golden) loose(v *view.View, start int) {
	body := v.Body()
	room := binary.LittleEndian.Uint64(body[view.LooseRoomAt:])
	g.take(8, "directory, loose")
	g.take(8, "count: %d containers", v.Count())
	g.take(8, "directory at body byte %d, which is byte %d", view.Directory(v), start+view.Directory(v))
	g.take(8, "room for %d entries", room)
	g.take(8, "hole bytes: %d", binary.LittleEndian.Uint64(body[view.LooseHolesAt:]))
	// What lies where: the directory is -1.
	type region struct{ off, container int }
	regions := []region{{view.Directory(v), -1}}
	for i := range v.Count() {
		second := binary.LittleEndian.Uint64(body[view.Directory(v)+i*view.EntryBytes+8:])
		regions = append(regions, region{int(second >> 16), i})
	}
	slices.SortFunc(regions, func(a, b region) int { return a.off - b.off })
	for _, r := range regions {
		g.take(start+r.off-g.at, "hole")
		if r.container >= 0 {
			e := v.EntryAt(r.container)
			g.payload(v, r.container)
			g.take(int(view.RoomFor(uint64(e.Size())))-e.Size(), "rest of the room")
			continue
		}
		for i := range v.Count() {
			e := v.EntryAt(i)
			g.take(8, "key %d, %d values", e.Key, e.N)
			second := binary.LittleEndian.Uint64(body[view.Directory(v)+i*view.EntryBytes+8:])
			g.take(8, "at body byte %d, %s, %d bytes", second>>16, kindNames[e.Kind], e.Size())
		}
		g.take((int(room)-v.Count())*view.EntryBytes, "unused entries")
	}
	g.take(start+len(body)-g.at, "hole")
}
