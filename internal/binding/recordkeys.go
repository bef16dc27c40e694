// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package binding

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/reader"
)

// keysPerLook is how many keys are read between two looks at the context.
const keysPerLook = 256

// longText is after how many bytes of long keys grow is asked again.
const longText = 64 << 10

// leastKey is what a key takes in an answer at least, about.
const leastKey = 16

// AppendKeys appends the keys of records that are known to exist, by their IDs, in a form. It is
// fastest when they ascend. grow is asked for the room that the answer may take next, and its error
// ends the reading.
//
// Errors: model.ErrCorrupt for a record without a key, grow's, ctx's, or those of reading.
func AppendKeys(ctx context.Context, lists reader.Snapshot, dst []byte, ids []uint64, form reader.KeyForm,
	grow func(ctx context.Context, bytes int) error) ([]byte, error) {
	r := lists.Under(ctx).Keys(model.RecordSpace)
	for all := len(ids); len(ids) > 0; {
		if err := grow(ctx, len(dst)+leastKey*min(len(ids), keysPerLook)); err != nil {
			return dst, err
		}
		if len(ids) < all {
			dst = append(dst, form.Between...)
		}
		some := ids[:min(len(ids), keysPerLook)]
		var done int
		var err error
		if dst, done, err = r.AppendAll(dst, some, form); err != nil {
			return dst, err
		}
		if done < len(some) {
			return dst, RecordWithoutKey(some[done])
		}
		if ids = ids[done:]; len(ids) > 0 && ctx.Err() != nil {
			return dst, ctx.Err()
		}
	}
	return dst, nil
}

// Keys returns the keys of records by their IDs. The records must exist. All keys share the memory
// of one string. They are read in the order of the IDs: a page of keys, which takes some time to be
// unpacked, serves all that are on it. Errors as of AppendKeys, and model.ErrMemory.
func Keys(lists reader.Snapshot, ids []uint64, grow func(ctx context.Context, bytes int) error) ([]string, error) {
	const each = 72 // a key's text twice, where it ends, its string, and its place
	if err := lists.Take(each * int64(len(ids))); err != nil {
		return nil, err
	}
	defer lists.Give(each * int64(len(ids)))
	text := make([]byte, 0, 16*len(ids))
	ends := make([]int, len(ids))
	at := make([]int, len(ids)) // places of the IDs, ascending
	for i := range at {
		at[i] = i
	}
	if !slices.IsSorted(ids) {
		slices.SortFunc(at, func(a, b int) int { return cmp.Compare(ids[a], ids[b]) })
	}
	r := lists.Keys(model.RecordSpace)
	asked := 0
	for i := range at {
		id := ids[at[i]]
		if i%keysPerLook == 0 || len(text)-asked > longText {
			if err := grow(lists.Context(), len(text)+leastKey*len(ids)); err != nil {
				return nil, err
			}
			asked = len(text)
		}
		var ok bool
		var err error
		if text, ok, err = r.Append(text, id); err != nil {
			return nil, err
		}
		if !ok {
			return nil, RecordWithoutKey(id)
		}
		ends[i] = len(text)
	}
	all, keys, start := string(text), make([]string, len(ids)), 0
	for i, end := range ends {
		keys[at[i]], start = all[start:end], end
	}
	return keys, nil
}

// RecordWithoutKey returns the error of a record that exists and has no key.
func RecordWithoutKey(id uint64) error {
	return fmt.Errorf("%w: record %d has no key", model.ErrCorrupt, id)
}
