// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package format

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/seal"

	"github.com/uproar-db/uproar/internal/golden"
)

func TestGoldenPages(t *testing.T) {
	t.Run("postings", func(t *testing.T) {
		r := Ref{Field: 4, First: 10, Generation: 99}
		// Bodies of package bitmap: {7}, empty, {1, 2, 300}.
		data := AppendPage(Postings, []Row{{Offset: 0, Values: 1, Body: []byte{0xF9, 7}},
			{Offset: 2, Values: 3, Body: []byte{0x30, 2, 0x15, 0x0A, 0xB0, 0x04}}})
		key := AppendPageKey(nil, 1, &r)
		seal.Write(key, data)
		p, err := OpenPage(&r, key, data)
		if err != nil {
			t.Fatal(err)
		}
		golden.Entry(t, "page-postings", "rows 10 to 12 of field 4, two-byte slots", key, data,
			fmt.Sprintf("%x\n%x\n%x", p.Row(0), p.Row(1), p.Row(2)))
	})
	t.Run("sparse", func(t *testing.T) {
		r := Ref{Field: 4, First: 10, Generation: 98}
		data := AppendPage(Postings, []Row{{Offset: 0, Values: 1, Body: []byte{0xF9, 7}},
			{Offset: 60_000, Values: 3, Body: []byte{0x30, 2, 0x15, 0x0A, 0xB0, 0x04}}})
		key := AppendPageKey(nil, 1, &r)
		seal.Write(key, data)
		p, err := OpenPage(&r, key, data)
		if err != nil {
			t.Fatal(err)
		}
		golden.Entry(t, "page-sparse", "rows 10 and 60010 of field 4, two-byte slots after their numbers", key, data,
			fmt.Sprintf("%d rows\n%x\n%x\n%x", p.Rows(), p.Row(0), p.Row(1), p.Row(60_000)))
	})
	t.Run("piece", func(t *testing.T) {
		r := Ref{Field: 8, First: 3, Piece: 0x123 + 1, Generation: 100}
		data := AppendPage(Postings, []Row{{Body: bytes.Repeat([]byte{0}, 1<<16)}})
		key := AppendPageKey(nil, 1, &r)
		seal.Write(key, data)
		p, err := OpenPage(&r, key, data)
		if err != nil {
			t.Fatal(err)
		}
		golden.Entry(t, "page-piece",
			"the piece of row 3 from container key 0x123 on, four-byte slots (the value's first 32 bytes)", key,
			data[:32],
			fmt.Sprintf("%d bytes", len(p.Row(0))))
	})
	t.Run("keys", func(t *testing.T) {
		r := Ref{Field: 1, First: 0, Generation: 101}
		texts := []string{"alice", "did:plc:ewvi7nxzyoun6zhxrhs64oiz", "did:plc:EWVI7nxzyoun6zhxrhs64oiz"}
		var rows []Row
		for i, k := range texts {
			rows = append(rows, Row{Offset: uint16(i), Values: 1, Body: AppendKey(nil, k)})
		}
		data := AppendPage(Keys, rows)
		key := AppendPageKey(nil, 1, &r)
		seal.Write(key, data)
		p, err := OpenPage(&r, key, data)
		if err != nil {
			t.Fatal(err)
		}
		var back []string
		for i := range texts {
			text, ok := AppendKeyText(nil, p.Row(uint64(i)))
			if !ok || string(text) != texts[i] {
				t.Errorf("got %q, %v, want %q", text, ok, texts[i])
			}
			back = append(back, string(text))
		}
		golden.Entry(t, "page-keys", "keys of IDs 0 to 2: raw, packed, and raw for its capitals", key, data,
			strings.Join(back, "\n"))
	})
	t.Run("hashes", func(t *testing.T) {
		secret := Secret{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}
		r := Ref{Field: 2, First: 1 << 60, Generation: 102}
		entries := []HashEntry{{Hash: 1<<60 + 5, ID: 3}, {Hash: 1<<60 + 1<<50, ID: 70_000},
			{Hash: 1<<61 - 1, ID: 0}}
		data := AppendHashPage(entries, 1<<60, 1<<61-1)
		key := AppendPageKey(nil, 1, &r)
		seal.Write(key, data)
		p, err := OpenPage(&r, key, data)
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

func TestGoldenValues(t *testing.T) {
	r := Ref{Field: 23, First: ValueRows, Generation: 103}
	data, values := AppendValuePage([]uint64{model.IntegerWord(0), 0, model.IntegerWord(-1),
		model.IntegerWord(1),
		model.IntegerWord(1000)})
	key := AppendPageKey(nil, 1, &r)
	seal.Write(key, data)
	p, err := OpenPage(&r, key, data)
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

func TestGoldenNarrow(t *testing.T) {
	r := Ref{Field: 19, First: ValueRows, Generation: 107}
	data, values := AppendValuePage([]uint64{1, 0, 5, 7, 2, 0, 3})
	key := AppendPageKey(nil, 1, &r)
	seal.Write(key, data)
	p, err := OpenPage(&r, key, data)
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

func TestGoldenPrefixKeys(t *testing.T) {
	r := Ref{Field: 1, First: 200, Generation: 108, Rows: 12}
	var rows []Row
	for i, key := range []string{"person98", "person99", "person100", "person101", "", "", "person104", "person105",
		"person106", "perch7", "perch8", "perch"} {
		if key != "" {
			rows = append(rows, Row{Offset: uint16(i), Values: 1, Body: AppendKey(nil, key)})
		}
	}
	data := AppendPage(Keys, rows)
	key := AppendPageKey(nil, 1, &r)
	seal.Write(key, data)
	p, err := OpenPage(&r, key, data)
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
		record     ManifestRecord
	}{
		{"manifest-change", "a flush that replaces a page, adds one, and cuts a list in pieces",
			ManifestRecord{Kind: RecordChange, Parts: 1, Flushed: 300,
				Generation: 106, Next: map[uint32]uint64{1: 1000, 13: 4},
				Dropped: []Ref{{Field: 4, First: 10, Generation: 99, Rows: 3, Bytes: 40, Values: 4}},
				Added: []Ref{{Field: 4, First: 10, Generation: 103, Rows: 4, Bytes: 60, Values: 9},
					{Field: 8, First: 3, Piece: 1, Generation: 104, Rows: 1, Bytes: 30_000, Values: 100_000},
					{Field: 8, First: 3, Piece: 0x124, Generation: 105, Rows: 1, Bytes: 30_000, Values: 90_000}}}},
		{"manifest-checkpoint", "the second of two parts of a checkpoint",
			ManifestRecord{Kind: RecordCheckpoint, Part: 1, Parts: 2, Flushed: 300,
				Generation: 106, Next: map[uint32]uint64{1: 1000}, Added: []Ref{{Field: 4, First: 10,
					Generation: 103,
					Rows:       4, Bytes: 60, Values: 9}}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			key := AppendManifestKey(nil, 1, 17)
			value := c.record.Encode(key)
			back, err := DecodeManifestRecord(key, value)
			if err != nil {
				t.Fatal(err)
			}
			golden.Entry(t, c.name, c.what, key, value, golden.Text(*back))
		})
	}
}

// TestSession keeps the bytes of what a session leaves.
func TestSession(t *testing.T) {
	key := SessionKey(1)
	for _, c := range []struct {
		name, what string
		session    Session
	}{
		{"session-closed", "closed after commit 300, with 70 000 bytes of log",
			Session{Clean: true, Generation: 106, Sequence: 300, LogBytes: 70_000}},
		{"session-open", "pages are written from generation 106 on", Session{Generation: 106}},
	} {
		t.Run(c.name, func(t *testing.T) {
			value := c.session.Encode(key)
			back, err := DecodeSession(key, value)
			if err != nil {
				t.Fatal(err)
			}
			golden.Entry(t, c.name, c.what, key, value, golden.Text(*back))
		})
	}
	whole := (&Session{Clean: true, Generation: 1 << 40, Sequence: 300, LogBytes: 70_000}).Encode(key)
	for n := range whole {
		short := append([]byte(nil), whole[:n]...)
		if n >= HeaderLen {
			seal.Write(key, short)
		}
		if s, err := DecodeSession(key, short); err == nil {
			t.Errorf("got %+v of %d bytes, want an error", s, n)
		}
	}
}
