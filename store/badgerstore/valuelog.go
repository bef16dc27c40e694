// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package badgerstore

import (
	"bufio"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"os"
)

// A file of a value log, and the log of a memtable, is a header and entries (Badger's structs.go and memtable.go):
//
//	┌─────────────────────┬────────────────────┐┌─ ─────────────────────────────────────────────────────────────────────────┐
//	│ number of a key  u64│ random bytes     12││ meta 1 │ user meta 1 │ key length │ value length │ expires │ key │ value │ crc │ …
//	└─────────────────────┴────────────────────┘└─ ─────────────────────────────────────────────────────────────────────────┘
//
// Lengths and time are varints, the checksum is CRC-32C of all before it, big-endian. What was made room for and is not written yet is zero.
//
// Badger takes the first entry that does not fit its checksum for the end of a file, as it is after a power cut. Then it cuts the newest file off there, and when it rewrites an older one it deletes what is behind, alive
// or not. So files are read before: see keepDamaged and checkWhole.

const (
	logHeader      = 20
	maxLogKey      = 1 << 16
	metaPointer    = 1 << 1 // the value is where it points to: bitValuePointer
	pointerBytes   = 12     // number of the file, length and offset, 4 bytes each, little-endian
	scannedAtATime = 1 << 20
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// logEntry is an entry of a log file. Its bytes are valid until the next one is read.
type logEntry struct {
	meta  byte
	value []byte
}

// scanLog calls each, unless that is nil, with each entry of a log file up to the first that is none, and returns where they end. whole tells that nothing but zeros is behind.
func scanLog(path string, each func(logEntry)) (end int64, whole bool, err error) {
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
	r := bufio.NewReaderSize(io.NewSectionReader(f, logHeader, size), scannedAtATime)
	var body []byte
	for end = logHeader; ; {
		e, n, read, err := readLogEntry(r, body, size-end)
		body = read
		if err != nil {
			return end, false, err
		}
		if n == 0 {
			break
		}
		if each != nil {
			each(e)
		}
		end += n
	}
	whole, err = zeros(io.NewSectionReader(f, end, max(0, size-end)))
	return end, whole, err
}

// readLogEntry reads an entry of at most left bytes, into body if that has room. n is its length, 0 if there is none. The error is the file system's.
func readLogEntry(r *bufio.Reader, body []byte, left int64) (e logEntry, n int64, read []byte, err error) {
	const varints = 3
	head, err := r.Peek(2 + varints*binary.MaxVarintLen64)
	if err != nil && !errors.Is(err, io.EOF) {
		return e, 0, body, err
	}
	var lengths [varints]uint64
	at := 2
	for i := range lengths {
		if at >= len(head) {
			return e, 0, body, nil
		}
		x, k := binary.Uvarint(head[at:])
		if k <= 0 {
			return e, 0, body, nil
		}
		lengths[i], at = x, at+k
	}
	key, value := lengths[0], lengths[1]
	if key == 0 || key > maxLogKey || value > uint64(left) {
		return e, 0, body, nil
	}
	n = int64(at) + int64(key+value) + crc32.Size
	if n > left {
		return e, 0, body, nil
	}
	if int64(cap(body)) < n {
		body = make([]byte, n)
	}
	body = body[:n]
	if _, err := io.ReadFull(r, body); err != nil {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) { // it was made shorter meanwhile
			err = nil
		}
		return e, 0, body, err
	}
	if crc32.Checksum(body[:n-crc32.Size], castagnoli) != binary.BigEndian.Uint32(body[n-crc32.Size:]) {
		return e, 0, body, nil
	}
	return logEntry{meta: body[0], value: body[at+int(key) : n-crc32.Size]}, n, body, nil
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

// pointsBehind reports whether a value, which an entry marked meta has, is in a file of the value log from an offset on.
func pointsBehind(meta byte, value []byte, file uint32, offset int64) bool {
	return meta&metaPointer != 0 && len(value) == pointerBytes && binary.LittleEndian.Uint32(value) == file && int64(binary.LittleEndian.Uint32(value[8:])) >= offset
}
