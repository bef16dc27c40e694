// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"unsafe"

	"github.com/uproar-db/uproar/internal/extsort"
	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
)

// freshKeys are the records' keys of a load that its index does not have: numbered from 0 on as
// they are met, and given IDs in that order when all of them are known (assignIDs). Until then
// their texts wait in a file, in order, and their hashes in sorted runs. So neither the log nor a
// delta ever holds them, and their pages are written once, one after the other: hashes are spread
// evenly, and each flush of a part of them would write nearly all pages of hashes again.
type freshKeys struct {
	temp  extsort.Files
	file  *os.File // of the texts: for each uvarint length, encoded key; nil: there are none
	texts *bufio.Writer
	count int    // numbers given out
	code  []byte // scratch

	runs    runs         // row: hash, record: number
	hashes  []model.Edit // that are in no run yet
	spare   []model.Edit // room for them while those before are sorted
	most    int          // of hashes
	sorting chan error   // gets the outcome of sorting those before; nil: none are being sorted

	since uint64            // IDs from here on were given to others after the load began
	base  uint64            // the ID of number 0, once assigned
	given map[uint64]uint64 // IDs of keys that others had named meanwhile, and the IDs that these have
}

// freshEntry is the memory that a hash takes while it waits: itself, and one that is sorted
// meanwhile.
const freshEntry = 2 * int64(unsafe.Sizeof(model.Edit{}))

func newFreshKeys(memory int64, since uint64) *freshKeys {
	return &freshKeys{most: int(max(64, memory/8/freshEntry)), runs: newRuns(memory/8, false), since: since,
		given: make(map[uint64]uint64)}
}

// add gives the next number to a key.
func (f *freshKeys) add(key []byte, secret *format.Secret) (number int, err error) {
	if f.file == nil {
		if f.file, err = f.temp.Create(); err != nil {
			return 0, err
		}
		f.texts = bufio.NewWriterSize(f.file, runBuffer)
	}
	text := unsafe.String(unsafe.SliceData(key), len(key)) // which is read only
	f.code = format.AppendKey(f.code[:0], text)
	if _, err := f.texts.Write(binary.AppendUvarint(f.texts.AvailableBuffer(), uint64(len(f.code)))); err != nil {
		return 0, err
	}
	if _, err := f.texts.Write(f.code); err != nil {
		return 0, err
	}
	number = f.count
	f.count++
	f.hashes = append(f.hashes, model.Edit{Row: secret.Hash(text), Record: uint64(number)})
	if len(f.hashes) >= f.most {
		return number, f.sort()
	}
	return number, nil
}

// sort has the hashes that wait be sorted and written to a run, once those before are.
func (f *freshKeys) sort() error {
	if err := f.await(); err != nil {
		return err
	}
	hashes := f.hashes
	f.hashes, f.spare = f.spare[:0], hashes
	sorting := make(chan error, 1)
	f.sorting = sorting
	go func() {
		slices.SortFunc(hashes, model.CompareEdits)
		sorting <- f.runs.Add(hashes)
	}()
	return nil
}

// await waits until nothing is being sorted.
func (f *freshKeys) await() error {
	if f.sorting == nil {
		return nil
	}
	err := <-f.sorting
	f.sorting = nil
	return err
}

// finish has all hashes and texts be in files, and lets go of the memory for more.
func (f *freshKeys) finish() error {
	if f.file == nil {
		return nil
	}
	err := errors.Join(f.sort(), f.await(), f.texts.Flush())
	f.hashes, f.spare = nil, nil
	return err
}

// chunks calls fn with the keys in order, many at a time, and the number of the first.
func (f *freshKeys) chunks(fn func(first int, keys []string) error) error {
	if _, err := f.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	in := bufio.NewReaderSize(f.file, runBuffer)
	var text []byte
	var ends []int
	for from := 0; from < f.count; from += len(ends) {
		text, ends = text[:0], ends[:0]
		for from+len(ends) < f.count && len(ends) < freshChunk && len(text) < freshChunkBytes {
			n, err := binary.ReadUvarint(in)
			if err != nil {
				return errors.Join(unexpected(err), err)
			}
			if text, f.code, err = readKey(in, text, f.code, n); err != nil {
				return err
			}
			ends = append(ends, len(text))
		}
		all, keys, start := string(text), make([]string, len(ends)), 0
		for i, end := range ends {
			keys[i], start = all[start:end], end
		}
		if err := fn(from, keys); err != nil {
			return err
		}
	}
	return nil
}

// readKey reads an encoded key of n bytes from a temporary file and appends its text. code is
// scratch memory.
func readKey(in *bufio.Reader, dst, code []byte, n uint64) (text, room []byte, err error) {
	if n > format.MaxKey+1 {
		return dst, code, fmt.Errorf("posting: temporary file: got a key of %d bytes, want at most %d", n,
			format.MaxKey+1)
	}
	code = slices.Grow(code[:0], int(n))[:n]
	if _, err := io.ReadFull(in, code); err != nil {
		return dst, code, errors.Join(unexpected(err), err)
	}
	text, ok := format.AppendKeyText(dst, code)
	if !ok {
		err = errors.New("posting: temporary file: got no key")
	}
	return text, code, err
}

// freshChunk and freshChunkBytes are how many keys, and how many bytes of them, go into pages at a
// time.
const (
	freshChunk      = 1 << 18
	freshChunkBytes = 8 << 20
)

// close deletes the files.
func (f *freshKeys) close() error {
	if f == nil {
		return nil
	}
	_ = f.await() // nothing uses it any more
	return errors.Join(f.temp.Close(), f.runs.Close())
}

// number returns how many keys were numbered.
func (f *freshKeys) number() int {
	if f == nil {
		return 0
	}
	return f.count
}

// id returns the ID that half of a word of a pair stands for.
func (f *freshKeys) id(half uint64) uint64 {
	if half&numberBit == 0 {
		return half
	}
	id := f.base + half&^numberBit
	if other, ok := f.given[id]; ok {
		return other
	}
	return id
}
