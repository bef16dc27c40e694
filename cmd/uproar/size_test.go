// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"math"
	"testing"
	"time"
)

func TestByteSize(t *testing.T) {
	for _, tc := range []struct {
		in   string
		want int64 // -1: an error
	}{
		{"0", 0}, {"1000", 1000}, {"12b", 12}, {"512k", 512_000}, {"512KB", 512_000}, {"512KiB", 512 << 10},
		{"1.5 MiB", 3 << 19}, {"2GB", 2e9},
		{"1tib", 1 << 40}, {"7t", 7e12},
		{"", -1}, {"MiB", -1}, {"-1", -1}, {"1e", -1}, {"1 x", -1}, {"12furlongs", -1}, {"10000000TiB", -1},
		{"NaN", -1}, {"Inf", -1},
	} {
		var got byteSize
		err := got.UnmarshalText([]byte(tc.in))
		switch {
		case tc.want == -1 && err == nil:
			t.Errorf("%q: got %d, want an error", tc.in, got)
		case tc.want >= 0 && (err != nil || int64(got) != tc.want):
			t.Errorf("%q: got %d, %v, want %d", tc.in, got, err, tc.want)
		}
	}
}

func TestFormat(t *testing.T) {
	for _, tc := range []struct{ got, want string }{
		{formatBytes(int64(0)), "0 B"},
		{formatBytes(int64(1023)), "1023 B"},
		{formatBytes(int64(1024)), "1 KiB"},
		{formatBytes(int64(6_489_837)), "6.2 MiB"},
		{formatBytes(int64(128 << 20)), "128 MiB"},
		{formatBytes(uint64(math.MaxUint64)), "16777216 TiB"},
		{formatCount(0), "0"},
		{formatCount(999), "999"},
		{formatCount(1000), "1 000"},
		{formatCount(508_837), "508 837"},
		{formatCount(-508_837), "-508 837"},
		{formatCount(-100), "-100"},
		{formatCount(uint64(math.MaxUint64)), "18 446 744 073 709 551 615"},
		{formatPlural(1, "follow"), "1 follow"},
		{formatPlural(0, "follow"), "0 follows"},
		{formatPlural(1000, "follow"), "1 000 follows"},
		{formatTook(340 * time.Microsecond), "340 µs"},
		{formatTook(1523 * time.Microsecond), "1.52 ms"},
		{formatTook(152 * time.Millisecond), "152 ms"},
		{formatTook(2449 * time.Millisecond), "2.4 s"},
		{formatTook(3*time.Minute + 12*time.Second + 400*time.Millisecond), "3m12s"},
	} {
		if tc.got != tc.want {
			t.Errorf("got %q, want %q", tc.got, tc.want)
		}
	}
}
