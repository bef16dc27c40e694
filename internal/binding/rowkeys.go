// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package binding

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/internal/schema"
)

// RowKeys reads the keys of rows of a field in a snapshot. Not for concurrent use.
type RowKeys struct {
	Lists reader.Snapshot
	Field *schema.Bound
	Keep  bool // keys that were read are kept for the next Read

	known []rowKey // where the row has them be
}

// rowKey is the key of a row.
type rowKey struct {
	row uint64
	key string // "": none was read
}

// knownKeys is how many keys of a field are kept, a power of two.
const knownKeys = 1 << 16

// leastKnown is of how many rows at least the keys are worth keeping.
const leastKnown = 1 << 8

// mostAtOnce is of how many rows the keys are read together, at most, where knownKeys are kept.
const mostAtOnce = 1 << 12

// Read tells the key of each of some rows. Those that are not known are read in ascending order of
// the rows, so that each page is looked up once. Errors: model.ErrCorrupt for a row without a key,
// or those of reading.
func (k *RowKeys) Read(rows int, row func(i int) uint64, tell func(i int, key string)) error {
	if k.Keep && k.known == nil && rows >= leastKnown {
		k.known = make([]rowKey, min(knownKeys, (knownKeys/mostAtOnce)<<bits.Len(uint(rows))))
	}
	mask := uint64(len(k.known) - 1)
	missing := make([]placedRow, 0, rows)
	for i := range rows {
		r := row(i)
		if k.known != nil {
			if x := &k.known[r&mask]; x.row == r && x.key != "" {
				tell(i, x.key)
				continue
			}
		}
		missing = append(missing, placedRow{r, i})
	}
	slices.SortFunc(missing, func(a, b placedRow) int { return cmp.Compare(a.row, b.row) })
	keys := k.Lists.Keys(k.Field.Space())
	var key []byte
	text := ""
	for i, x := range missing {
		if i == 0 || x.row != missing[i-1].row {
			var err error
			if key, err = appendRowKey(key[:0], &keys, k.Field, x.row); err != nil {
				return err
			}
			if text = string(key); k.known != nil {
				k.known[x.row&mask] = rowKey{x.row, text}
			}
		}
		tell(x.place, text)
	}
	return nil
}

// placedRow is a row and its place in the batch that is read together.
type placedRow struct {
	row   uint64
	place int
}

// appendRowKey appends the key of a row of a field, which keys reads. Errors: model.ErrCorrupt when
// it has none, or those of reading.
func appendRowKey(dst []byte, keys *reader.KeyReader, f *schema.Bound, row uint64) ([]byte, error) {
	key, ok, err := keys.Append(dst, row)
	if err == nil && !ok {
		err = RowWithoutKey(f.Name, row)
	}
	return key, err
}

// RowWithoutKey returns the error of a row that has records and no key.
func RowWithoutKey(field string, row uint64) error {
	return fmt.Errorf("%w: %s: row %d has no key", model.ErrCorrupt, field, row)
}
