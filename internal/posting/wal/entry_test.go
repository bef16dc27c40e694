// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package wal

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

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/seal"
)

// TestEntriesThatClaim refuses short entries that claim much, and commits larger than a batch. It
// checks that no room is made for them.
func TestEntriesThatClaim(t *testing.T) {
	key := format.AppendLogKey(nil, 7, 1<<40)
	header := []byte{format.MagicLog, format.LogVersion, 0, 0, 0, 0, 0, 0, 0}
	commit := func(sections ...byte) []byte {
		b := append(slices.Clone(header), 1, 0)
		return append(binary.AppendUvarint(b, uint64(len(sections))), sections...)
	}
	many := binary.AppendUvarint([]byte{sectionSet, 4, 0}, model.MaxEdits)
	many = append(many, make([]byte, model.MaxEdits)...)
	emptied := bytes.Repeat([]byte{sectionEmpty, 4, 0}, model.MaxEdits+1)
	keys := append(binary.AppendUvarint([]byte{sectionKeys, 1, 0}, model.MaxKeys), make([]byte, model.MaxKeys)...)
	// 300 keys of 64 KB, in four bytes each.
	spelt := append([]byte{sectionPrefixKeys, 1, 0}, binary.AppendUvarint(nil, 300)...)
	spelt = append(append(append(spelt, 0x0F), binary.AppendUvarint(nil, format.MaxKey-format.NearRest)...),
		make([]byte, format.MaxKey)...)
	for range 299 {
		spelt = append(append(spelt, 0xE0), binary.AppendUvarint(nil, format.MaxKey-format.NearShared)...)
	}
	// 2^22-1 keys of 10 bytes that follow each other.
	many10 := append(binary.AppendUvarint([]byte{sectionPrefixKeys, 1, 0}, model.MaxKeys-1),
		append([]byte("\x0aa100000000"), format.NearSuccessors)...)
	many10 = binary.AppendUvarint(many10, model.MaxKeys-3)
	for name, value := range map[string][]byte{
		"keys of many bytes":  commit(spelt...),
		"successors":          commit(many10...),
		"no number":           commit(sectionPrefixKeys, 1, 0, 2, 0x01, 'a', format.NearSuccessors, 0),
		"nothing before":      commit(sectionPrefixKeys, 1, 0, 1, format.NearSuccessors, 0),
		"too many successors": commit(sectionPrefixKeys, 1, 0, 2, 0x01, '1', format.NearSuccessors, 1),
		"no key":              commit(sectionPrefixKeys, 1, 0, 1, format.NearNone, 0),
		"an unknown head":     commit(sectionPrefixKeys, 1, 0, 1, 0xF2, 0),
		"more than is shared": commit(sectionPrefixKeys, 1, 0, 2, 0x01, 'a', 0x21, 'b'),
		"more than is left":   commit(sectionPrefixKeys, 1, 0, 1, 0x02, 'a'),
		"no lengths":          commit(sectionPrefixKeys, 1, 0, 2, 0x01, 'a'),
		"no commits":          append(slices.Clone(header), 0),
		"too many commits":    append(slices.Clone(header), 0xFF, 0xFF, 0xFF, 0xFF, 0x0F, 0),
		"more than follow":    append(slices.Clone(header), 3, 0, 0, 0, 0),
		"fewer than follow":   append(slices.Clone(header), 1, 0, 0, 0, 0),
		"a commit too long":   append(slices.Clone(header), 1, 0, 9, sectionInstalled, 3),
		"too many records":    commit(sectionSet, 4, 0, 0xFF, 0xFF, 0x3F, 0),
		"one write more":      commit(append(slices.Clone(many), sectionClear, 4, 0, 1, 0)...),
		"one list more":       commit(emptied...),
		"too many keys":       commit(keys...),
		"a record over again": commit(sectionSet, 4, 0, 2, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
			0x01,
			0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01),
	} {
		seal.Write(key, value)
		if _, err := decodeAll(key, value); !errors.Is(err, model.ErrCorrupt) {
			t.Errorf("%s: got %v, want ErrCorrupt", name, err)
		}
	}
	// As many records as bytes, of 16 MiB: refused at a glance.
	dense := commit(append(binary.AppendUvarint([]byte{sectionSet, 4, 0}, maxEntry),
		make([]byte, maxEntry)...)...)
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
	if l, err := decodeAll(key, value); err != nil || len(l) != 1 || len(l[0].Edits) != model.MaxEdits {
		t.Errorf("got %v for as many writes as may be, want them", err)
	}
	value = append(slices.Clone(header), 2, 0, 0, 0, 0)
	first := format.AppendLogKey(nil, 7, 1)
	seal.Write(first, value)
	if _, err := Open(first, value); !errors.Is(err, model.ErrCorrupt) {
		t.Errorf("commits before the first: got %v, want ErrCorrupt", err)
	}
}

// TestPrefixKeysOfEntries: keys come back as they were written, whatever they share. Keys that
// begin alike take few bytes.
func TestPrefixKeysOfEntries(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 31))
	key := format.AppendLogKey(nil, 7, 9)
	for round := range 200 {
		var entry Entry
		for range 1 + rng.IntN(3) {
			run := KeyRun{Space: 1, First: rng.Uint64N(1000), Keys: []string{}}
			before := ""
			for range rng.IntN(40) {
				before = before[:rng.IntN(len(before)+1)] + strings.Repeat(string("a90"[rng.IntN(3)]),
					rng.IntN(1+rng.IntN(40)))
				run.Keys = append(run.Keys, before)
				for range rng.IntN(1 + rng.IntN(5)) {
					if n := len(before); n > 0 && format.IsDigit(before[n-1]) {
						before = string(format.Successor([]byte(before)))
						run.Keys = append(run.Keys, before)
					}
				}
			}
			entry.Keys = append(entry.Keys, run)
		}
		value := encodeAll(key, &entry)
		back, err := decodeAll(key, value)
		if err != nil || len(back) != 1 || !reflect.DeepEqual(back[0].Keys, entry.Keys) {
			t.Fatalf("round %d: got %v, %v, want %v", round, back, err, entry.Keys)
		}
	}
	numbers := KeyRun{Space: 1}
	for i := range 10_000 {
		numbers.Keys = append(numbers.Keys, fmt.Sprint("person", 1_000_000+i))
	}
	if got := len(encodeAll(key, &Entry{Keys: []KeyRun{numbers}})); got > 100 {
		t.Errorf("got %d bytes for 10 000 numbered keys, want at most 100", got)
	}
	for i := range numbers.Keys {
		numbers.Keys[i] = fmt.Sprint("person", 1_000_000+2*i)
	}
	if got := len(encodeAll(key, &Entry{Keys: []KeyRun{numbers}})); got > 10_000*5/2 {
		t.Errorf("got %d bytes for 10 000 keys of even numbers, want 2.5 each at most", got)
	}
	// More text than an entry may have is written as it is.
	large := strings.Repeat("x", format.MaxKey)
	many := KeyRun{Space: 1, Keys: slices.Repeat([]string{large}, maxEntry/format.MaxKey+1)}
	if section, spelt := many.appendTo(nil, 0); section[0] != sectionKeys || spelt != 0 {
		t.Errorf("got section %d of %d keys of %d bytes, want %d", section[0], len(many.Keys), format.MaxKey,
			sectionKeys)
	}
	if section, _ := (&KeyRun{Space: 1, Keys: []string{large, large}}).appendTo(nil,
		maxEntry-format.MaxKey); section[0] != sectionKeys {
		t.Errorf("got section %d behind %d bytes of others, want %d", section[0], maxEntry-format.MaxKey,
			sectionKeys)
	}
}

// FuzzLog reads arbitrary bytes, under a right checksum, as a log entry of either version: an
// error, or commits that are the same when they are written and read again.
func FuzzLog(f *testing.F) {
	key := format.AppendLogKey(nil, 1, 100)
	f.Add(encodeAll(key, &Entry{Time: 5, Edits: []model.Edit{{Field: 4, Set: true}}},
		&Entry{Time: 3, Values: []model.ValueEdit{{Field: 20, Record: 3, Word: 9}}}))
	f.Add(encodeAll(key, &Entry{Time: 1_790_000_000_000, Keys: []KeyRun{{Space: 1, First: 2,
		Keys: []string{"a", ""}}},
		Emptied: []model.RowName{{Field: 4, Row: 7}}, Deleted: []Deletion{{Record: 8, Key: "gone"}}, Installed: 3}))
	f.Add(encodeAll(key, &Entry{Time: 7, Keys: []KeyRun{{Space: 1, First: 2,
		Keys: []string{"person1", "person2", "person30", "a"}},
		{Space: 5, First: 0, Keys: []string{"p"}}}}))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) < format.HeaderLen {
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
