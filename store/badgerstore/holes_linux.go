// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package badgerstore

import (
	"os"
	"sync"
)

// holeFiller reads new value-log files before they are written.
//
// A new file is a hole, in which each 4 KB that are written are a page fault of their own, with
// memory to be found and cleared for each. Reading the hole before has the system do that for many
// pages at a time, and without the writer waiting for it. It changes no byte, so that it does no
// harm beside writers.
//
// The size of the pieces of memory matters, because a sync writes the whole of the last one. The
// system reads ahead in windows: 1 page and 4 at a beginning, then 16, then 64, each when a reader
// comes to the beginning of the last one. The pieces grow with them, to 4 and 16 pages, and there a
// wave ends. A page is left out behind it, so that what follows is a beginning again.
type holeFiller struct {
	size  int64 // how much of a file is read
	quit  <-chan struct{}
	file  string // the last one
	under sync.WaitGroup
}

const (
	pageBytes  = 4 << 10
	wavePages  = 1 + 4 + 16 + 64 + 1
	waveWriter = 256 << 10 // the least to be written at a time for the rest of 16 pages to be a trifle
)

// waveReads are the pages of a wave that are read. The windows are read ahead of them.
var waveReads = [...]int64{0, 1, 2, 5}

// begin has a file read in a goroutine of its own. What fails is a matter of speed only.
func (h *holeFiller) begin(file string) {
	h.file = file
	h.under.Go(func() {
		for page := int64(0); page*pageBytes < h.size && h.wave(file, page); page += wavePages {
			select {
			case <-h.quit:
				return
			default:
			}
		}
	})
}

// wave reads from a page on. The file is opened for it, since to the system whoever has just opened
// a file is a beginner.
func (h *holeFiller) wave(file string, page int64) bool {
	f, err := os.Open(file)
	if err != nil {
		return false
	}
	defer f.Close()
	var b [1]byte
	for _, read := range waveReads {
		_, _ = f.ReadAt(b[:], (page+read)*pageBytes)
	}
	return true
}
