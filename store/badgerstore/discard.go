// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package badgerstore

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
)

// Badger maps a file that says how much of each value-log file is garbage (its discard.go), and
// believes it:
//
//	┌──────────────────────────┬──────────────────────────┬─ ─ ─┬───┐
//	│ number of a file  uint64 │ bytes of garbage  uint64 │  …  │ 0 │  big-endian, zeros to the end
//	└──────────────────────────┴──────────────────────────┴─ ─ ─┴───┘
//
// It adds an entry behind the last and sorts them by number then, and when it opens the file: after
// a kill they may be in any order, or one of them twice. Amounts are what was replaced in a file,
// counted more than once where a merge was given up, so that they may be more than its size.
//
// Badger believes a damaged file, with these effects:
//
//   - a number beyond 32 bits, or one that is there twice: it looks for the file again and again,
//     with a lock on which reading, writing and closing wait;
//   - an amount with the top bit: it is the largest and a negative one, and nothing is collected
//     any more;
//   - a file that is cut short: the process ends.
//
// Numbers of files that are gone stay in it. Numbers that nobody has had yet are never in it.
const (
	discardFile = "DISCARD"
	discardSlot = 16
	discardSize = 1 << 20 // at first; doubled when it is full
)

// dropDamagedDiscard removes Badger's file of garbage if it is not as Badger writes it. It returns
// in which way. Only knowledge is lost, of values replaced before: Badger finds it out anew only
// for values whose keys are still to be merged. Files of numbers up to given may have been there.
// It needs the lock, and does nothing where the lock keeps nobody away.
func dropDamagedDiscard(dir string, given uint32) (damage string, err error) {
	if !locks {
		return "", nil
	}
	path := filepath.Join(dir, discardFile)
	f, err := os.OpenFile(path, os.O_RDWR, 0) // as Badger does, which ends the process if it cannot
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	newest, err := newestValueLog(dir)
	if err == nil {
		damage, err = discardDamage(f, max(newest, given))
	}
	if err = errors.Join(err, f.Close()); err != nil || damage == "" {
		return "", err
	}
	return fmt.Sprintf("%s: %s", path, damage), os.Remove(path)
}

// discardDamage says what is wrong with what Badger keeps of garbage, "" if nothing is. newest is
// the greatest number that a file of the value log may have had.
func discardDamage(f *os.File, newest uint32) (damage string, err error) {
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	size := info.Size()
	if size == 0 {
		return "", nil // it was being made
	}
	if size < discardSize || size&(size-1) != 0 {
		return fmt.Sprintf("it has %d bytes, want %d or that doubled some times", size, discardSize), nil
	}
	slots := bufio.NewReaderSize(io.LimitReader(f, size), 64<<10)
	var slot [discardSlot]byte
	files := map[uint64]bool{}
	for at := 0; ; at++ {
		if _, err := io.ReadFull(slots, slot[:]); errors.Is(err, io.EOF) {
			return "it has no end", nil
		} else if err != nil {
			return "", err
		}
		file, garbage := binary.BigEndian.Uint64(slot[:]), binary.BigEndian.Uint64(slot[8:])
		switch {
		case file == 0 && garbage == 0:
			rest, err := zeros(slots)
			if err == nil && !rest {
				damage = fmt.Sprintf("entry %d is empty, and there is something behind it", at)
			}
			return damage, err
		case file == 0, file > uint64(newest):
			return fmt.Sprintf("entry %d is of file %d, want one of 1 to %d", at, file, newest), nil
		case files[file]:
			return fmt.Sprintf("entry %d is of file %d, as one before it", at, file), nil
		case garbage > math.MaxInt64:
			return fmt.Sprintf("entry %d has %d bytes of garbage in file %d, want at most %d", at, garbage, file,
				math.MaxInt64), nil
		}
		files[file] = true
	}
}
