// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package terminal

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// ByteSize is a number of bytes on the command line: 1000000, 64MiB, 2GB, 512k.
type ByteSize int64

var byteUnits = map[string]float64{
	"": 1, "b": 1,
	"k": 1e3, "kb": 1e3, "m": 1e6, "mb": 1e6, "g": 1e9, "gb": 1e9, "t": 1e12, "tb": 1e12,
	"kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30, "tib": 1 << 40,
}

// UnmarshalText reads a size.
func (s *ByteSize) UnmarshalText(text []byte) error {
	given := string(text)
	digits := strings.TrimRight(given, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ ")
	unit, ok := byteUnits[strings.ToLower(strings.TrimSpace(given[len(digits):]))]
	n, err := strconv.ParseFloat(digits, 64)
	if !ok || err != nil || n < 0 || n*unit >= math.MaxInt64 {
		return fmt.Errorf("got size %q, want a number of bytes such as 512KiB, 64MiB or 2GB", given)
	}
	*s = ByteSize(n * unit)
	return nil
}

// String returns the size in the largest unit that it is at least one of.
func (s ByteSize) String() string { return Bytes(int64(s)) }

// Bytes returns a number of bytes for people: 512 B, 6.1 MiB.
func Bytes[N int64 | uint64](n N) string {
	f := float64(n)
	for _, unit := range []string{"B", "KiB", "MiB", "GiB"} {
		if f < 1024 {
			return significant(f) + " " + unit
		}
		f /= 1024
	}
	return significant(f) + " TiB"
}

// significant returns a number with its fraction if it is small and has one.
func significant(f float64) string {
	if f == math.Trunc(f) || f >= 99.95 {
		return strconv.FormatFloat(f, 'f', 0, 64)
	}
	return strconv.FormatFloat(f, 'f', 1, 64)
}

// Count returns a number in groups of three digits: 508 837.
func Count[N int | int64 | uint64](n N) string {
	digits := fmt.Sprint(n)
	for i := len(digits) - 3; i > 0 && digits[i-1] != '-'; i -= 3 {
		digits = digits[:i] + " " + digits[i:]
	}
	return digits
}

// Plural returns a count with its noun.
func Plural[N int | int64 | uint64](n N, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return Count(n) + " " + noun
}

// BytesOrUnknown returns a number of bytes that may be unknown.
func BytesOrUnknown(n int64) string {
	if n < 0 {
		return "unknown"
	}
	return Bytes(n)
}
