// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package badgerstore

import (
	"encoding/binary"
	"os"
	"path/filepath"
)

// knownGarbage returns how many bytes of the value log Badger knows to be garbage. It tells nobody
// but the file that it maps for it (discard.go). A file that cannot be read knows of none; of one
// that can, what stands before the first empty entry counts, and of no file more than its size.
func knownGarbage(dir string) (known int64) {
	f, err := os.Open(filepath.Join(dir, discardFile))
	if err != nil {
		return 0
	}
	defer f.Close()
	chunk := make([]byte, 4<<10)
	for at := int64(0); ; at += int64(len(chunk)) {
		n, _ := f.ReadAt(chunk, at)
		for slots := chunk[:n]; len(slots) >= discardSlot; slots = slots[discardSlot:] {
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
