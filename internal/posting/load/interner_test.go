// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
)

// randomKey returns a key of one of the forms that a table stores differently, or near one.
func randomKey(rng *rand.Rand, n int) string {
	text := []byte(format.DIDPrefix)
	for range format.DidDigits {
		text = append(text, format.Base32[rng.IntN(len(format.Base32))])
	}
	switch rng.IntN(8) {
	case 0:
		text[len(format.DIDPrefix)+rng.IntN(format.DidDigits)] = "189AZ`{/:\x00\xff"[rng.IntN(11)] // next to digits
		return string(text)
	case 1:
		return strings.Repeat("\x00", rng.IntN(17)) + strings.Repeat("x", rng.IntN(3))
	case 2:
		return fmt.Sprint(rng.IntN(n))
	case 3:
		return fmt.Sprint("a longer key, number ", rng.IntN(n))
	case 4:
		return strings.Repeat("long", rng.IntN(textChunk/4-1))[:rng.IntN(3)*rng.IntN(20)]
	case 5:
		return string(text[:rng.IntN(len(text))])
	}
	return string(text)
}

// TestInternerGivesEachKeyItsNumber numbers random keys of several spaces, some of them again and
// again.
func TestInternerGivesEachKeyItsNumber(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 4))
	table, want := newInterner(), make(map[model.SpaceKey]int)
	var seen []model.SpaceKey
	for range 30_000 {
		k := model.SpaceKey{Space: []uint32{model.RecordSpace, model.RecordSpace, 5, 13}[rng.IntN(4)]}
		if k.Key = randomKey(rng, 3000); len(seen) > 0 && rng.IntN(3) == 0 {
			k = seen[rng.IntN(len(seen))]
		}
		n, known := want[k]
		if !known {
			n = len(want)
			want[k] = n
			seen = append(seen, k)
		}
		if got, first := table.add(k.Space, []byte(k.Key)); got != n || first == known {
			t.Fatalf("%d %q: got number %d, new: %v; want %d, %v", k.Space, k.Key, got, first, n, !known)
		}
	}
	var texts [][]byte
	for n, k := range seen {
		if got := string(table.text(nil, n)); got != k.Key {
			t.Fatalf("number %d: got text %q, want %q", n, got, k.Key)
		}
		if k.Space == model.RecordSpace {
			texts = append(texts, []byte(k.Key))
		}
	}
	texts = append(texts, []byte("new"), []byte("new"))
	var fresh []int
	for i, n := range table.addAll(nil, model.RecordSpace, texts, func(i, n int) { fresh = append(fresh, i, n) }) {
		if number, known := want[model.SpaceKey{Space: model.RecordSpace, Key: string(texts[i])}]; known &&
			number != n || !known &&
			n != len(want) {
			t.Errorf("%q: got %d, want %d", texts[i], n, number)
		}
	}
	if len(fresh) != 2 || fresh[0] != len(texts)-2 || fresh[1] != len(want) {
		t.Errorf("got new keys %v, want the last but one", fresh)
	}
}

// FuzzPackDigits: eight bytes at a time are what they are one by one.
func FuzzPackDigits(f *testing.F) {
	f.Add(uint64(0x6161616161616161))
	f.Add(uint64(0x32377a6162377a61))
	f.Fuzz(func(t *testing.T, x uint64) {
		want, valid := uint64(0), true
		for shift := 56; shift >= 0; shift -= 8 {
			d, ok := format.Base32Digit(byte(x >> shift))
			want, valid = want<<5|uint64(d), valid && ok
		}
		if got, ok := packDigits(x); ok != valid || ok && got != want {
			t.Errorf("%016x: got %x, %v; want %x, %v", x, got, ok, want, valid)
		}
	})
}

// BenchmarkInterner measures a look-up among many DIDs, 2048 at a time.
func BenchmarkInterner(b *testing.B) {
	for _, n := range []int{500_000, 5_000_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			rng := rand.New(rand.NewPCG(1, 4))
			table, all := newInterner(), make([][]byte, n)
			for i := range all {
				all[i] = []byte(format.DIDPrefix)
				for range format.DidDigits {
					all[i] = append(all[i], format.Base32[rng.IntN(32)])
				}
				table.add(model.RecordSpace, all[i])
			}
			texts, numbers := make([][]byte, relateGroup), make([]int, 0, relateGroup)
			b.ReportMetric(float64(table.bytes)/float64(n), "B/key")
			for b.Loop() {
				b.StopTimer()
				for i := range texts {
					texts[i] = all[rng.IntN(n)]
				}
				b.StartTimer()
				numbers = table.addAll(numbers[:0], model.RecordSpace, texts, func(int, int) {})
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/relateGroup, "ns/key")
		})
	}
}
