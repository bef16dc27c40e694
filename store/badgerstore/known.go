// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package badgerstore

import (
	"encoding/binary"
	"os"
	"path/filepath"
)

// knownGarbage returns how many bytes of the value log Badger knows to be garbage. It tells nobody but the file that it maps for it:
//
//	┌──────────────────────────┬──────────────────────────┬─ ─ ─┬───┐
//	│ number of a file  uint64 │ bytes of garbage  uint64 │  …  │ 0 │  big-endian, by number
//	└──────────────────────────┴──────────────────────────┴─ ─ ─┴───┘
//
// Numbers of files that are gone stay in it. Where it cannot be made out, nothing is known.
func knownGarbage(dir string) (known int64) {
	f, err := os.Open(filepath.Join(dir, "DISCARD"))
	if err != nil {
		return 0
	}
	defer f.Close()
	const slot = 16
	chunk := make([]byte, 4<<10)
	for at := int64(0); ; at += int64(len(chunk)) {
		n, _ := f.ReadAt(chunk, at)
		for slots := chunk[:n]; len(slots) >= slot; slots = slots[slot:] {
			file, garbage := binary.BigEndian.Uint64(slots), binary.BigEndian.Uint64(slots[8:])
			if file == 0 {
				return known
			}
			if garbage == 0 {
				continue
			}
			if info, err := os.Stat(valueLogPath(dir, uint32(file))); err == nil {
				known += int64(min(garbage, uint64(info.Size())))
			}
		}
		if n < len(chunk) {
			return known
		}
	}
}
