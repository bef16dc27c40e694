// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package badgerstore

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/uproar-db/uproar/store"
)

func TestBackoff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b backoff
		if !b.isOver() {
			t.Error("it has to wait before it was tried")
		}
		for _, want := range []time.Duration{1, 2, 4, 8, 16, 32, 60, 60} {
			want *= time.Second
			b.note(errors.New("failed"))
			time.Sleep(want - 1)
			if b.isOver() {
				t.Errorf("tried again before %v", want)
			}
			if time.Sleep(time.Nanosecond); !b.isOver() {
				t.Errorf("not tried again after %v", want)
			}
		}
		b.note(errors.New("failed"))
		if b.note(nil); !b.isOver() || b.pause != 0 {
			t.Errorf("got %+v after a success, want nothing", b)
		}
	})
}

// TestFailingPass has every pass fail for want of room while writers write on: it is tried now and
// then, not with each write, and told as often.
func TestFailingPass(t *testing.T) {
	var out bytes.Buffer
	s := mustOpenFiles(t, &Options{Logger: slog.New(slog.NewTextHandler(&out,
		&slog.HandlerOptions{Level: slog.LevelWarn}))}, smallFile)
	s.room = func(string) int64 {
		if s.house.pace.passing.Load() {
			return 0
		}
		return 1 << 40
	}
	start := time.Now()
	for i := 0; i < 200 || s.house.passes.Load() == 0; i++ {
		b := new(store.Batch)
		b.Put([]byte{byte(i % 4)}, bytes.Repeat([]byte{byte(i)}, 256<<10))
		if err := s.Apply(b, true); err != nil && !errors.Is(err, store.ErrFull) { // it came during a pass
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	passes, most := s.house.passes.Load(), uint64(2+time.Since(start)/firstPause)
	if told := uint64(strings.Count(out.String(), "reclaiming space failed")); passes > most || told > passes ||
		told+1 < passes {
		t.Errorf("got %d passes, told of %d times, want at most %d, each told:\n%s", passes, told, most, out.String())
	}
}
