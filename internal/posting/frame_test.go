// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/wal"
	"github.com/uproar-db/uproar/internal/seal"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
)

// encode returns a log entry of one commit.
func encode(l *wal.Entry, key []byte) []byte { return encodeAll(key, l) }

// encodeAll returns a log entry of some commits; the last one has the number of the key.
func encodeAll(key []byte, commits ...*wal.Entry) []byte {
	var p wal.Pending
	for _, l := range commits {
		if err := p.Add(1, l, l.AppendSections(nil)); err != nil {
			panic(err)
		}
	}
	return p.Frame(key, 0, p.Count())
}

// encodeFirst returns a log entry of version 1, which has one commit.
func encodeFirst(l *wal.Entry, key []byte) []byte {
	b := []byte{format.MagicLog, format.FormatVersion, 0, 0, 0, 0, 0, 0}
	b = l.AppendSections(binary.AppendUvarint(b, l.Time))
	seal.Write(key, b)
	return b
}

// decodeAll decodes a log entry.
func decodeAll(key, value []byte) (commits []*wal.Entry, err error) {
	f, err := wal.Open(key, value)
	if err != nil {
		return nil, err
	}
	for {
		l, err := f.Decode()
		if l == nil || err != nil {
			return commits, err
		}
		commits = append(commits, l)
	}
}

// logged returns how many commits are in the log of a store, and in how many entries.
func logged(t *testing.T, s store.Store) (commits, frames int) {
	t.Helper()
	for _, op := range entries(t, s) {
		if op.Key[0] == format.KindLog {
			f, err := wal.Open(op.Key, op.Value)
			if err != nil {
				t.Fatal(err)
			}
			commits, frames = commits+int(f.Last-f.First)+1, frames+1
		}
	}
	return commits, frames
}

// commitTogether commits numbered batches as one group.
func commitTogether(t *testing.T, ix *Index, from, to int) {
	t.Helper()
	ix.writer.mu.Lock() // until all of them wait: the first for the lock, the others for the first
	done := make(chan error, to-from)
	for n := from; n < to; n++ {
		go func() {
			_, err := ix.Commit(t.Context(), numbered(n))
			done <- err
		}()
	}
	within(t, "commits that wait", func() {
		for len(ix.committer.requests) < to-from-1 {
			time.Sleep(time.Millisecond)
		}
	})
	ix.writer.mu.Unlock()
	for n := from; n < to; n++ {
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	}
}

// oldLog rewrites the log of a store as version 1 had it: an entry for each commit.
func oldLog(t *testing.T, s store.Store) {
	t.Helper()
	for _, op := range entries(t, s) {
		if op.Key[0] != format.KindLog {
			continue
		}
		commits, err := decodeAll(op.Key, op.Value)
		if err != nil {
			t.Fatal(err)
		}
		var b store.Batch
		b.Delete(op.Key)
		index := binary.BigEndian.Uint32(op.Key[1:])
		for i, l := range commits {
			key := format.AppendLogKey(nil, index, format.NumberOfKey(op.Key)-uint64(len(commits)-1-i))
			b.Put(key, encodeFirst(l, key))
		}
		if err := s.Apply(&b, true); err != nil {
			t.Fatal(err)
		}
	}
}

// follow returns what a follower is told after a number.
func follow(t *testing.T, ix *Index, after uint64) (told []string) {
	t.Helper()
	if err := ix.Log(t.Context(), after, func(e Entry) error {
		told = append(told, fmt.Sprint(e))
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return told
}

// TestGroupsShareAnEntry shows that the commits of a group share one entry of the log. Followers,
// trimming and opening see them one by one, from any number on.
func TestGroupsShareAnEntry(t *testing.T) {
	s := memstore.New()
	config := testConfig(t, 16<<20)
	config.Retention = Retention{Entries: 25}
	ix := open(t, s, config)
	for n := range 4 {
		commitTogether(t, ix, 10*n, 10*n+10)
	}
	if commits, frames := logged(t, s); commits != 40 || frames != 4 {
		t.Fatalf("got %d commits in %d entries of the log, want 40 in 4", commits, frames)
	}
	all := follow(t, ix, 0)
	for after := range uint64(40) {
		if told := follow(t, ix, after); !slices.Equal(told, all[after:]) {
			t.Errorf("after %d: got %v, want %v", after, told, all[after:])
		}
	}
	acknowledged := map[int]bool{}
	for n := range 40 {
		acknowledged[n] = true
	}
	ix.Close()
	ix = open(t, s, config)
	checkNumbered(t, ix, acknowledged, nil, 40)
	if told := follow(t, ix, 0); !slices.Equal(told, all) {
		t.Errorf("opened again: got %v, want %v", told, all)
	}
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	// The entry with the commits 11 to 20 has five that are to be kept.
	for range 2 {
		stats, err := ix.Stats()
		if err != nil || stats.OldestLog != 11 {
			t.Errorf("got commit %d as the oldest of the log, %v, want 11", stats.OldestLog, err)
		}
		var trimmed *TrimmedError
		if err := ix.Log(t.Context(), 9, func(Entry) error {
			return nil
		}); !errors.As(err, &trimmed) || *trimmed != (TrimmedError{10, 11}) {
			t.Errorf("got %v, want to be told that 10 is gone and 11 the oldest", err)
		}
		if told := follow(t, ix, 10); !slices.Equal(told, all[10:]) {
			t.Errorf("trimmed: got %v, want %v", told, all[10:])
		}
		if oldest, newest, err := ix.LogTimes(); err != nil || oldest.IsZero() || newest.Before(oldest) {
			t.Errorf("got times %v and %v, %v, want those of the ends of the log", oldest, newest, err)
		}
		if err := ix.Verify(t.Context(), nil); err != nil {
			t.Error(err)
		}
		ix.Close()
		ix = open(t, s, config)
	}
	ix.Close()
}

// TestLogOfVersion1 opens an index with a log of version 1, then of both versions. It replays the
// log and continues it.
func TestLogOfVersion1(t *testing.T) {
	s := memstore.New()
	config := testConfig(t, 16<<20)
	config.Retention = Retention{}
	ix := open(t, s, config)
	commitTogether(t, ix, 0, 10)
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	commitTogether(t, ix, 10, 20)
	all := follow(t, ix, 0)
	ix.Close()
	oldLog(t, s)
	if commits, frames := logged(t, s); commits != 20 || frames != 20 {
		t.Fatalf("got %d commits in %d entries of the log, want 20 in 20", commits, frames)
	}
	acknowledged := map[int]bool{}
	for n := range 30 {
		acknowledged[n] = true
	}
	ix = open(t, s, config)
	if told := follow(t, ix, 0); !slices.Equal(told, all) {
		t.Errorf("version 1: got %v, want %v", told, all)
	}
	commitTogether(t, ix, 20, 30)
	if told := follow(t, ix, 5); len(told) != 25 || !slices.Equal(told[:15], all[5:]) {
		t.Errorf("both versions: got %v, want %v and ten more", told, all[5:])
	}
	ix.Close()
	ix = open(t, s, config)
	checkNumbered(t, ix, acknowledged, nil, 30)
	if err := ix.Verify(t.Context(), nil); err != nil {
		t.Error(err)
	}
	ix.Close()
	config.Retention = Retention{Entries: 15}
	ix = open(t, s, config)
	defer ix.Close()
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if stats, err := ix.Stats(); err != nil || stats.OldestLog != 16 {
		t.Errorf("got commit %d as the oldest of the log, %v, want 16", stats.OldestLog, err)
	}
}

// TestTimesWithinAnEntry shows that each commit keeps its own time, also when the clock was set
// back.
func TestTimesWithinAnEntry(t *testing.T) {
	key := format.AppendLogKey(nil, 1, 9)
	times := []uint64{1000, 1000, 900, 5000, 0, 1 << 62}
	var commits []*wal.Entry
	for _, ms := range times {
		commits = append(commits, &wal.Entry{Time: ms})
	}
	value := encodeAll(key, commits...)
	back, err := decodeAll(key, value)
	if err != nil {
		t.Fatal(err)
	}
	var got []uint64
	for _, l := range back {
		got = append(got, l.Time)
	}
	if !slices.Equal(got, times) {
		t.Errorf("got %v, want %v", got, times)
	}
	if f, err := wal.Open(key, value); err != nil || f.First != 4 || f.Last != 9 {
		t.Errorf("got commits %d to %d, %v, want 4 to 9", f.First, f.Last, err)
	}
}

// TestLargeGroups splits a group that exceeds its part of the log. It takes a single commit of any
// size whole.
func TestLargeGroups(t *testing.T) {
	var p wal.Pending
	large := &wal.Entry{Keys: []wal.KeyRun{{Space: 1, Keys: []string{string(bytes.Repeat([]byte("x"),
		format.MaxKey))}}}}
	sizes := []int{0, 0, 3, 1, 0, 0, 0, 2, 0}
	for i, n := range sizes {
		l := new(wal.Entry)
		for range n {
			l.Keys = append(l.Keys, large.Keys...)
		}
		if err := p.Add(uint64(i+5), l, l.AppendSections(nil)); err != nil {
			t.Fatal(err)
		}
	}
	var b store.Batch
	p.Put(&b, 7)
	next := uint64(5)
	for op := range b.Ops() {
		f, err := wal.Open(op.Key, op.Value)
		if err != nil {
			t.Fatal(err)
		}
		if f.First != next || len(op.Value) >= 1<<10 && f.First < f.Last {
			t.Errorf("got commits %d to %d in %d bytes, want them to begin with %d", f.First, f.Last, len(op.Value),
				next)
		}
		next = f.Last + 1
	}
	if next != uint64(5+len(sizes)) || b.Len() < 4 {
		t.Errorf("got commits up to %d in %d entries, want up to %d in at least 4", next-1, b.Len(), 4+len(sizes))
	}
}

// TestTellUpTo: of an entry of the log a follower is given the commits up to the last one when it
// asked, and not what stands in the same entry and nobody has seen yet.
func TestTellUpTo(t *testing.T) {
	ix := open(t, memstore.New(), testConfig(t, 16<<20))
	defer ix.Close()
	commitTogether(t, ix, 0, 10)
	for last := range uint64(11) {
		for from := range last + 1 {
			frames, err := ix.changes.read(1)
			if err != nil || len(frames) != 1 {
				t.Fatalf("got %d entries of the log, %v, want 1", len(frames), err)
			}
			want := from
			after, err := ix.tell(frames[0], from, last, func(e Entry) error {
				if want++; e.Sequence != want {
					t.Errorf("from %d to %d: got commit %d, want %d", from, last, e.Sequence, want)
				}
				return nil
			})
			if err != nil || after != last || want != last {
				t.Errorf("from %d: got up to %d, %d commits, %v, want up to %d", from, after, want-from, err, last)
			}
		}
	}
}
