// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package badgerstore

import (
	"encoding/binary"
	"fmt"
	"iter"
	"os"
	"path/filepath"
)

// knownGarbage returns how many bytes of the value log Badger knows to be garbage.
func knownGarbage(dir string) (known int64) {
	for g := range garbageOf(dir) {
		known += min(g.bytes, g.size)
	}
	return known
}

// mostGarbage returns the file of the value log that Badger would rewrite next: of those of which it knows the most garbage, the first.
func mostGarbage(dir string) (most garbage) {
	for g := range garbageOf(dir) {
		if g.bytes > most.bytes {
			most = g
		}
	}
	return most
}

// garbage is what Badger knows of a file of the value log.
type garbage struct {
	file  uint32 // its number
	bytes int64  // of garbage
	size  int64  // of the file
}

// garbageOf yields what Badger knows of the files that are there. It tells nobody but the file that it maps for it:
//
//	┌──────────────────────────┬──────────────────────────┬─ ─ ─┬───┐
//	│ number of a file  uint64 │ bytes of garbage  uint64 │  …  │ 0 │  big-endian, by number
//	└──────────────────────────┴──────────────────────────┴─ ─ ─┴───┘
//
// Numbers of files that are gone stay in it. Where it cannot be made out, nothing is known.
func garbageOf(dir string) iter.Seq[garbage] {
	return func(yield func(garbage) bool) {
		f, err := os.Open(filepath.Join(dir, "DISCARD"))
		if err != nil {
			return
		}
		defer f.Close()
		const slot = 16
		chunk := make([]byte, 4<<10)
		for at := int64(0); ; at += int64(len(chunk)) {
			n, _ := f.ReadAt(chunk, at)
			for slots := chunk[:n]; len(slots) >= slot; slots = slots[slot:] {
				file, bytes := binary.BigEndian.Uint64(slots), binary.BigEndian.Uint64(slots[8:])
				if file == 0 {
					return
				}
				if bytes == 0 {
					continue
				}
				info, err := os.Stat(valueLogPath(dir, uint32(file)))
				if err == nil && !yield(garbage{uint32(file), int64(min(bytes, 1<<62)), info.Size()}) {
					return
				}
			}
			if n < len(chunk) {
				return
			}
		}
	}
}

// valueLogPath returns the path of a file of the value log.
func valueLogPath(dir string, file uint32) string {
	return filepath.Join(dir, fmt.Sprintf("%06d.vlog", file))
}
