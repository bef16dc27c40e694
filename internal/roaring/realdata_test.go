// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"archive/zip"
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/pair"
)

// realData reads the sets of one of the files that papers on Roaring measure on: each entry is a
// list of values with commas between. In CI the file must be there.
func realData(t testing.TB, name string) (sets [][]uint64) {
	t.Helper()
	z, err := zip.OpenReader("../../../shared/data/realdata/" + name + ".zip")
	if errors.Is(err, fs.ErrNotExist) && os.Getenv("CI") != "true" {
		t.Skipf("%s is not beside this clone: %v", name, err)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		r.Close()
		if err != nil {
			t.Fatal(err)
		}
		var set []uint64
		x, digits := uint64(0), false
		for _, c := range append(text, ',') {
			if c >= '0' && c <= '9' {
				x, digits = 10*x+uint64(c-'0'), true
			} else if digits {
				set = append(set, x)
				x, digits = 0, false
			}
		}
		if len(set) > 0 {
			sets = append(sets, set)
		}
	}
	if len(sets) < 100 {
		t.Fatalf("%s: got %d sets, want about 200", name, len(sets))
	}
	return sets
}

// TestSizesOfRealData checks the bytes a value of the smallest layout, envelopes included.
func TestSizesOfRealData(t *testing.T) {
	for _, c := range []struct {
		name   string
		target float64
	}{
		{"census-income", 0.26},
		{"census1881", 1.02},
		{"weather_sept_85", 0.72},
		{"wikileaks-noquotes", 0.69},
		{"uscensus2000", 2.9},
	} {
		t.Run(c.name, func(t *testing.T) {
			if testing.Short() && c.target < 1 && c.name != "wikileaks-noquotes" {
				t.Skip("the larger files take a few seconds")
			}
			values, smallest, fastest := 0, 0, 0
			for i, set := range realData(t, c.name) {
				b := pair.FromSorted(set)
				fastest += len(b.Bytes())
				b.Pack(pack.Smallest)
				values += len(set)
				smallest += len(b.Bytes())
				if i%10 == 0 {
					if err := b.View().Validate(); err != nil {
						t.Fatal(err)
					}
					if !slices.Equal(b.View().AppendTo(nil), set) {
						t.Fatalf("set %d: packed and read back it has other values", i)
					}
				}
			}
			got := float64(smallest) / float64(values)
			t.Logf("bytes a value: smallest %.4f, fastest %.4f", got, float64(fastest)/float64(values))
			if got > c.target {
				t.Errorf("bytes a value: got %.4f, want at most %.2f", got, c.target)
			}
		})
	}
}

// TestLayoutsOfRealData: Balanced takes less than Fastest on the whole, and at most a third more
// for a set; Smallest never takes more.
func TestLayoutsOfRealData(t *testing.T) {
	for _, name := range []string{
		"census-income", "census1881", "census1881_srt", "uscensus2000", "weather_sept_85", "wikileaks-noquotes",
		"wikileaks-noquotes_srt",
	} {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && name != "weather_sept_85" && name != "uscensus2000" {
				t.Skip("the other files take a few seconds")
			}
			total := [3]int{}
			for i, set := range realData(t, name) {
				b := pair.FromSorted(set)
				var size [3]int
				for _, layout := range []pack.Layout{pack.Fastest, pack.Smallest, pack.Balanced} {
					b.Pack(layout)
					size[layout] = len(b.Bytes())
					total[layout] += size[layout]
				}
				if size[pack.Balanced] > size[pack.Fastest]*4/3 || size[pack.Smallest] > min(size[pack.Balanced],
					size[pack.Fastest]) {
					t.Errorf("set %d: got %d bytes balanced, %d fastest, %d smallest", i, size[pack.Balanced],
						size[pack.Fastest],
						size[pack.Smallest])
				}
			}
			if total[pack.Balanced] > total[pack.Fastest] {
				t.Errorf("got %d bytes balanced, want at most the %d of fastest", total[pack.Balanced],
					total[pack.Fastest])
			}
			t.Logf("fastest %d, balanced %d, smallest %d bytes", total[pack.Fastest], total[pack.Balanced],
				total[pack.Smallest])
		})
	}
}

// TestSizesOfRandomValues checks the bytes of sets of random values, envelopes included, on the
// average of 20 sets.
func TestSizesOfRandomValues(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, c := range []struct {
		limit  uint64
		n      int
		target float64
	}{
		{5_500_000, 1, 12}, {5_500_000, 10, 40}, {5_500_000, 30, 96}, {5_500_000, 100, 250}, {5_500_000, 1000, 2000},
		{1 << 40, 10, 65}, {1 << 40, 100, 520}, {1 << 40, 1000, 4700},
		{1 << 63, 1, 12},
	} {
		total := 0
		const sets = 20
		for range sets {
			values := make([]uint64, c.n)
			for i := range values {
				values[i] = r.Uint64N(c.limit)
			}
			b := pair.Of(values...)
			b.Pack(pack.Smallest)
			total += len(b.Bytes())
		}
		got := float64(total) / sets
		t.Logf("%d values below %d: %.1f bytes", c.n, c.limit, got)
		if got > c.target {
			t.Errorf("%d values below %d: got %.1f bytes, want at most %.0f", c.n, c.limit, got, c.target)
		}
	}
}
