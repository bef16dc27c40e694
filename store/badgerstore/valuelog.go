// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package badgerstore

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// A file of a value log, and the log of a memtable, is a header and entries (Badger's structs.go
// and memtable.go):
//
//	┌─────────────────────┬────────────────────┐┌─ ─────────────────────────────────────────────────────────────────────────┐
//	│ number of a key  u64│ random bytes     12││ meta 1 │ user meta 1 │ key length │ value length │ expires │ key │ value │ crc │ …
//	└─────────────────────┴────────────────────┘└─ ─────────────────────────────────────────────────────────────────────────┘
//
// Lengths and time are varints, the checksum is CRC-32C of all before it, big-endian. What was made
// room for and is not written yet is zero.
//
// Badger takes the first entry that does not fit its checksum for the end of a file, as it is after
// a power cut. Then it cuts the newest file off there, and when it rewrites an older one it deletes
// what is behind, alive or not. So files are read before: see keepDamaged and checkWhole.

const (
	logHeader      = 20
	maxLogKey      = 1 << 16
	metaPointer    = 1 << 1 // the value is where it points to: bitValuePointer
	pointerBytes   = 12     // number of the file, length and offset, 4 bytes each, little-endian
	scannedAtATime = 1 << 20
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// scanLog reads the entries of a log file up to the first that is none. It returns where they end.
// whole tells that nothing but zeros follows. each, unless it is nil, is called with the meta of an
// entry, and with its value if that is as long as a pointer. The value is valid until each returns.
// Errors: ctx's, or the file system's.
func scanLog(ctx context.Context, path string, each func(meta byte, pointer []byte)) (end int64, whole bool,
	err error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, false, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return 0, false, err
	}
	size := info.Size()
	s := logScanner{r: bufio.NewReaderSize(io.NewSectionReader(f, logHeader, size), scannedAtATime)}
	for end = logHeader; ; {
		if err := ctx.Err(); err != nil {
			return end, false, err
		}
		n, err := s.next(size - end)
		if err != nil {
			return end, false, err
		}
		if n == 0 {
			break
		}
		if each != nil {
			each(s.meta, s.pointer)
		}
		end += n
	}
	whole, err = zeros(io.NewSectionReader(f, end, max(0, size-end)))
	return end, whole, err
}

// logScanner reads entries, of any length in the same memory.
type logScanner struct {
	r       *bufio.Reader
	meta    byte
	pointer []byte // the value, if it is as long as a pointer, or nil
	value   [pointerBytes]byte
	sum     uint32
}

// next reads an entry of at most left bytes, and returns its length, 0 if there is none. The error
// is the file system's.
func (s *logScanner) next(left int64) (n int64, err error) {
	const varints = 3
	head, err := s.r.Peek(2 + varints*binary.MaxVarintLen64)
	if err != nil && !errors.Is(err, io.EOF) {
		return 0, err
	}
	var lengths [varints]uint64
	at := 2
	for i := range lengths {
		if at >= len(head) {
			return 0, nil
		}
		x, k := binary.Uvarint(head[at:])
		if k <= 0 {
			return 0, nil
		}
		lengths[i], at = x, at+k
	}
	key, value := lengths[0], lengths[1]
	if key == 0 || key > maxLogKey || value > math.MaxUint32 {
		return 0, nil
	}
	n = int64(at) + int64(key+value) + crc32.Size
	if n > left {
		return 0, nil
	}
	s.meta, s.pointer, s.sum = head[0], nil, 0
	err = s.hash(int64(at) + int64(key))
	if err == nil && value == pointerBytes {
		if _, err = io.ReadFull(s.r, s.value[:]); err == nil {
			s.pointer = s.value[:]
			s.sum = crc32.Update(s.sum, castagnoli, s.pointer)
		}
	} else if err == nil {
		err = s.hash(int64(value))
	}
	var sum [crc32.Size]byte
	if err == nil {
		_, err = io.ReadFull(s.r, sum[:])
	}
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF): // it was made shorter meanwhile
		return 0, nil
	case err != nil:
		return 0, err
	case s.sum != binary.BigEndian.Uint32(sum[:]):
		return 0, nil
	}
	return n, nil
}

// hash reads n bytes into the checksum.
func (s *logScanner) hash(n int64) error {
	for n > 0 {
		b, err := s.r.Peek(int(min(n, scannedAtATime)))
		s.sum = crc32.Update(s.sum, castagnoli, b)
		n -= int64(len(b))
		if n > 0 && err != nil {
			return err
		}
		if _, err := s.r.Discard(len(b)); err != nil {
			return err
		}
	}
	return nil
}

// zeros reports whether there is nothing but zeros.
func zeros(r io.Reader) (bool, error) {
	b := make([]byte, 64<<10)
	for {
		n, err := r.Read(b)
		for _, c := range b[:n] {
			if c != 0 {
				return false, nil
			}
		}
		if errors.Is(err, io.EOF) {
			return true, nil
		}
		if err != nil {
			return false, err
		}
	}
}

// pointsBehind reports whether a value is in a value-log file from an offset on. meta is the mark
// of its entry.
func pointsBehind(meta byte, value []byte, file uint32, offset int64) bool {
	return meta&metaPointer != 0 && len(value) == pointerBytes && binary.LittleEndian.Uint32(value) == file &&
		int64(binary.LittleEndian.Uint32(value[8:])) >= offset
}

// valueLogPath returns the path of a file of the value log.
func valueLogPath(dir string, file uint32) string {
	return filepath.Join(dir, fmt.Sprintf("%06d.vlog", file))
}

// maxValueLog is the greatest number of a file of the value log that is believed. Badger counts on
// from the greatest that it finds, and would begin anew after the last of 32 bits.
const maxValueLog = math.MaxUint32 - 1<<20

// valueLogNumber returns the number of a file of the value log, and whether it has one.
func valueLogNumber(path string) (file uint32, ok bool) {
	n, err := strconv.ParseUint(strings.TrimSuffix(filepath.Base(path), ".vlog"), 10, 32)
	if err != nil || n == 0 || n > maxValueLog {
		return 0, false
	}
	return uint32(n), true
}
