// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/wal"
	"github.com/uproar-db/uproar/internal/seal"

	"github.com/uproar-db/uproar/internal/golden"
)

func TestGoldenPages(t *testing.T) {
	t.Run("postings", func(t *testing.T) {
		r := format.Ref{Field: 4, First: 10, Generation: 99}
		// Bodies of package bitmap: {7}, empty, {1, 2, 300}.
		data := format.AppendPage(format.Postings, []format.Row{{Offset: 0, Values: 1, Body: []byte{0xF9, 7}},
			{Offset: 2, Values: 3, Body: []byte{0x30, 2, 0x15, 0x0A, 0xB0, 0x04}}})
		key := format.AppendPageKey(nil, 1, &r)
		seal.Write(key, data)
		p, err := format.OpenPage(&r, key, data)
		if err != nil {
			t.Fatal(err)
		}
		golden.Entry(t, "page-postings", "rows 10 to 12 of field 4, two-byte slots", key, data,
			fmt.Sprintf("%x\n%x\n%x", p.Row(0), p.Row(1), p.Row(2)))
	})
	t.Run("sparse", func(t *testing.T) {
		r := format.Ref{Field: 4, First: 10, Generation: 98}
		data := format.AppendPage(format.Postings, []format.Row{{Offset: 0, Values: 1, Body: []byte{0xF9, 7}},
			{Offset: 60_000, Values: 3, Body: []byte{0x30, 2, 0x15, 0x0A, 0xB0, 0x04}}})
		key := format.AppendPageKey(nil, 1, &r)
		seal.Write(key, data)
		p, err := format.OpenPage(&r, key, data)
		if err != nil {
			t.Fatal(err)
		}
		golden.Entry(t, "page-sparse", "rows 10 and 60010 of field 4, two-byte slots after their numbers", key, data,
			fmt.Sprintf("%d rows\n%x\n%x\n%x", p.Rows(), p.Row(0), p.Row(1), p.Row(60_000)))
	})
	t.Run("piece", func(t *testing.T) {
		r := format.Ref{Field: 8, First: 3, Piece: 0x123 + 1, Generation: 100}
		data := format.AppendPage(format.Postings, []format.Row{{Body: bytes.Repeat([]byte{0}, 1<<16)}})
		key := format.AppendPageKey(nil, 1, &r)
		seal.Write(key, data)
		p, err := format.OpenPage(&r, key, data)
		if err != nil {
			t.Fatal(err)
		}
		golden.Entry(t, "page-piece",
			"the piece of row 3 from container key 0x123 on, four-byte slots (the value's first 32 bytes)", key,
			data[:32],
			fmt.Sprintf("%d bytes", len(p.Row(0))))
	})
	t.Run("keys", func(t *testing.T) {
		r := format.Ref{Field: 1, First: 0, Generation: 101}
		texts := []string{"alice", "did:plc:ewvi7nxzyoun6zhxrhs64oiz", "did:plc:EWVI7nxzyoun6zhxrhs64oiz"}
		var rows []format.Row
		for i, k := range texts {
			rows = append(rows, format.Row{Offset: uint16(i), Values: 1, Body: format.AppendKey(nil, k)})
		}
		data := format.AppendPage(format.Keys, rows)
		key := format.AppendPageKey(nil, 1, &r)
		seal.Write(key, data)
		p, err := format.OpenPage(&r, key, data)
		if err != nil {
			t.Fatal(err)
		}
		var back []string
		for i := range texts {
			text, ok := format.AppendKeyText(nil, p.Row(uint64(i)))
			if !ok || string(text) != texts[i] {
				t.Errorf("got %q, %v, want %q", text, ok, texts[i])
			}
			back = append(back, string(text))
		}
		golden.Entry(t, "page-keys", "keys of IDs 0 to 2: raw, packed, and raw for its capitals", key, data,
			strings.Join(back, "\n"))
	})
	t.Run("hashes", func(t *testing.T) {
		secret := format.Secret{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}
		r := format.Ref{Field: 2, First: 1 << 60, Generation: 102}
		entries := []format.HashEntry{{Hash: 1<<60 + 5, ID: 3}, {Hash: 1<<60 + 1<<50, ID: 70_000},
			{Hash: 1<<61 - 1, ID: 0}}
		data := format.AppendHashPage(entries, 1<<60, 1<<61-1)
		key := format.AppendPageKey(nil, 1, &r)
		seal.Write(key, data)
		p, err := format.OpenPage(&r, key, data)
		if err != nil {
			t.Fatal(err)
		}
		back := fmt.Sprintf("hash of \"alice\" under the secret 000102…0f: %016x\n", secret.Hash("alice"))
		for _, e := range p.AppendHashEntries(nil, r.First) {
			back += fmt.Sprintf("%016x known but for %d bits: ID %d\n", e.Hash, e.Shift, e.ID)
		}
		golden.Entry(t, "page-hashes", "the hashes from 2^60 to 2^61-1", key, data, back)
	})
}

func TestGoldenForward(t *testing.T) {
	r := format.Ref{Field: 23, First: format.ForwardRows, Generation: 103}
	data, values := format.AppendValuePage([]uint64{model.IntegerWord(0), 0, model.IntegerWord(-1),
		model.IntegerWord(1),
		model.IntegerWord(1000)})
	key := format.AppendPageKey(nil, 1, &r)
	seal.Write(key, data)
	p, err := format.OpenPage(&r, key, data)
	if err != nil {
		t.Fatal(err)
	}
	back := fmt.Sprintf("%d values\n", values)
	for i := range uint64(5) {
		if w := p.Word(i); w == 0 {
			back += "none\n"
		} else {
			back += fmt.Sprintf("%d\n", model.Integer(w))
		}
	}
	golden.Entry(t, "page-forward", "the integers of records 8192 to 8196", key, data, back)
}

func TestGoldenLogKeys(t *testing.T) {
	key := format.AppendLogKey(nil, 1, 8)
	value := encodeAll(key, &wal.Entry{Time: 1_790_000_000_000, Keys: []wal.KeyRun{{Space: 1, First: 5,
		Keys: []string{"person1", "person2", "did:plc:ewvi7nxzyoun6zhxrhs64oiz", "did:plc:ewvi7nxzyoun6zhxrhs64oia"}}}})
	commits, err := decodeAll(key, value)
	if err != nil {
		t.Fatal(err)
	}
	golden.Entry(t, "log-keys", "commit 8: four new keys, of each what it adds to the one before", key, value,
		asText(commits[0].Keys))
}

func TestGoldenNarrow(t *testing.T) {
	r := format.Ref{Field: 19, First: format.ForwardRows, Generation: 107}
	data, values := format.AppendValuePage([]uint64{1, 0, 5, 7, 2, 0, 3})
	key := format.AppendPageKey(nil, 1, &r)
	seal.Write(key, data)
	p, err := format.OpenPage(&r, key, data)
	if err != nil {
		t.Fatal(err)
	}
	back := fmt.Sprintf("%d values\n", values)
	for i := range uint64(7) {
		if w := p.Word(i); w == 0 {
			back += "none\n"
		} else {
			back += fmt.Sprintf("row %d\n", w-1)
		}
	}
	golden.Entry(t, "page-narrow", "the rows of records 8192 to 8198, in three bits each", key, data, back)
}

func TestGoldenNearKeys(t *testing.T) {
	r := format.Ref{Field: 1, First: 200, Generation: 108, Rows: 12}
	var rows []format.Row
	for i, key := range []string{"person98", "person99", "person100", "person101", "", "", "person104", "person105",
		"person106", "perch7", "perch8", "perch"} {
		if key != "" {
			rows = append(rows, format.Row{Offset: uint16(i), Values: 1, Body: format.AppendKey(nil, key)})
		}
	}
	data := format.AppendPage(format.Keys, rows)
	key := format.AppendPageKey(nil, 1, &r)
	seal.Write(key, data)
	p, err := format.OpenPage(&r, key, data)
	if err != nil {
		t.Fatal(err)
	}
	back := fmt.Sprintf("%d rows", p.Rows())
	for i := range uint64(12) {
		back += fmt.Sprintf("\n%q", p.Row(i))
	}
	golden.Entry(t, "page-near-keys", "keys of IDs 200 to 211, of which two have none, as near keys", key, data, back)
}

func TestGoldenManifest(t *testing.T) {
	for _, c := range []struct {
		name, what string
		record     format.ManifestRecord
	}{
		{"manifest-change", "a flush that replaces a page, adds one, and cuts a list in pieces",
			format.ManifestRecord{Kind: format.RecordChange, Parts: 1, Flushed: 300,
				Generation: 106, Next: map[uint32]uint64{1: 1000, 13: 4},
				Dropped: []format.Ref{{Field: 4, First: 10, Generation: 99, Rows: 3, Bytes: 40, Values: 4}},
				Added: []format.Ref{{Field: 4, First: 10, Generation: 103, Rows: 4, Bytes: 60, Values: 9},
					{Field: 8, First: 3, Piece: 1, Generation: 104, Rows: 1, Bytes: 30_000, Values: 100_000},
					{Field: 8, First: 3, Piece: 0x124, Generation: 105, Rows: 1, Bytes: 30_000, Values: 90_000}}}},
		{"manifest-checkpoint", "the second of two parts of a checkpoint",
			format.ManifestRecord{Kind: format.RecordCheckpoint, Part: 1, Parts: 2, Flushed: 300,
				Generation: 106, Next: map[uint32]uint64{1: 1000}, Added: []format.Ref{{Field: 4, First: 10,
					Generation: 103,
					Rows:       4, Bytes: 60, Values: 9}}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			key := format.AppendManifestKey(nil, 1, 17)
			value := c.record.Encode(key)
			back, err := format.DecodeManifestRecord(key, value)
			if err != nil {
				t.Fatal(err)
			}
			golden.Entry(t, c.name, c.what, key, value, asText(*back))
		})
	}
}

// TestGoldenLog and TestGoldenLogRemovals have entries of version 1, which are no longer written.
func TestGoldenLog(t *testing.T) {
	key := format.AppendLogKey(nil, 1, 1<<16+2)
	entry := wal.Entry{Time: 1_790_000_000_000, Keys: []wal.KeyRun{{Space: 1, First: 5,
		Keys: []string{"alice", "bob"}}},
		Edits: []model.Edit{{Field: 4, Set: true, Row: 5, Record: 6}, {Field: 4, Set: true, Row: 5, Record: 900},
			{Field: 4, Row: 5, Record: 7}, {Field: 0, Set: true, Record: 5}},
		Installed: 17}
	value := encodeFirst(&entry, key)
	commits, err := decodeAll(key, value)
	if err != nil {
		t.Fatal(err)
	}
	back := commits[0]
	golden.Entry(t, "log-entry",
		"entry 65538: two new keys, three edits of one list, one of the universe, and a manifest installed", key, value,
		fmt.Sprintf("{time:%d keys:%s edits:%s installed:%d}", back.Time, asText(back.Keys), asText(back.Edits),
			back.Installed))
}

func TestGoldenLogRemovals(t *testing.T) {
	key := format.AppendLogKey(nil, 1, 7)
	entry := wal.Entry{Time: 1_790_000_000_000, Emptied: []model.RowName{{Field: 12, Row: 3}, {Field: 4, Row: 9}},
		Deleted: []wal.Deletion{{Record: 5, Key: "alice"}, {Record: 300}, {Record: 301, Key: "bob"}},
		Forward: []model.ValueEdit{{Field: 16, Record: 1, Word: 0}, {Field: 16, Record: 2, Word: 4},
			{Field: 20, Record: 1, Word: model.IntegerWord(-3)}, model.AssignInt(20, 2, math.MinInt64)}}
	value := encodeFirst(&entry, key)
	commits, err := decodeAll(key, value)
	if err != nil {
		t.Fatal(err)
	}
	back := commits[0]
	golden.Entry(t, "log-removals", "entry 7: two lists emptied, three records deleted, a value taken, row 3 given, "+
		"the integer -3 given, the least int64 given", key, value,
		fmt.Sprintf("emptied %s\ndeleted %s\nforward %s", asText(back.Emptied), asText(back.Deleted),
			asText(back.Forward)))
}

func TestGoldenLogGroup(t *testing.T) {
	key := format.AppendLogKey(nil, 1, 1<<16+2)
	value := encodeAll(key,
		&wal.Entry{Time: 1_790_000_000_000, Keys: []wal.KeyRun{{Space: 1, First: 5, Keys: []string{"alice", "bob"}}},
			Edits: []model.Edit{{Field: 4, Set: true, Row: 5, Record: 6}, {Field: 4, Set: true, Row: 5, Record: 900},
				{Field: 4, Row: 5, Record: 7}, {Field: 0, Set: true, Record: 5}}},
		&wal.Entry{Time: 1_790_000_000_003, Emptied: []model.RowName{{Field: 12, Row: 3}, {Field: 4, Row: 9}},
			Deleted: []wal.Deletion{{Record: 5, Key: "alice"}, {Record: 300}, {Record: 301, Key: "bob"}},
			Forward: []model.ValueEdit{{Field: 16, Record: 1, Word: 0}, {Field: 16, Record: 2, Word: 4},
				{Field: 20, Record: 1, Word: model.IntegerWord(-3)}}},
		&wal.Entry{Time: 1_789_999_999_999, Installed: 17})
	commits, err := decodeAll(key, value)
	if err != nil {
		t.Fatal(err)
	}
	back := ""
	for _, l := range commits {
		back += asText(fmt.Sprintf("{time:%d keys:%+v edits:%+v emptied:%+v deleted:%+v forward:%+v installed:%d}\n",
			l.Time,
			l.Keys, l.Edits, l.Emptied, l.Deleted, l.Forward, l.Installed))
	}
	golden.Entry(t, "log-group", "commits 65536 to 65538: new keys and edits; lists emptied, records deleted and "+
		"values, 3 ms later; a manifest installed, 4 ms before that by the clock", key, value, back)
}

var fieldName = regexp.MustCompile(`\b[A-Z][A-Za-z]*:`)

// asText returns a value with the names of its fields, which begin with small letters whether they
// are exported or not.
func asText(x any) string {
	return fieldName.ReplaceAllStringFunc(fmt.Sprintf("%+v", x), func(name string) string {
		return strings.ToLower(name[:1]) + name[1:]
	})
}
