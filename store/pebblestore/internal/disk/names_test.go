// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package disk

import (
	"bytes"
	"testing"
)

// TestNames: files of others that begin or end as the engine's do are not the engine's.
func TestNames(t *testing.T) {
	for name, want := range map[string]uint64{"000008.log": 8, "dir/1234567.log": 1234567, "2026-11-29.log": 0,
		"2-access.log": 0, "8.log": 0, "+00008.log": 0, "000008.log.gz": 0, "000008.LOG": 0, ".log": 0,
		"99999999999999999999999.log": 0, "000008 copy.log": 0} {
		if got := LogNumber(name); got != want {
			t.Errorf("%s: got log %d, want %d", name, got, want)
		}
	}
	if got := TableNumber("000012.sst"); got != 12 {
		t.Errorf("got table %d, want 12", got)
	}
	if ManifestNumber("MANIFEST-000003") != 3 || ManifestNumber("MANIFEST-3.old") != 0 {
		t.Error("got other numbers of manifests than 3 and 0")
	}
}

// TestHandle: what cannot be where a block lies is no panic.
func TestHandle(t *testing.T) {
	over := bytes.Repeat([]byte{0xff}, 12)
	for _, b := range [][]byte{nil, {1}, {0x80}, {1, 0x80}, over, append([]byte{1}, over...), {101, 1}, {50, 51}} {
		if _, _, _, ok := Handle(b, 100); ok {
			t.Errorf("%x: got a block", b)
		}
	}
	offset, length, rest, ok := Handle([]byte{50, 50, 7}, 100)
	if !ok || offset != 50 || length != 50 || len(rest) != 1 {
		t.Errorf("got %d, %d, %x, %v", offset, length, rest, ok)
	}
}
