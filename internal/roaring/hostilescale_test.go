// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"encoding/binary"
	"testing"
	"time"

	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
	"github.com/uproar-db/uproar/internal/roaring/view"
)

// TestHostileScale makes every call on a hundred thousand containers in no order, over one payload:
// none may look at all of them for each of them.
func TestHostileScale(t *testing.T) {
	const large = 100_000 // where its square would be seen
	n := large
	if testing.Short() || roaringtest.RaceEnabled {
		n = roaringtest.Paced(n, 2000)
	}
	for order, c := range []struct {
		name string
		key  func(i int) uint64
	}{
		{"ascending", func(i int) uint64 { return uint64(i) }},
		{"one key", func(int) uint64 { return 7 }},
		{"descending", func(i int) uint64 { return uint64(n - i) }},
		{"to and fro", func(i int) uint64 { return uint64(i%2) * uint64(n-i) }},
	} {
		for kind, payload := range map[uint64][]byte{container.Array: {5, 0, 9, 0},
			container.Packed: {4, 0x55, 0x12, 0x34}} {
			if !roaringtest.Long() && n == large && (order%2 == 0) == (kind == container.Array) {
				continue // each order with one kind, and each kind in order and in none
			}
			body := binary.LittleEndian.AppendUint64(nil, view.TagDirectory|view.WidthsLoose<<8)
			for _, field := range []uint64{uint64(n), view.HeaderLoose + 8, uint64(n), 0} {
				body = binary.LittleEndian.AppendUint64(body, field)
			}
			body = append(append(body, payload...), 0, 0, 0, 0)
			for i := range n {
				body = binary.LittleEndian.AppendUint64(body, c.key(i)<<16|1)
				body = binary.LittleEndian.AppendUint64(body, view.HeaderLoose<<16|kind<<14|uint64(len(payload)-1))
			}
			v, err := view.OpenBody(body)
			if err != nil {
				t.Fatal(err)
			}
			if v.Len() != uint64(2*n) {
				t.Fatalf("%s: got %d values, want %d", c.name, v.Len(), 2*n)
			}
			start := roaringtest.ProcessorTime()
			exercise(t, v, v)
			t.Logf("%s, kind %d: %v", c.name, kind, (roaringtest.ProcessorTime() - start).Round(time.Millisecond))
		}
	}
}
