// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/seal"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
)

// encode returns a log entry of one commit.
func (l *logEntry) encode(key []byte) []byte { return encodeAll(key, l) }

// encodeAll returns a log entry of some commits, the last of which has the number of the key.
func encodeAll(key []byte, commits ...*logEntry) []byte {
	var p pending
	for _, l := range commits {
		if err := p.add(1, l, l.appendSections(nil)); err != nil {
			panic(err)
		}
	}
	return p.frame(key, 0, p.count())
}

// encodeFirst returns a log entry of version 1, which has one commit.
func (l *logEntry) encodeFirst(key []byte) []byte {
	b := []byte{format.MagicLog, format.FormatVersion, 0, 0, 0, 0, 0, 0}
	b = l.appendSections(binary.AppendUvarint(b, l.time))
	seal.Write(key, b)
	return b
}

// decodeAll decodes a log entry.
func decodeAll(key, value []byte) (commits []*logEntry, err error) {
	f, err := openFrame(key, value)
	if err != nil {
		return nil, err
	}
	for {
		l, err := f.decode()
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
			f, err := openFrame(op.Key, op.Value)
			if err != nil {
				t.Fatal(err)
			}
			commits, frames = commits+int(f.last-f.first)+1, frames+1
		}
	}
	return commits, frames
}

// commitTogether commits numbered batches as one group.
func commitTogether(t *testing.T, ix *Index, from, to int) {
	t.Helper()
	ix.write.Lock() // until all of them wait: the first for the lock, the others for the first
	done := make(chan error, to-from)
	for n := from; n < to; n++ {
		go func() {
			_, err := ix.Commit(t.Context(), numbered(n))
			done <- err
		}()
	}
	within(t, "commits that wait", func() {
		for len(ix.requests) < to-from-1 {
			time.Sleep(time.Millisecond)
		}
	})
	ix.write.Unlock()
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
			b.Put(key, l.encodeFirst(key))
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

// TestGroupsShareAnEntry shows that commits of a group are one entry of the log, and that
// followers, trimming and opening see them one by one, from any number on.
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

// TestLogOfVersion1 opens an index whose log is of version 1, to be replayed, and of both versions,
// and goes on with it.
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
	var commits []*logEntry
	for _, ms := range times {
		commits = append(commits, &logEntry{time: ms})
	}
	value := encodeAll(key, commits...)
	back, err := decodeAll(key, value)
	if err != nil {
		t.Fatal(err)
	}
	var got []uint64
	for _, l := range back {
		got = append(got, l.time)
	}
	if !slices.Equal(got, times) {
		t.Errorf("got %v, want %v", got, times)
	}
	if f, err := openFrame(key, value); err != nil || f.first != 4 || f.last != 9 {
		t.Errorf("got commits %d to %d, %v, want 4 to 9", f.first, f.last, err)
	}
}

// TestLargeGroups splits what is more than a part of the log is to have, and takes commits of any
// size whole.
func TestLargeGroups(t *testing.T) {
	var p pending
	large := &logEntry{keys: []keyRun{{space: 1, keys: []string{string(bytes.Repeat([]byte("x"), format.MaxKey))}}}}
	sizes := []int{0, 0, 3, 1, 0, 0, 0, 2, 0}
	for i, n := range sizes {
		l := new(logEntry)
		for range n {
			l.keys = append(l.keys, large.keys...)
		}
		if err := p.add(uint64(i+5), l, l.appendSections(nil)); err != nil {
			t.Fatal(err)
		}
	}
	var b store.Batch
	p.put(&b, 7)
	next := uint64(5)
	for op := range b.Ops() {
		f, err := openFrame(op.Key, op.Value)
		if err != nil {
			t.Fatal(err)
		}
		if f.first != next || len(op.Value) >= 1<<10 && f.first < f.last {
			t.Errorf("got commits %d to %d in %d bytes, want them to begin with %d", f.first, f.last, len(op.Value),
				next)
		}
		next = f.last + 1
	}
	if next != uint64(5+len(sizes)) || b.Len() < 4 {
		t.Errorf("got commits up to %d in %d entries, want up to %d in at least 4", next-1, b.Len(), 4+len(sizes))
	}
}

// TestEntriesThatClaim refuses entries of a few bytes that claim to have much, and commits of more
// than a batch may have, without making room for them.
func TestEntriesThatClaim(t *testing.T) {
	key := format.AppendLogKey(nil, 7, 1<<40)
	head := []byte{format.MagicLog, format.LogVersion, 0, 0, 0, 0, 0, 0, 0}
	commit := func(sections ...byte) []byte {
		b := append(slices.Clone(head), 1, 0)
		return append(binary.AppendUvarint(b, uint64(len(sections))), sections...)
	}
	many := binary.AppendUvarint([]byte{sectionSet, 4, 0}, model.MaxEdits)
	many = append(many, make([]byte, model.MaxEdits)...)
	emptied := bytes.Repeat([]byte{sectionEmpty, 4, 0}, model.MaxEdits+1)
	keys := append(binary.AppendUvarint([]byte{sectionKeys, 1, 0}, model.MaxKeys), make([]byte, model.MaxKeys)...)
	// 300 keys of 64 KB, in four bytes each.
	spelt := append([]byte{sectionNearKeys, 1, 0}, binary.AppendUvarint(nil, 300)...)
	spelt = append(append(append(spelt, 0x0F), binary.AppendUvarint(nil, format.MaxKey-format.NearRest)...),
		make([]byte, format.MaxKey)...)
	for range 299 {
		spelt = append(append(spelt, 0xE0), binary.AppendUvarint(nil, format.MaxKey-format.NearShared)...)
	}
	// 2^22-1 keys of 10 bytes that follow each other.
	many10 := append(binary.AppendUvarint([]byte{sectionNearKeys, 1, 0}, model.MaxKeys-1),
		append([]byte("\x0aa100000000"), format.NearSuccessors)...)
	many10 = binary.AppendUvarint(many10, model.MaxKeys-3)
	for name, value := range map[string][]byte{
		"keys of many bytes":  commit(spelt...),
		"successors":          commit(many10...),
		"no number":           commit(sectionNearKeys, 1, 0, 2, 0x01, 'a', format.NearSuccessors, 0),
		"nothing before":      commit(sectionNearKeys, 1, 0, 1, format.NearSuccessors, 0),
		"too many successors": commit(sectionNearKeys, 1, 0, 2, 0x01, '1', format.NearSuccessors, 1),
		"no key":              commit(sectionNearKeys, 1, 0, 1, format.NearNone, 0),
		"an unknown head":     commit(sectionNearKeys, 1, 0, 1, 0xF2, 0),
		"more than is shared": commit(sectionNearKeys, 1, 0, 2, 0x01, 'a', 0x21, 'b'),
		"more than is left":   commit(sectionNearKeys, 1, 0, 1, 0x02, 'a'),
		"no lengths":          commit(sectionNearKeys, 1, 0, 2, 0x01, 'a'),
		"no commits":          append(slices.Clone(head), 0),
		"too many commits":    append(slices.Clone(head), 0xFF, 0xFF, 0xFF, 0xFF, 0x0F, 0),
		"more than follow":    append(slices.Clone(head), 3, 0, 0, 0, 0),
		"fewer than follow":   append(slices.Clone(head), 1, 0, 0, 0, 0),
		"a commit too long":   append(slices.Clone(head), 1, 0, 9, sectionInstalled, 3),
		"too many records":    commit(sectionSet, 4, 0, 0xFF, 0xFF, 0x3F, 0),
		"one write more":      commit(append(slices.Clone(many), sectionClear, 4, 0, 1, 0)...),
		"one list more":       commit(emptied...),
		"too many keys":       commit(keys...),
		"a record over again": commit(sectionSet, 4, 0, 2, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01,
			0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01),
	} {
		seal.Write(key, value)
		if _, err := decodeAll(key, value); !errors.Is(err, model.ErrCorrupt) {
			t.Errorf("%s: got %v, want ErrCorrupt", name, err)
		}
	}
	// As many records as bytes, of 16 MiB: refused at a glance.
	dense := commit(append(binary.AppendUvarint([]byte{sectionSet, 4, 0}, maxEntry), make([]byte, maxEntry)...)...)
	seal.Write(key, dense)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := decodeAll(key, dense)
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; !errors.Is(err, model.ErrCorrupt) || got > 1<<20 {
		t.Errorf("got %v, and %d bytes allocated, want ErrCorrupt and next to nothing", err, got)
	}
	value := commit(many...)
	seal.Write(key, value)
	if l, err := decodeAll(key, value); err != nil || len(l) != 1 || len(l[0].edits) != model.MaxEdits {
		t.Errorf("got %v for as many writes as may be, want them", err)
	}
	value = append(slices.Clone(head), 2, 0, 0, 0, 0)
	first := format.AppendLogKey(nil, 7, 1)
	seal.Write(first, value)
	if _, err := openFrame(first, value); !errors.Is(err, model.ErrCorrupt) {
		t.Errorf("commits before the first: got %v, want ErrCorrupt", err)
	}
}

// TestNearKeys: keys come back as they were written, whatever they share, and those that begin
// alike take few bytes.
func TestNearKeys(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 31))
	key := format.AppendLogKey(nil, 7, 9)
	for round := range 200 {
		var entry logEntry
		for range 1 + rng.IntN(3) {
			run := keyRun{space: 1, first: rng.Uint64N(1000), keys: []string{}}
			before := ""
			for range rng.IntN(40) {
				before = before[:rng.IntN(len(before)+1)] + strings.Repeat(string("a90"[rng.IntN(3)]),
					rng.IntN(1+rng.IntN(40)))
				run.keys = append(run.keys, before)
				for range rng.IntN(1 + rng.IntN(5)) {
					if n := len(before); n > 0 && format.IsDigit(before[n-1]) {
						before = string(format.Successor([]byte(before)))
						run.keys = append(run.keys, before)
					}
				}
			}
			entry.keys = append(entry.keys, run)
		}
		value := encodeAll(key, &entry)
		back, err := decodeAll(key, value)
		if err != nil || len(back) != 1 || !reflect.DeepEqual(back[0].keys, entry.keys) {
			t.Fatalf("round %d: got %v, %v, want %v", round, back, err, entry.keys)
		}
	}
	numbers := keyRun{space: 1}
	for i := range 10_000 {
		numbers.keys = append(numbers.keys, fmt.Sprint("person", 1_000_000+i))
	}
	if got := len(encodeAll(key, &logEntry{keys: []keyRun{numbers}})); got > 100 {
		t.Errorf("got %d bytes for 10 000 numbered keys, want at most 100", got)
	}
	for i := range numbers.keys {
		numbers.keys[i] = fmt.Sprint("person", 1_000_000+2*i)
	}
	if got := len(encodeAll(key, &logEntry{keys: []keyRun{numbers}})); got > 10_000*5/2 {
		t.Errorf("got %d bytes for 10 000 keys of even numbers, want 2.5 each at most", got)
	}
	// More text than an entry may have is written as it is.
	large := strings.Repeat("x", format.MaxKey)
	many := keyRun{space: 1, keys: slices.Repeat([]string{large}, maxEntry/format.MaxKey+1)}
	if section, spelt := many.appendTo(nil, 0); section[0] != sectionKeys || spelt != 0 {
		t.Errorf("got section %d of %d keys of %d bytes, want %d", section[0], len(many.keys), format.MaxKey,
			sectionKeys)
	}
	if section, _ := (&keyRun{space: 1, keys: []string{large, large}}).appendTo(nil,
		maxEntry-format.MaxKey); section[0] != sectionKeys {
		t.Errorf("got section %d behind %d bytes of others, want %d", section[0], maxEntry-format.MaxKey, sectionKeys)
	}
}

// FuzzLog reads arbitrary bytes, under a right checksum, as a log entry of either version: an
// error, or commits that are the same when they are written and read again.
func FuzzLog(f *testing.F) {
	key := format.AppendLogKey(nil, 1, 100)
	f.Add(encodeAll(key, &logEntry{time: 5, edits: []model.Edit{{Field: 4, Set: true}}},
		&logEntry{time: 3, forward: []model.ValueEdit{{Field: 20, Record: 3, Word: 9}}}))
	f.Add(encodeAll(key, &logEntry{time: 1_790_000_000_000, keys: []keyRun{{1, 2, []string{"a", ""}}},
		emptied: []model.RowName{{Field: 4, Row: 7}}, deleted: []deletion{{8, "gone"}}, installed: 3}))
	f.Add(encodeAll(key, &logEntry{time: 7, keys: []keyRun{{1, 2, []string{"person1", "person2", "person30", "a"}},
		{5, 0, []string{"p"}}}}))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) < format.HeadLen {
			return
		}
		for version := byte(1); version <= format.LogVersion; version++ {
			data := bytes.Clone(b)
			data[0], data[1] = format.MagicLog, version
			seal.Write(key, data)
			commits, err := decodeAll(key, data)
			if err != nil {
				continue
			}
			for _, l := range commits {
				for _, e := range l.edits {
					_ = entryOf(e)
				}
			}
			again := encodeAll(key, commits...)
			back, err := decodeAll(key, again)
			if err != nil || len(back) != len(commits) {
				t.Fatalf("got %d commits, %v, want %d", len(back), err, len(commits))
			}
			if twice := encodeAll(key, back...); !bytes.Equal(twice, again) {
				t.Fatalf("got %x, want %x", twice, again)
			}
		}
	})
}

// TestTellUpTo: of an entry of the log a follower is given the commits up to the last one when it
// asked, and not what stands in the same entry and nobody has seen yet.
func TestTellUpTo(t *testing.T) {
	ix := open(t, memstore.New(), testConfig(t, 16<<20))
	defer ix.Close()
	commitTogether(t, ix, 0, 10)
	for last := range uint64(11) {
		for from := range last + 1 {
			frames, err := ix.readLog(1)
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
