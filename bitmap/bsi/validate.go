// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bsi

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"
	"strconv"

	"github.com/uproar-db/uproar/bitmap"
)

// Validate proves every invariant of the format: those of each set, that the slices have no record
// that the set of records has not, that no integer exceeds 64 bits, and the checksum if there is
// one. It reads all bytes and allocates as [bitmap.View.Validate] does. The filter does not matter.
//
// The error is a [*bitmap.FormatError] that wraps ErrCorrupt, ErrTruncated or ErrChecksum.
func (v View) Validate() error {
	if n := len(v.sums) - checksumBytes; n >= 0 {
		if got := crc32.Checksum(v.sums[:n], castagnoli); got != binary.LittleEndian.Uint32(v.sums[n:]) {
			return &bitmap.FormatError{Err: bitmap.ErrChecksum, What: "CRC-32C of the bytes", Got: uint64(got),
				Want: "the checksum stored at the end", Offset: uint64(n)}
		}
	}
	records := v.Records()
	at := v.offset()
	if err := validateAt(records, &at); err != nil {
		return err
	}
	for i := range int(v.width) {
		slice, start := bitmap.View(v.slice(i)), at
		if err := validateAt(slice, &at); err != nil {
			return err
		}
		if extra := bitmap.AndNotLen(slice, records); extra != 0 {
			return &bitmap.FormatError{Err: bitmap.ErrCorrupt, What: "records of slice " + strconv.Itoa(i) +
				" that have no integer",
				Got: extra, Want: "0", Offset: start}
		}
	}
	v.filtered = false
	if room := uint64(math.MaxInt64) - uint64(v.base); v.largest() > room {
		if u, _ := v.extreme(true); u > room {
			return &bitmap.FormatError{Err: bitmap.ErrCorrupt, What: "largest distance from the base", Got: u,
				Want: "at most " +
					strconv.FormatUint(room, 10), Offset: 4}
		}
	}
	return nil
}

// validateAt validates a set that stands at an offset, and adds its length to the offset.
func validateAt(set bitmap.View, at *uint64) error {
	err := set.Validate()
	if broken, ok := errors.AsType[*bitmap.FormatError](err); ok {
		broken.Offset += *at
	}
	*at += uint64(len(set.Body()))
	return err
}
