// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package export

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// counted counts the bytes that are written.
type counted int64

func (c *counted) Write(b []byte) (int, error) {
	*c += counted(len(b))
	return len(b), nil
}

// BenchmarkWrite writes rows of ten fields, as people have them.
func BenchmarkWrite(b *testing.B) {
	columns := []Column{{Name: "key"}, {Name: "name"}, {Name: "city"}, {Name: "plan"}, {Name: "likes", Kind: Texts},
		{Name: "age", Kind: Integer}, {Name: "visits", Kind: Integer}, {Name: "paid", Kind: Decimal, Scale: 2},
		{Name: "score", Kind: Decimal, Scale: 3}, {Name: "born", Kind: Date}, {Name: "seen", Kind: Time}}
	rng := rand.New(rand.NewPCG(1, 2))
	rows := make([][]Cell, 30_000)
	for i := range rows {
		likes := make([]string, 1+rng.IntN(4))
		for k := range likes {
			likes[k] = fmt.Sprint("like", rng.IntN(200))
		}
		rows[i] = []Cell{{Text: fmt.Sprint("person", i)}, {Text: fmt.Sprint("name ", rng.IntN(1_000_000))},
			{Text: fmt.Sprint("city", rng.IntN(500))}, {Text: []string{"free", "pro", "team"}[rng.IntN(3)]},
			{Texts: likes}, {Integer: rng.Int64N(100)}, {Integer: rng.Int64N(100_000)},
			{Integer: rng.Int64N(1_000_000)}, {Integer: rng.Int64N(100_000)}, {Integer: rng.Int64N(20_000)},
			{Integer: 1_700_000_000 + rng.Int64N(1e7)}}
	}
	for _, format := range []Format{CSV, Parquet, Arrow} {
		b.Run(string(format), func(b *testing.B) {
			for b.Loop() {
				var bytes counted
				w, err := NewWriter(&bytes, format, columns)
				for i := 0; i < len(rows) && err == nil; i++ {
					err = w.Write(rows[i])
				}
				if err == nil {
					err = w.Close()
				}
				if err != nil {
					b.Fatal(err)
				}
				b.SetBytes(int64(bytes))
			}
			b.ReportMetric(float64(len(rows))*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
		})
	}
}
