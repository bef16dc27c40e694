// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
)

// commitMany makes a number of commits, each of one member.
func commitMany(t *testing.T, ix *Index, commits uint64) {
	t.Helper()
	for n := range commits {
		var b Batch
		b.Set(country, model.ID(1), model.ID(n))
		if _, err := ix.Commit(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
	}
}

// logEntries returns the entries of the log with a number from first to last.
func logEntries(t *testing.T, s store.Store, first, last uint64) *store.Batch {
	t.Helper()
	b := new(store.Batch)
	err := s.Scan(format.AppendIndexPrefix(nil, format.KindLog, 7), nil, func(key, value []byte) error {
		if n := format.NumberOfKey(key); n >= first && n <= last {
			b.Put(bytes.Clone(key), bytes.Clone(value))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestEntriesLeftOver: entries that the writer has deleted, and a copy was killed before it did so
// too, are not read by the copy, and go. In a store of its own a gap is damage.
func TestEntriesLeftOver(t *testing.T) {
	s, config := memstore.New(), testConfig(t, 1<<20)
	config.Retention = Retention{Entries: 7}
	ix := open(t, s, config)
	commitMany(t, ix, 100)
	left := logEntries(t, s, 20, 25)
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	ix.Close()
	if left.Len() != 6 || logEntries(t, s, 0, 93).Len() != 0 || logEntries(t, s, 94, 100).Len() != 7 {
		t.Fatalf("the log is not as it was to be: %d entries taken, %d there", left.Len(), logEntries(t, s, 0, 100).Len())
	}
	if err := s.Apply(left, false); err != nil {
		t.Fatal(err)
	}
	nothing := func(Entry) error { return nil }

	ix = open(t, s, config)
	if err := ix.Log(t.Context(), 19, nothing); !errors.Is(err, model.ErrCorrupt) {
		t.Errorf("a gap in the log of a store of its own: got %v, want ErrCorrupt", err)
	}
	ix.Close()

	config.Follow = true
	ix = open(t, s, config)
	defer ix.Close()
	for _, after := range []uint64{0, 19, 24, 92} {
		var trimmed *TrimmedError
		if err := ix.Log(t.Context(), after, nothing); !errors.As(err, &trimmed) || trimmed.Oldest != 94 {
			t.Errorf("after %d: got %v, want to be told of entry 94", after, err)
		}
	}
	if err := ix.Log(t.Context(), 93, nothing); err != nil {
		t.Error(err)
	}
	stats, err := ix.Stats()
	if err != nil {
		t.Fatal(err)
	}
	if want := uint64(logEntries(t, s, 94, 100).Size()); stats.OldestLog != 94 || stats.LogBytes != want {
		t.Errorf("got a log from %d on of %d bytes, want 94 and %d", stats.OldestLog, stats.LogBytes, want)
	}
	for end := time.Now().Add(20 * time.Second); logEntries(t, s, 0, 93).Len() > 0; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the entries are still there after 20 s")
		}
	}
}

// TestAllEntriesLeftOver: the same where the writer has deleted all entries up to its pages.
func TestAllEntriesLeftOver(t *testing.T) {
	s, config := memstore.New(), testConfig(t, 1<<20)
	config.Retention = Retention{Age: time.Nanosecond}
	ix := open(t, s, config)
	commitMany(t, ix, 100)
	left := logEntries(t, s, 20, 25)
	time.Sleep(2 * time.Millisecond) // an age is of whole milliseconds
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	ix.Close()
	if got := logEntries(t, s, 0, 100).Len(); left.Len() != 6 || got != 0 {
		t.Fatalf("the log is not as it was to be: %d entries taken, %d there", left.Len(), got)
	}
	if err := s.Apply(left, false); err != nil {
		t.Fatal(err)
	}
	config.Follow = true
	ix = open(t, s, config)
	defer ix.Close()
	for _, after := range []uint64{0, 19, 24, 99} {
		var trimmed *TrimmedError
		err := ix.Log(t.Context(), after, func(Entry) error { return nil })
		if !errors.As(err, &trimmed) || trimmed.Oldest != 101 {
			t.Errorf("after %d: got %v, want to be told of entry 101", after, err)
		}
	}
	if stats, err := ix.Stats(); err != nil || stats.LogBytes != 0 || stats.OldestLog != 101 {
		t.Errorf("got %d bytes of log from %d on, %v; want none", stats.LogBytes, stats.OldestLog, err)
	}
}

// TestEpochsOfPages: the pages of a process have its epoch in their generations, from the first one
// on, and those of the next one are above.
func TestEpochsOfPages(t *testing.T) {
	s, config := memstore.New(), testConfig(t, 1<<20)
	for _, epoch := range []uint64{1, 2, 7} {
		config.Epoch = epoch
		ix := open(t, s, config)
		commitMany(t, ix, 5)
		if err := ix.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		newest := uint64(0)
		for _, f := range ix.source.State.Load().Version.Manifest.Fields {
			for _, r := range f.Refs {
				newest = max(newest, r.Generation)
			}
		}
		if newest>>format.EpochShift != epoch {
			t.Errorf("epoch %d: got a page of generation %x", epoch, newest)
		}
		ix.Close()
	}
	config.Epoch = format.MaxEpoch + 1
	if ix, err := Open(s, config); !errors.Is(err, model.ErrInvalid) {
		t.Errorf("epoch %d: got %v, %v, want ErrInvalid", config.Epoch, ix, err)
	}
}
