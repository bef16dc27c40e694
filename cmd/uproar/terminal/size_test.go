// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package terminal

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
		var got ByteSize
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
		{Bytes(int64(0)), "0 B"},
		{Bytes(int64(1023)), "1023 B"},
		{Bytes(int64(1024)), "1 KiB"},
		{Bytes(int64(6_489_837)), "6.2 MiB"},
		{Bytes(int64(128 << 20)), "128 MiB"},
		{Bytes(uint64(math.MaxUint64)), "16777216 TiB"},
		{Count(0), "0"},
		{Count(999), "999"},
		{Count(1000), "1 000"},
		{Count(508_837), "508 837"},
		{Count(-508_837), "-508 837"},
		{Count(-100), "-100"},
		{Count(uint64(math.MaxUint64)), "18 446 744 073 709 551 615"},
		{Plural(1, "follow"), "1 follow"},
		{Plural(0, "follow"), "0 follows"},
		{Plural(1000, "follow"), "1 000 follows"},
		{Took(340 * time.Microsecond), "340 µs"},
		{Took(1523 * time.Microsecond), "1.52 ms"},
		{Took(152 * time.Millisecond), "152 ms"},
		{Took(2449 * time.Millisecond), "2.4 s"},
		{Took(3*time.Minute + 12*time.Second + 400*time.Millisecond), "3m12s"},
	} {
		if tc.got != tc.want {
			t.Errorf("got %q, want %q", tc.got, tc.want)
		}
	}
}
