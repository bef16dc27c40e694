// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package inspect

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/record"
	"github.com/cockroachdb/pebble/v2/sstable"

	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/pebblestore/internal/disk"
)

// The manifest says which tables count. Without it a salvage makes one that has all that are there,
// side by side in the level that may overlap: of several entries under a key the one with the
// greatest sequence number is the latest, wherever it lies. Ingested entries have no number, and
// are taken for the oldest: keys of pages are never given twice. A store that was killed may have
// tables that were merged and logs that were flushed, too: what they alone still have comes back,
// because merges take numbers away. That is told.

// lastSequence is above all that are given.
const lastSequence = 1 << 50

// Rebuild makes the manifest of a salvage of a store that was killed or closed. lost tells of
// tables that cannot be read at all, and of what may have come back.
func (f *Files) Rebuild(killed bool) (manifest []byte, lost, err error) {
	names, err := f.FS.List(f.Dir)
	if err != nil {
		return nil, nil, err
	}
	var edit []byte
	number := func(numbers ...uint64) {
		for _, n := range numbers {
			edit = binary.AppendUvarint(edit, n)
		}
	}
	text := func(text []byte) {
		number(uint64(len(text)))
		edit = append(edit, text...)
	}
	number(1) // the tags of version edits: the comparer
	text([]byte(pebble.DefaultComparer.Name))
	number(4, lastSequence)
	highest := uint64(0)
	for _, name := range names {
		table := disk.TableNumber(name)
		highest = max(highest, table, disk.LogNumber(name))
		if table == 0 {
			continue
		}
		first, last, size, err := f.bounds(name)
		if err != nil {
			lost = errors.Join(lost, fmt.Errorf("%w: table %s: %s", store.ErrCorrupt, name,
				disk.FirstLine(err.Error())))
			continue
		}
		number(100, 0, table, uint64(size)) // a table of level 0
		text(first)
		text(last)
		number(1, lastSequence-1)
	}
	log := highest + 1 // the first one that counts
	if killed {
		log = 1
		lost = errors.Join(lost, fmt.Errorf("%w: the store was not closed, and without its list of tables it is not known "+
			"which count: entries that were deleted or replaced shortly before may have come back", store.ErrCorrupt))
	}
	number(2, log, 3, highest+1) // and the next file
	var out bytes.Buffer
	w := record.NewWriter(&out)
	_, err = w.WriteRecord(edit)
	return out.Bytes(), lost, errors.Join(err, w.Close())
}

// bounds returns the first and the last key of a table, as manifests have them, and its size. Where
// the block with one of them is damaged it is the least, or the greatest.
func (f *Files) bounds(name string) (first, last []byte, size int64, err error) {
	info, err := os.Stat(f.path(name))
	if err != nil {
		return nil, nil, 0, err
	}
	ctx := context.Background()
	table, err := f.openTable(ctx, name)
	if err != nil {
		return nil, nil, 0, err
	}
	defer table.Close()
	it, err := table.NewPointIter(ctx, sstable.IterOptions{FilterBlockSizeLimit: sstable.NeverUseFilterBlock,
		ReaderProvider: sstable.MakeTrivialReaderProvider(table)})
	if err != nil {
		return nil, nil, 0, err
	}
	defer it.Close()
	bound := func(key []byte) []byte {
		k := pebble.MakeInternalKey(key, lastSequence, pebble.InternalKeyKindSet)
		return binary.LittleEndian.AppendUint64(bytes.Clone(key), uint64(k.Trailer))
	}
	first, last = bound([]byte{0}), bound(bytes.Repeat([]byte{0xff}, store.MaxKey+1))
	if kv := it.First(); kv != nil {
		first = bound(kv.K.UserKey)
	}
	if kv := it.Last(); kv != nil {
		last = bound(append(bytes.Clone(kv.K.UserKey), 0))
	}
	return first, last, info.Size(), nil
}
