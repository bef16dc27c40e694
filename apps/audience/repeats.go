// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package audience

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"slices"
	"strconv"
	"strings"

	"github.com/uproar-db/uproar/internal/extsort"
)

// RepeatedKeyError is a row whose key an earlier row of the import has.
type RepeatedKeyError struct {
	Column       string
	Key          string // its first bytes, if it is long
	Row          bool   // the tables have rows, not lines
	Table, First int    // of both rows, from 0 in the order that they were read
	Line, Before int64  // of both rows, from 1
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
	return fmt.Sprintf("%s %d, column %s: got the key %s of %s %d%s once more, want another one in each row", what,
		e.Line, e.Column, quoteKey(e.Key), what, e.Before, of)
}

// quoteKey returns a key in quotes, cut if it is long.
func quoteKey(key string) string {
	if len(key) > shownKey {
		return strconv.Quote(key[:shownKey]) + "..."
	}
	return strconv.Quote(key)
}

// repeats finds rows with the same key. It sorts what keys hash to, beyond a bound of memory in
// temporary files.
type repeats struct {
	named bool // an error names the key
	seeds [2]maphash.Seed
	table int // that is read
	rows  []keyed
	runs  extsort.Runs[keyed]

	n     int64 // rows whose key an earlier one has, once they are counted
	first *RepeatedKeyError
}

// keyed is what a key hashes to, and its place: the table above the line. It has the first bytes of
// the key, if an error names it.
type keyed struct {
	hash, check, at uint64
	key             string
}

// Bounds of what is known of keys.
const (
	keyedBytes   = 24
	keyedRows    = 1 << 18 // that are kept in memory
	keyedBuffers = 4 << 20 // bytes of buffers
	lineBits     = 44
	shownKey     = 80      // bytes of a key that an error repeats
	perCount     = 1 << 16 // rows that are counted between two looks at the context
)

func newRepeats(named bool) *repeats {
	codec := extsort.Codec[keyed]{Compare: compareKeyed, Append: appendKeyed, Read: readKeyed, Most: keyedBytes}
	if named {
		codec.Append, codec.Read, codec.Most = appendNamed, readNamed, keyedBytes+1+shownKey+1
	}
	return &repeats{named: named, seeds: [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}, table: -1,
		runs: extsort.Runs[keyed]{Buffer: keyedBuffers, Codec: codec}}
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
	return keyed{hash: binary.LittleEndian.Uint64(b), check: binary.LittleEndian.Uint64(b[8:]),
		at: binary.LittleEndian.Uint64(b[16:])}, keyedBytes
}

func appendNamed(dst []byte, last, x *keyed) []byte {
	return append(append(appendKeyed(dst, last, x), byte(len(x.key))), x.key...)
}

func readNamed(b []byte, last *keyed) (x keyed, n int) {
	if x, n = readKeyed(b, last); n == 0 || len(b) == n {
		return x, 0
	}
	end := n + 1 + int(b[n])
	if end > len(b) {
		return x, 0
	}
	x.key = string(b[n+1 : end])
	return x, end
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
	x := keyed{hash: maphash.String(r.seeds[0], key), check: maphash.String(r.seeds[1], key),
		at: uint64(r.table)<<lineBits | uint64(line)}
	if r.named {
		x.key = strings.Clone(key[:min(len(key), shownKey+1)]) // one more tells that it is cut
	}
	r.rows = append(r.rows, x)
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

// count counts the rows whose key an earlier one has, and finds the first of them. It calls tell
// now and then. Errors: ctx's, or those of temporary files.
func (r *repeats) count(ctx context.Context, tell func()) error {
	r.sort()
	all, err := r.runs.Merge(r.rows)
	if err != nil {
		return err
	}
	r.n, r.first = 0, nil
	least := ^uint64(0)
	last := keyed{}
	for rows := 0; ; rows++ {
		if rows%perCount == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			tell()
		}
		x, ok, err := all.Next()
		if err != nil || !ok {
			return err
		}
		if rows == 0 || x.hash != last.hash || x.check != last.check {
			last = x // the first row with the key
			continue
		}
		if r.n++; x.at < least {
			least = x.at
			r.first = &RepeatedKeyError{Key: last.key, Table: int(x.at >> lineBits), First: int(last.at >> lineBits),
				Line: int64(x.at & (1<<lineBits - 1)), Before: int64(last.at & (1<<lineBits - 1))}
		}
	}
}

// end lets go of the temporary files.
func (r *repeats) end() {
	if r != nil {
		_ = r.runs.Close() // of what nobody reads any more
	}
}
