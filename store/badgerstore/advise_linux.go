// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package badgerstore

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// adviser tells Linux not to read ahead in the value-log file at the end of the log. It does so
// while the file is written.
//
// Badger writes through a mapping. Where the system reads ahead far
// (/sys/block/*/queue/read_ahead_kb), a write into a part of the file that is not in memory brings
// in large pages of up to megabytes. Each sync then writes all of the last one, though only its
// beginning is used. Once the file is full the advice is taken back, because reading a page of ours
// from the disk is served by reading ahead. Badger does not hand out its mappings, so they are
// looked up where the system lists them. Not safe for concurrent use.
type adviser struct {
	folder  string // as the system lists it; "" when it is not known
	current string // the file that was advised
	next    string // the file that comes after it
	left    int64  // bytes to be written until the next look
	largest int64  // of the batches since that file was begun
	filler  holeFiller
}

// adviseEvery is how much is written between two looks for another file. When no next file is
// known, a look reads the mappings.
const adviseEvery = 1 << 20

func newAdviser(dir string, fileSize int64, quit <-chan struct{}) *adviser {
	folder, err := filepath.Abs(dir)
	if err == nil {
		folder, err = filepath.EvalSymlinks(folder)
	}
	if err != nil {
		return &adviser{}
	}
	return &adviser{folder: folder + string(filepath.Separator), filler: holeFiller{size: fileSize + adviseEvery,
		quit: quit}}
}

// wrote is called when a batch of n bytes is about to be written.
func (a *adviser) wrote(n int64) {
	a.largest = max(a.largest, n)
	if a.left -= n; a.left > 0 || a.folder == "" {
		return
	}
	a.left = adviseEvery
	if a.next != "" {
		if _, err := os.Stat(a.next); err != nil {
			return
		}
	}
	list, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		a.folder = "" // it is not to be had here
		return
	}
	mappings := valueLogs(list, a.folder)
	newest := newestMapped(mappings)
	if newest == a.current {
		return
	}
	for _, m := range mappings {
		switch m.file {
		case newest:
			m.advise(syscall.MADV_RANDOM)
		case a.current:
			m.advise(syscall.MADV_NORMAL)
		}
	}
	if a.current != "" && a.largest >= waveWriter { // the first that is seen may have been there
		a.filler.begin(a.folder + newest)
	}
	a.current, a.next, a.largest = newest, a.folder+nextLog(newest), 0
}

// stop waits for what is under way, once quit is closed.
func (a *adviser) stop() { a.filler.under.Wait() }

// newestMapped returns the file of the greatest number, "" if there is none. Names become longer
// from 1000000 on, so that their order is another.
func newestMapped(mappings []mapping) (file string) {
	newest := uint32(0)
	for _, m := range mappings {
		if n, ok := valueLogNumber(m.file); ok && n > newest {
			newest, file = n, m.file
		}
	}
	return file
}

// nextLog returns the name of the value-log file that comes after one.
func nextLog(file string) string {
	n, _ := strconv.ParseUint(strings.TrimSuffix(file, ".vlog"), 10, 32)
	return fmt.Sprintf("%06d.vlog", n+1)
}

// mapping is a part of memory that shows a file.
type mapping struct {
	start, end uintptr
	file       string
}

// valueLogs returns the mappings of the value-log files in a folder. A line of the list is
// "7f65c0000000-7f65c8000000 rw-s 00000000 fd:00 1234    /folder/000001.vlog".
func valueLogs(list []byte, folder string) (found []mapping) {
	for line := range bytes.Lines(list) {
		at := bytes.IndexByte(line, '/')
		if at < 0 {
			continue
		}
		file, ok := bytes.CutPrefix(bytes.TrimSuffix(line[at:], []byte("\n")), []byte(folder))
		if !ok || filepath.Ext(string(file)) != ".vlog" {
			continue
		}
		span, _, _ := bytes.Cut(line, []byte(" "))
		from, to, _ := bytes.Cut(span, []byte("-"))
		start, err1 := strconv.ParseUint(string(from), 16, 64)
		end, err2 := strconv.ParseUint(string(to), 16, 64)
		if err1 == nil && err2 == nil && start < end {
			found = append(found, mapping{uintptr(start), uintptr(end), string(file)})
		}
	}
	return found
}

// advise gives an advice. It changes nothing that can be read or written, even if Badger has
// replaced the mapping meanwhile.
func (m mapping) advise(advice uintptr) {
	_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, m.start, m.end-m.start, advice)
}
