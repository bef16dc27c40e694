// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"errors"
	"testing"
	"time"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/store/memstore"
)

// TestLogTimes: LogTimes agrees with the times that a follower reads. This holds also while commits
// wait to be written, after trimming and after opening.
func TestLogTimes(t *testing.T) {
	s := memstore.New()
	config := testConfig(t, 16<<20)
	config.Retention, config.SyncEvery = Retention{Entries: 3}, time.Hour
	ix := open(t, s, config)
	if oldest, newest, err := ix.LogTimes(); !oldest.IsZero() || !newest.IsZero() || err != nil {
		t.Errorf("an empty log: got %v, %v, %v, want no times", oldest, newest, err)
	}
	check := func(when string, after uint64) {
		t.Helper()
		oldest, newest, err := ix.LogTimes()
		if err != nil {
			t.Fatal(err)
		}
		var times []time.Time
		err = ix.Log(t.Context(), after, func(e Entry) error {
			times = append(times, e.Time)
			return nil
		})
		if err != nil || !oldest.Equal(times[0]) || !newest.Equal(times[len(times)-1]) || oldest.Equal(newest) {
			t.Errorf("%s: got %v and %v, want the ends of %v (%v)", when, oldest, newest, times, err)
		}
	}
	for n := range 6 {
		if n == 3 {
			check("half of them", 0) // writes them to an entry of the log
		}
		if _, err := ix.Commit(t.Context(), numbered(n)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(3 * time.Millisecond) // so that no two have the same time
	}
	check("in a delta", 0)
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	check("trimmed", 3)
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
	if _, _, err := ix.LogTimes(); !errors.Is(err, model.ErrClosed) {
		t.Errorf("after Close: got %v, want ErrClosed", err)
	}
	config.ReadOnly = true
	ix = open(t, s, config)
	defer ix.Close()
	check("read only", 3)
}
