// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package badgerstore

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/store"
)

func TestValueLogs(t *testing.T) {
	const list = `00400000-00452000 r-xp 00000000 08:02 173521 /usr/bin/thing
7f65c0000000-7f65c8000000 rw-s 00000000 fd:00 1234                       /a b/db/000001.vlog
7f65d0000000-7f65d0001000 rw-s 00000000 fd:00 1235                       /a b/db/000001.mem
7f65e0000000-7f65e8000000 rw-s 00000000 fd:00 1236                       /a b/db/000002.vlog
7f65f0000000-7f65f8000000 rw-s 00000000 fd:00 1237                       /other/000003.vlog
x-y rw-s 00000000 fd:00 1238 /a b/db/000004.vlog
7fff00000000-7fff00001000 rw-p 00000000 00:00 0                          [stack]`
	want := []mapping{{0x7f65c0000000, 0x7f65c8000000, "000001.vlog"}, {0x7f65e0000000, 0x7f65e8000000, "000002.vlog"}}
	if got := valueLogs([]byte(list), "/a b/db/"); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestNewestMapped has names that are in another order than their numbers.
func TestNewestMapped(t *testing.T) {
	for want, files := range map[string][]string{
		"":             {"x.vlog", "000000.vlog"},
		"000002.vlog":  {"000001.vlog", "000002.vlog", "x.vlog"},
		"1000000.vlog": {"000007.vlog", "1000000.vlog", "999999.vlog"},
	} {
		var mappings []mapping
		for _, file := range files {
			mappings = append(mappings, mapping{file: file})
		}
		if got := newestMapped(mappings); got != want {
			t.Errorf("%v: got %q, want %q", files, got, want)
		}
	}
	if got := nextLog("999999.vlog"); got != "1000000.vlog" {
		t.Errorf("got %s as the next one, want 1000000.vlog", got)
	}
}

// TestAdvised checks that only the file at the end of the log is advised. It is read before it is
// written.
func TestAdvised(t *testing.T) {
	s := mustOpenFiles(t, nil, smallFile)
	value := bytes.Repeat([]byte("v"), 1<<20)
	for i := range 48 {
		b := new(store.Batch)
		b.Put([]byte{byte(i)}, value)
		if err := s.Apply(b, true); err != nil {
			t.Fatal(err)
		}
	}
	// "rr" stands for MADV_RANDOM among the flags of a mapping.
	list, err := os.ReadFile("/proc/self/smaps")
	if err != nil || !bytes.Contains(list, []byte("VmFlags:")) {
		t.Skipf("the system does not show flags of mappings: %v", err)
	}
	advised, file := map[string]bool{}, ""
	for line := range strings.Lines(string(list)) {
		line = strings.TrimSuffix(line, "\n")
		if name, ok := strings.CutPrefix(line, "VmFlags:"); ok {
			advised[file] = slices.Contains(strings.Fields(name), "rr")
		} else if _, rest, ok := strings.Cut(line, "/"); ok && !strings.Contains(line, "kB") {
			file = "/" + rest
		} else if strings.Contains(line, "-") && !strings.Contains(line, "kB") {
			file = ""
		}
	}
	n, others := 0, 0
	for name, is := range advised {
		if strings.HasPrefix(name, newAdviser(s.dir, 0, nil).folder) && strings.HasSuffix(name, ".vlog") {
			if others++; is {
				n++
			}
		}
	}
	if n > 1 || others < 2 || s.writes.advice.current == "" {
		t.Errorf("got %d of %d value-log files advised, the last being %q; want at most one", n, others,
			s.writes.advice.current)
	}
	if got, want := s.writes.advice.filler.file, s.writes.advice.folder+s.writes.advice.current; got != want {
		t.Errorf("got %q as the last file that was read before, want %q", got, want)
	}
}
