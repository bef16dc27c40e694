// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package audience

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"slices"

	"github.com/uproar-db/uproar/internal/extsort"
)

// RepeatedKeyError is a row whose key an earlier row of the import has.
type RepeatedKeyError struct {
	Column       string
	Row          bool  // the tables have rows, not lines
	Table, First int   // of both rows, from 0 in the order that they were read
	Line, Before int64 // of both rows, from 1
}

// Error implements error.
func (e *RepeatedKeyError) Error() string {
	what, of := "line", ""
	if e.Row {
		what = "row"
	}
	if e.First != e.Table {
		of = fmt.Sprintf(" of table %d", e.First+1)
	}
	return fmt.Sprintf("%s %d, column %s: got the key of %s %d%s once more, want another one in each row", what, e.Line,
		e.Column, what, e.Before, of)
}

// repeats finds rows with the same key. It sorts what keys hash to, beyond a bound of memory in
// temporary files.
type repeats struct {
	seeds [2]maphash.Seed
	table int // that is read
	rows  []keyed
	runs  extsort.Runs[keyed]

	n     int64 // rows whose key an earlier one has, once they are counted
	first *RepeatedKeyError
}

// keyed is what a key hashes to, and its place: the table above the line.
type keyed struct{ hash, check, at uint64 }

// Bounds of what is known of keys.
const (
	keyedBytes   = 24
	keyedRows    = 1 << 18 // that are kept in memory
	keyedBuffers = 4 << 20 // bytes of buffers
	lineBits     = 44
)

func newRepeats() *repeats {
	return &repeats{seeds: [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}, table: -1,
		runs: extsort.Runs[keyed]{Buffer: keyedBuffers, Codec: extsort.Codec[keyed]{Compare: compareKeyed,
			Append: appendKeyed, Read: readKeyed, Most: keyedBytes}}}
}

func compareKeyed(a, b *keyed) int {
	return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.check, b.check), cmp.Compare(a.at, b.at))
}

func appendKeyed(dst []byte, _, x *keyed) []byte {
	for _, word := range [...]uint64{x.hash, x.check, x.at} {
		dst = binary.LittleEndian.AppendUint64(dst, word)
	}
	return dst
}

func readKeyed(b []byte, _ *keyed) (x keyed, n int) {
	if len(b) < keyedBytes {
		return x, 0
	}
	return keyed{binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:]), binary.LittleEndian.Uint64(b[16:])},
		keyedBytes
}

// begin begins a table. nil: keys are numbers that no two rows have.
func (r *repeats) begin() {
	if r != nil {
		r.table++
	}
}

// add adds the key of a row.
func (r *repeats) add(key string, line int64) error {
	if r == nil {
		return nil
	}
	r.rows = append(r.rows, keyed{maphash.String(r.seeds[0], key), maphash.String(r.seeds[1], key),
		uint64(r.table)<<lineBits | uint64(line)})
	if len(r.rows) < keyedRows {
		return nil
	}
	r.sort()
	err := r.runs.Add(r.rows)
	r.rows = r.rows[:0]
	return err
}

func (r *repeats) sort() {
	slices.SortFunc(r.rows, func(a, b keyed) int { return compareKeyed(&a, &b) })
}

// count counts the rows whose key an earlier one has, and finds the first of them.
func (r *repeats) count() error {
	r.sort()
	all, err := r.runs.Merge(r.rows)
	if err != nil {
		return err
	}
	r.n, r.first = 0, nil
	least := ^uint64(0)
	for last, have := (keyed{}), false; ; have = true {
		x, ok, err := all.Next()
		if err != nil || !ok {
			return err
		}
		if !have || x.hash != last.hash || x.check != last.check {
			last = x // the first row with the key
			continue
		}
		if r.n++; x.at < least {
			least = x.at
			r.first = &RepeatedKeyError{Table: int(x.at >> lineBits), Line: int64(x.at & (1<<lineBits - 1)),
				First: int(last.at >> lineBits), Before: int64(last.at & (1<<lineBits - 1))}
		}
	}
}

// end lets go of the temporary files.
func (r *repeats) end() {
	if r != nil {
		_ = r.runs.Close() // of what nobody reads any more
	}
}
