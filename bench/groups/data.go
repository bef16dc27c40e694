// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package groups

import (
	"bufio"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// tagsEach is how many tags a record has.
const tagsEach = 3

// few is records with an age, a day, and tags out of 5000. Other fields have 2000, 30 000 and 200
// values.
type few struct {
	a, c, e, age, joined []int32
	tags                 [tagsEach][]int32
}

// many is records, nearly each a group of its own: fields of 20 000 and 50 000 values.
type many struct{ x, y []int32 }

func newFew(records int, rng *rand.Rand) *few {
	f := &few{}
	for range records {
		f.a = append(f.a, rng.Int32N(2000))
		f.c = append(f.c, rng.Int32N(30_000))
		f.e = append(f.e, rng.Int32N(200))
		f.age = append(f.age, int32(max(-20, min(119, 40+20*rng.NormFloat64()))))
		f.joined = append(f.joined, 12_000+rng.Int32N(8_000))
		for i := range f.tags {
			f.tags[i] = append(f.tags[i], rng.Int32N(5000)/tagsEach*tagsEach+int32(i)) // three that differ
		}
	}
	return f
}

func newMany(records int, rng *rand.Rand) *many {
	m := &many{}
	for range records {
		m.x, m.y = append(m.x, rng.Int32N(20_000)), append(m.y, rng.Int32N(50_000))
	}
	return m
}

// write writes columns as peer.py reads them.
func write(dir, name string, columns ...[]int32) error {
	f, err := os.Create(filepath.Join(dir, name))
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(f, 1<<20)
	for _, column := range columns {
		err = errors.Join(err, binary.Write(out, binary.LittleEndian, column))
	}
	return errors.Join(err, out.Flush(), f.Close())
}
