// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package format

import (
	"encoding/hex"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/posting/model"
)

// follows draws the keys of an actor: bursts of follows, of a server with few clocks.
func follows(r *rand.Rand, n, burst int, spread, within float64) (keys []model.EdgeKey) {
	micros := uint64(1_700_000_000_000_000)
	clock := uint64(r.IntN(32))
	for i := range n {
		if i%burst == 0 {
			micros += uint64(r.ExpFloat64() * spread)
		}
		if r.IntN(50) == 0 {
			clock = uint64(r.IntN(32))
		}
		micros += 1 + uint64(r.ExpFloat64()*within)
		keys = append(keys, model.EdgeKey{Key: micros<<10 | clock, Target: r.Uint64N(25_000_000)})
	}
	return keys
}

// mustReturn fails unless a body gives back the keys it was made of.
func mustReturn(t *testing.T, keys []model.EdgeKey) []byte {
	t.Helper()
	body := AppendEdgeKeyBody(nil, keys)
	got, ok := AppendEdgeKeys(nil, body)
	if !ok || !slices.Equal(got, keys) {
		t.Fatalf("got %v %v, want %v", ok, got, keys)
	}
	mustFind(t, body, keys)
	if n := EdgeKeyCount(body); n != uint64(len(keys)) {
		t.Errorf("got count %d, want %d", n, len(keys))
	}
	return body
}

// mustFind fails unless each key is found in a body, and others are not.
func mustFind(t *testing.T, body []byte, keys []model.EdgeKey) {
	t.Helper()
	for _, k := range keys {
		for _, key := range []uint64{k.Key, k.Key + 1, k.Key - 1} {
			var want []model.EdgeKey
			from, _ := slices.BinarySearchFunc(keys, model.EdgeKey{Key: key}, model.EdgeKey.Compare)
			for ; from < len(keys) && keys[from].Key == key; from++ {
				want = append(want, keys[from])
			}
			if got, ok := FindEdgeKey(nil, body, key); !ok || !slices.Equal(got, want) {
				t.Fatalf("key %d: got %v, %v, want %v", key, got, ok, want)
			}
		}
	}
}

// TestEdgeKeysReturn lays keys of all kinds out and reads them again.
func TestEdgeKeysReturn(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	tid := func(micros, clock, target uint64) model.EdgeKey {
		return model.EdgeKey{Key: micros<<10 | clock, Target: target}
	}
	for _, keys := range [][]model.EdgeKey{
		{{Key: 0, Target: 0}}, {{Key: model.FirstTID - 1, Target: model.MaxEdgeID}}, {{Key: model.FirstTID}},
		{tid(1<<53-1, 1022, 5)},
		{tid(1<<30, 0, 1), tid(1<<30, 0, 2), tid(1<<30, 1, 0), tid(1<<53-1, 1022, 3)},
		{{Key: 0, Target: 9}, {Key: 0, Target: 10}, {Key: 7, Target: 1}, tid(1<<50, 3, 2)},
	} {
		mustReturn(t, keys)
	}
	for range 300 {
		var keys []model.EdgeKey
		for range 1 + r.IntN(200) {
			key := r.Uint64() >> (1 + r.IntN(63))
			keys = append(keys, model.EdgeKey{Key: min(key, model.EdgeGone-1), Target: r.Uint64() >> (33 + r.IntN(31))})
		}
		slices.SortFunc(keys, model.EdgeKey.Compare)
		mustReturn(t, slices.Compact(keys))
	}
}

// TestEdgeKeySizes bounds what a key takes in the shapes that accounts have.
func TestEdgeKeySizes(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, c := range []struct {
		name           string
		n, burst       int
		spread, within float64
		most           float64 // bytes a key, with its target of 25 bits
	}{
		{"bursts of 6", 500, 6, 700 * 86400e6 * 6 / 500, 12e6, 7.6},
		{"of 2", 500, 2, 700 * 86400e6 * 2 / 500, 30e6, 8.0},
		{"of 20", 500, 20, 700 * 86400e6 * 20 / 500, 6e6, 7.1},
		{"long", 2000, 6, 700 * 86400e6 * 6 / 2000, 12e6, 7.6},
		{"short", 20, 2, 700 * 86400e6 * 2 / 20, 30e6, 9.2},
	} {
		bytes := 0
		for range 50 {
			bytes += len(AppendEdgeKeyBody(nil, follows(r, c.n, c.burst, c.spread, c.within)))
		}
		each := float64(bytes) / float64(50*c.n)
		t.Logf("%s: %.2f bytes a key", c.name, each)
		if each > c.most {
			t.Errorf("%s: got %.2f bytes a key, want at most %.2f", c.name, each, c.most)
		}
	}
}

// TestEdgeKeyBytes: the bytes of the format stay.
func TestEdgeKeyBytes(t *testing.T) {
	body := AppendEdgeKeyBody(nil, []model.EdgeKey{{Key: 2, Target: 1}, {Key: 1764100801250123<<10 | 17, Target: 300},
		{Key: 1764100801260123<<10 | 17, Target: 2}, {Key: 1764100809260123<<10 | 3, Target: 7}})
	const want = "040102cb86edcc8b8e910302030011000901580a380003ce05e20c20a107"
	if got := hex.EncodeToString(body); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// FuzzEdgeKeys: bytes from outside give keys that ascend, or none; what is read is written to what
// gives the same keys.
func FuzzEdgeKeys(f *testing.F) {
	r := rand.New(rand.NewPCG(5, 6))
	f.Add(AppendEdgeKeyBody(nil, follows(r, 100, 6, 1e12, 12e6)))
	f.Add(AppendEdgeKeyBody(nil, []model.EdgeKey{{Key: 3, Target: 4}, {Key: 1 << 62, Target: 5}}))
	f.Add([]byte{2, 0, 0, 0})
	f.Fuzz(func(t *testing.T, body []byte) {
		keys, ok := AppendEdgeKeys([]model.EdgeKey{{Key: 1, Target: 1}}, body)
		if keys = keys[1:]; !ok {
			if len(keys) > 0 {
				t.Fatalf("got %d keys of what is none", len(keys))
			}
			return
		}
		for i, k := range keys {
			if k.Target > model.MaxEdgeID || k.Key >= model.EdgeGone || i > 0 && keys[i-1].Compare(k) >= 0 {
				t.Fatalf("got %v behind %v", k, keys[max(0, i-1)])
			}
		}
		mustReturn(t, keys)
	})
}

// TestEdgeKeysOfHostileBytes flips each bit of a body: keys that ascend, or none, and no panic.
func TestEdgeKeysOfHostileBytes(t *testing.T) {
	body := AppendEdgeKeyBody(nil, follows(rand.New(rand.NewPCG(7, 8)), 70, 6, 1e12, 12e6))
	for bit := range 8 * len(body) {
		bad := slices.Clone(body)
		bad[bit/8] ^= 1 << (bit % 8)
		_, _ = FindEdgeKey(nil, bad, 1<<62) // which must return
		_, _ = FindEdgeKey(nil, bad, 3)
		if keys, ok := AppendEdgeKeys(nil, bad); ok && !slices.IsSortedFunc(keys, model.EdgeKey.Compare) {
			t.Fatalf("bit %d: got keys that do not ascend", bit)
		}
	}
	for n := range body {
		if _, ok := AppendEdgeKeys(nil, body[:n]); ok {
			t.Fatalf("got keys of the first %d of %d bytes", n, len(body))
		}
	}
}

func BenchmarkEdgeKeys(b *testing.B) {
	body := AppendEdgeKeyBody(nil, follows(rand.New(rand.NewPCG(7, 8)), 2000, 6, 1e12, 12e6))
	var keys []model.EdgeKey
	for b.Loop() {
		keys, _ = AppendEdgeKeys(keys[:0], body)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/2000, "ns/key")
}
