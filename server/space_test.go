// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server_test

import (
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/server"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
)

// smallDisk is a store that says how much space it has left.
type smallDisk struct {
	store.Store
	free, files atomic.Uint64
	applied     atomic.Uint64 // batches
}

func (d *smallDisk) Space() (store.Space, error) {
	s := store.Space{Free: d.free.Load(), Reserve: 1000, Files: d.files.Load()}
	if s.Free < s.Reserve {
		return s, fmt.Errorf("%w: %d bytes free", store.ErrFull, s.Free)
	}
	return s, nil
}

func (d *smallDisk) Apply(b *store.Batch, sync bool) error {
	d.applied.Add(1)
	return d.Store.Apply(b, sync)
}

// TestDiskFillsUp: /readyz, the figures and the log tell of a disk that fills up before any write
// is refused, and without a write.
func TestDiskFillsUp(t *testing.T) {
	disk := &smallDisk{Store: memstore.New()}
	disk.free.Store(1 << 30)
	disk.files.Store(1 << 20)
	db, err := uproar.Open(t.Context(), disk, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	log := new(lockedBuffer)
	s := newSiteOf(t, &server.Options{Logger: slog.New(slog.NewTextHandler(log, nil))}, db, nil)
	s.check("GET", "/readyz", "", 200, `{"status":"ok"}`)
	applied := disk.applied.Load()
	lines := 0
	for _, step := range []struct {
		free, files uint64
		status      int
		log         []string // parts of its next line; nil: there is none
	}{
		{2500, 1 << 20, 200, nil},
		{1999, 1 << 20, 200, []string{"level=WARN", "the disk fills up", "free_bytes=1999", "reserve_bytes=1000"}},
		{2500, 1 << 20, 200, nil}, // which is no end yet
		{999, 1 << 20, 503, []string{"level=ERROR", "the disk takes no writes", "reason=full", "999 bytes free"}},
		{2500, 1 << 20, 200, []string{"level=INFO", "the disk takes writes again"}},
		{3000, 1 << 20, 200, []string{"level=INFO", "the disk has room again", "free_bytes=3000"}},
		{3000, 999, 200, []string{"level=WARN", "the disk fills up", "free_files=999"}},
	} {
		disk.free.Store(step.free)
		disk.files.Store(step.files)
		if step.log != nil {
			lines++
		}
		what := fmt.Sprintf("%d bytes and %d files free", step.free, step.files)
		waitFor(t, what, func() bool {
			resp, text := s.do("GET", "/readyz", "")
			return resp.StatusCode == step.status && strings.Count(log.String(), "\n") >= lines &&
				(step.status == 200 || strings.Contains(text, `"reason":"full"`))
		})
		said := strings.Split(strings.TrimSpace(log.String()), "\n")
		for _, part := range step.log {
			if !strings.Contains(said[len(said)-1], part) {
				t.Errorf("%s: there is no %q in the last line of\n%s", what, part, log.String())
			}
		}
		_, figures := s.do("GET", "/metrics", "")
		for _, want := range []string{
			fmt.Sprintf("uproar_disk_free_bytes %d\n", step.free), "uproar_disk_reserve_bytes 1000\n",
			fmt.Sprintf("uproar_disk_free_files %s\n", strings.Replace(fmt.Sprint(step.files), "1048576",
				"1.048576e+06", 1)),
			fmt.Sprintf("uproar_writable %d\n", map[bool]int{true: 1}[step.status == 200]),
		} {
			if !strings.Contains(figures, want) {
				t.Errorf("%s: there is no %q in\n%s", what, want, strings.Join(grep(figures,
					"uproar_disk|uproar_writable"), ""))
			}
		}
	}
	if n := strings.Count(log.String(), "\n"); n != lines {
		t.Errorf("got %d lines in the log, want %d:\n%s", n, lines, log.String())
	}
	// Whether it is over is tried by a write, when there is space for one.
	if n := disk.applied.Load() - applied; n > 2 {
		t.Errorf("looking at the disk has made %d commits, want those after it was full", n)
	}
}
